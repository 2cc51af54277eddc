/** The hall for everybody: all tables as tiles; as a wall some of them at a time, for a screen that nobody touches. */

import { element, sync } from "../elements.js";
import { pageData } from "../page.js";
import { speaker } from "../words.js";
import { Hall, chosenNumbers, numberOf, partsOf } from "./hall.js";
import { Tiles } from "./tile.js";

const TICK_MS = 1000;
const SECONDS = 15;
const ON_WALL = 12;
const data = pageData();
const say = speaker(data.words, data.language);
const wall = data.page === "wall";
const wanted = new URLSearchParams(location.search);
const isChosen = chosenNumbers(wanted.get("tables"));
const seconds = Math.min(Math.max(Number(wanted.get("seconds")) || SECONDS, 3), 3600);
const tiles = new Tiles(document.getElementById("tiles"), say, (table) => (wall ? null : `/wall?tables=${numberOf(table)}`), () => hall.now());
let part = 0;
let drawing = false;
/** Which tables have changed since the last drawing; null: all. @type {Set<string>|null} */
let changed = new Set();

const hall = new Hall({
  language: data.language, asViewer: true,
  hear: (names) => {
    changed = names && changed ? new Set([...changed, ...names]) : null;
    soon();
  },
});

function soon() {
  if (!drawing) {
    drawing = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  drawing = false;
  const tables = hall.inOrder().filter((table) => !isChosen || isChosen(numberOf(table)));
  const parts = wall ? partsOf(tables, ON_WALL) : [tables];
  const shown = parts[part % parts.length];
  document.body.dataset.columns = wall ? String(Math.ceil(Math.sqrt(shown.length || 1))) : "auto";
  tiles.show(shown, changed);
  changed = new Set();
  const { evening } = hall;
  const match = evening?.tournament;
  sync(document.getElementById("said"), [
    hall.isSilent() ? element("span", { key: "silent", class: "away" }, say("hub_silent")) : null,
    match ? element("strong", { key: "name" }, match.name) : null,
    match?.begun ? element("span", { key: "round" }, roundNow(match)) : null,
    wall && parts.length > 1 ? element("span", { key: "part", class: "small" }, `${part % parts.length + 1} / ${parts.length}`) : null,
    tables.length ? null : element("span", { key: "none" }, say("no_tables")),
  ]);
}

function roundNow(tournament) {
  return tournament.over ? tournament.champion : tournament.rounds.filter(({ current }) => current).map(({ name }) => name).join(", ");
}

draw();
hall.open();
setInterval(() => {
  // Clocks run on between two messages.
  const running = hall.inOrder().filter((table) => table.screen?.clock?.runs).map(({ name }) => name);
  changed = changed ? new Set([...changed, ...running]) : null;
  soon();
}, TICK_MS);
if (wall) {
  setInterval(() => {
    part += 1;
    changed = null;
    soon();
  }, seconds * 1000);
}
document.addEventListener("visibilitychange", () => document.hidden || hall.open());
