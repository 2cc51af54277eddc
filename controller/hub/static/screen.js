/** The screen of the hall: who plays at which table, results, standings, one after the other, in letters for six metres. */

import { element, sync } from "../elements.js";
import { pageData } from "../page.js";
import { speaker } from "../words.js";
import { Hall, partsOf } from "./hall.js";

const ROWS = 9;
/** QR codes must be large enough for a phone two metres away. */
const CODES = 6;
const SECONDS = 12;
const LONGEST_TITLE = 10;
const data = pageData();
const say = speaker(data.words, data.language);
const wanted = new URLSearchParams(location.search);
const seconds = Math.min(Math.max(Number(wanted.get("seconds")) || SECONDS, 3), 3600);
let number = 0;

const hall = new Hall({ language: data.language, asViewer: true, hear: () => draw() });

/** Everything there is to show, a screen each. */
function sheets() {
  const tournament = hall.evening?.tournament;
  if (!tournament) {
    return [{ title: say("no_tournament"), rows: [], kind: "none" }];
  }
  const found = [];
  const put = (kind, title, rows, most = ROWS) => partsOf(rows, most).forEach((part, index, parts) =>
    found.push({ kind, title: parts.length > 1 ? `${title}  ${index + 1}/${parts.length}` : title, rows: part }));
  const current = tournament.rounds.filter((round) => round.current);
  const called = current.flatMap(({ matches }) => matches).filter(isCalled);
  if (called.length) {
    put("called", say("please_go"), called);
  }
  const unconfirmed = hall.evening.phones ? tournament.rounds.flatMap(({ matches }) => matches).filter((match) => match.unconfirmed) : [];
  if (unconfirmed.length) {
    put("codes", say("please_confirm"), unconfirmed, CODES);
  }
  for (const round of current) {
    put("pairings", `${round.name}, ${round.length}`, round.matches.filter((match) => match.progress !== "waiting"));
  }
  const last = tournament.rounds.filter((round) => !round.current).at(-1);
  if (last && current.some(({ matches }) => matches.some(({ progress }) => progress === "open"))) {
    put("pairings", last.name, last.matches);
  }
  for (const table of tournament.begun ? tournament.standings : []) {
    put(table.records ? "standings" : "places", table.name, table.rows);
  }
  if (!tournament.begun) {
    put("players", say("entered", { count: tournament.players.length }), tournament.players);
  }
  return found;
}

/** A match that has a table and has not begun there. */
function isCalled(match) {
  if (match.progress !== "open" || !match.table) {
    return false;
  }
  const played = hall.tables.get(match.table)?.screen?.match;
  const names = new Set(match.players.map((name) => name.toLocaleLowerCase()));
  return !(played && !played.winner && played.event === hall.evening.tournament.name && [played.light, played.dark].every((name) => names.has(name.toLocaleLowerCase())));
}

function draw() {
  const all = sheets();
  const sheet = all[number % all.length];
  const tournament = hall.evening?.tournament;
  sync(document.getElementById("head"), [
    element("p", { key: "where", class: "where" }, element("strong", { key: "name" }, tournament?.name ?? "Pointsman"),
      tournament?.over && tournament.champion ? element("span", { key: "over" }, tournament.champion) : null),
    hall.isSilent() ? element("p", { key: "silent", class: "away" }, say("hub_silent")) : element("p", { key: "page", class: "small" }, `${number % all.length + 1} / ${all.length}`),
  ]);
  sync(document.getElementById("main"), [
    element("h1", { key: "title" }, sheet.title),
    sheet.rows.length ? element("ol", { key: sheet.kind, class: `rows ${sheet.kind}` }, sheet.rows.map((row, index) => rowOf(sheet.kind, row, index))) : null,
  ]);
}

function rowOf(kind, row, index) {
  const key = String(row.number ?? `${index}-${row.name}`);
  if (kind === "standings" || kind === "places") {
    return element("li", { key }, element("b", { key: "place", class: "at" }, row.place), element("span", { key: "name", class: "person" }, row.name),
      kind === "standings" ? element("span", { key: "points", class: "tally" }, row.points) : null);
  }
  if (kind === "players") {
    return element("li", { key }, element("b", { key: "place", class: "at" }, row.number), element("span", { key: "name", class: "person" }, row.name));
  }
  if (kind === "codes") {
    return element("li", { key }, element("img", { key: "code", src: `/confirm/${row.number}/code.svg`, alt: say("confirm_code", { names: row.players.join(" – ") }) }),
      element("p", { key: "words" }, row.players.map((name, place) => element("span", { key: place, class: `person${row.winner === place ? " won" : ""}` }, name)), element("b", { key: "score", class: "tally" }, row.score)));
  }
  const name = (place) => element("span", { key: `name-${place}`, class: `person${row.winner === place ? " won" : ""}` }, row.players[place]);
  return element("li", { key },
    element("b", { key: "table", class: "at" }, row.title ? shortTitle(row.title) : ""),
    name(0), element("span", { key: "score", class: "tally" }, row.score || liveScore(row) || "–",
      row.unconfirmed ? element("span", { key: "open", class: "mark-open" }, "*", element("span", { key: "words", class: "hidden" }, say("unconfirmed"))) : null), name(1));
}

/** The score of a match that is being played, as its table shows it. */
function liveScore(row) {
  const played = row.progress === "open" ? hall.tables.get(row.table)?.screen?.match : null;
  if (!played || played.winner) {
    return "";
  }
  const side = ["light", "dark"].find((each) => played[each].toLocaleLowerCase() === row.players[0].toLocaleLowerCase());
  const other = side === "light" ? "dark" : "light";
  return side && played[other].toLocaleLowerCase() === row.players[1].toLocaleLowerCase() ? `${played.score[side]}-${played.score[other]}` : "";
}

/** What a table is called; of a long title only its number, or its beginning: there is no room at six metres. */
function shortTitle(title) {
  return title.length <= LONGEST_TITLE ? title : /\d+/.exec(title)?.[0] ?? `${title.slice(0, LONGEST_TITLE)}…`;
}

draw();
hall.open();
setInterval(() => {
  number += 1;
  draw();
}, seconds * 1000);
document.addEventListener("visibilitychange", () => document.hidden || hall.open());
