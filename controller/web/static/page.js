/** What the pages of a table have in common: header, players, what is said, the plays. Everything here only draws. */

import { checker, die } from "./board.js";
import { element } from "./elements.js";
import { broken, clockText, LOW_S, nameOf, playedText, seats, splitAtPlay, wrong } from "./state.js";
import { OFF, gameOf, read } from "./position.js";

/** @typedef {import("./elements.js").Tree} Tree */
/** @typedef {(path: string, values?: Object) => string} Say */

/** The data that the page came with. */
export function pageData() {
  return JSON.parse(document.getElementById("page").textContent);
}

/** A checker as a sign of its side. */
export function sign(side, name = "sign") {
  return element("svg", { key: name, class: `sign ${side}`, viewBox: "-48 -48 96 96", "aria-hidden": "true" }, checker({ key: "checker", side, x: 0, y: 0 }));
}

/** Dice as they lie, as pictures with a text. */
export function diceRow(dice, size, say) {
  if (!dice) {
    return null;
  }
  const sides = dice.side ? [dice.side, dice.side] : ["light", "dark"];
  return element("div", { key: "dice", class: `dice ${size}${dice.played ? " played" : ""}` },
    element("span", { class: "hidden" }, say(dice.sure ? "dice_read" : "dice_unsure", { dice: dice.values.join("-") })),
    dice.values.map((value, index) => element("svg", { key: `die-${index}`, viewBox: "-2 -2 104 104", "aria-hidden": "true" },
      die({ key: "die", side: sides[index] ?? sides[0], value, sure: dice.sure }))));
}

/** Where this is and what is played. */
export function where(state, say) {
  const match = state.match;
  if (!match) {
    return [element("span", { key: "product" }, "Pointsman")];
  }
  const part = (name, text) => element("span", { key: name, class: name }, text);
  return [
    match.table ? element("strong", { key: "table" }, say("table_number", { table: match.table })) : null,
    match.event ? part("event", match.event) : null,
    part("length", match.length ? say("match_to", { length: match.length }) : say("money")),
    match.game ? part("game", say("game", { game: match.game })) : null,
    match.crawford ? part("crawford", say("crawford")) : null,
  ];
}

/** One line on the devices and the connection: what does not work, or that all do; that is no praise of the game. */
export function status(state, silence, say) {
  if (silence.lost) {
    return { well: false, text: say("not_connected") };
  }
  const gone = broken(state);
  if (!gone.length) {
    return { well: true, calm: !wrong(state), text: say("devices_work") };
  }
  return { well: false, text: say("not_working", { devices: gone.map(({ name }) => say(`device.${name}`) || name).join(", ") }) };
}

/** The dot, green only while nothing at all is wrong, or the struck square, and the words. */
export function statusLine({ well, calm = well, text }) {
  return [
    element("svg", { key: "dot", class: calm ? "mark well" : well ? "mark" : "mark unwell", viewBox: "0 0 14 14", "aria-hidden": "true" },
      well ? element("circle", { key: "dot", cx: 7, cy: 7, r: 5 }) : [
        element("rect", { key: "square", x: 2, y: 2, width: 10, height: 10 }), element("line", { key: "strike", x1: 0, y1: 14, x2: 14, y2: 0 })]),
    element("span", { key: "words" }, text),
  ];
}

/**
 * A player's strip: name, score, clock, what is borne off where the board has no trays.
 * @returns {Tree[]}
 */
export function player(state, side, clock, { upright, say, far }) {
  const match = state.match;
  if (!match) {
    return [];
  }
  const counts = upright && state.position ? read(state.position, gameOf(state)) : null;
  const off = counts ? counts[side][OFF] : 0;
  const hand = counts ? counts.hand[side] : 0;
  return [
    element("span", { key: "turn", class: state.on_turn === side ? "turn here" : "turn", "aria-hidden": "true" }),
    element("h2", { key: "name", class: "name" }, sign(side),
      element("span", { key: "short", class: "text short" }, firstName(match, side)),
      element("span", { key: "text", class: "text" }, far ? firstName(match, side) : nameOf(state, side)),
      state.on_turn === side ? element("span", { key: "on-turn", class: "hidden" }, say("on_turn")) : null),
    hand ? element("span", { key: "hand", class: "borne-off" }, say("pile.hand", { count: hand })) : null,
    off ? element("span", { key: "off", class: "borne-off" }, say("pile.off", { count: off })) : null,
    element("p", { key: "score", class: "score" }, element("span", { key: "label", class: "hidden" }, say("score")), match.score?.[side] ?? 0),
    clock ? clockOf(clock, side, say) : null,
  ];
}

/** What a player is called on the page read from afar. */
function firstName(match, side) {
  return match.short?.[side] ?? match[side];
}

function clockOf(clock, side, say) {
  const seconds = clock[`${side}_s`];
  const runs = clock.runs === side;
  const low = seconds < LOW_S;
  const note = low ? say(seconds > 0 ? "time_low" : "time_over") : runs && clock.delay_s > 0 ? `+ ${Math.ceil(clock.delay_s)} s` : "";
  return element("p", { key: "clock", class: `clock${runs ? " runs" : ""}${low ? " low" : ""}` },
    element("span", { key: "note", class: "note" }, note),
    element("span", { key: "label", class: "hidden" }, say("clock")),
    element("span", { key: "time", class: "time", role: "timer", "aria-live": "off" }, clockText(seconds)));
}

/** The line under the board: what was played and how it was judged, or that nothing is heard. */
export function wordLine(state, silence, say, numbering) {
  if (silence.silent) {
    return [element("strong", { key: "text" }, say("last_heard", { seconds: Math.floor(silence.ms / 1000) }))];
  }
  const play = state.plays?.[0];
  const asked = state.question;
  const named = asked && numbering
    ? element("span", { key: "whose", class: "rest" }, say("rim_numbers", { name: state.match?.short?.[numbering] ?? nameOf(state, numbering) })) : null;
  if (asked?.kind === "unsure") {
    return [doubt(), element("strong", { key: "head" }, asked.heading)];
  }
  if (!play) {
    return [named];
  }
  const { head, rest: told } = splitAtPlay(play.text, playedText(play));
  // The reasons stand beside the board already, and the line has to stay one line.
  const rest = asked?.kind === "illegal" && play.reasons?.length ? told.split(play.reasons[0])[0] : told;
  const mark = asked?.kind === "illegal" && play.legal === false ? objection() : sign(play.player);
  return [mark, element("strong", { key: "head" }, head), " ", element("span", { key: "rest", class: "rest" }, rest.trim()), " ", named];
}

/** The sign of what is not sure. */
function doubt() {
  return element("svg", { key: "doubt", class: "sign", viewBox: "-30 -30 60 60", "aria-hidden": "true" },
    element("g", { key: "query", class: "query" }, element("circle", { r: 27 }), element("text", { y: 14, "text-anchor": "middle" }, "?")));
}

/** The sign of what is not legal; it wears the hatch of the board beside it. */
function objection() {
  return element("svg", { key: "objection", class: "sign", viewBox: "-48 -48 96 96", "aria-hidden": "true" },
    checker({ key: "checker", side: "dark", x: 0, y: 0, wrong: "table-board" }));
}

/** The plays before, newest first. */
export function plays(state, say) {
  const listed = (state.plays ?? []).slice(0, 2);
  if (!listed.length) {
    return null;
  }
  return element("ol", { key: "plays", class: "plays", "aria-label": say("last_plays") },
    listed.map((play) => element("li", { key: `${play.game}-${play.ply}` },
      element("span", { key: "ply", class: "ply" }, play.ply + 1), sign(play.player),
      element("span", { key: "roll", class: "roll" }, (play.dice ?? []).join("-")),
      element("span", { key: "move", class: "move" }, playedText(play), play.legal !== false ? "" : ` ${say(play.stands ? "stands" : "not_legal")}`))));
}

/** A question or an objection: heading, words, what is to be done. */
export function question(state, say) {
  const asked = state.question;
  const stepsHead = asked.kind === "illegal" || asked.kind === "put_back" ? "put_back" : null;
  const side = asked.moves?.[0]?.side;
  return [
    element("h2", { key: "heading", class: "heading", id: "question", tabindex: -1 }, asked.heading),
    (asked.text ?? []).map((text, index) => element("p", { key: `text-${index}` }, text)),
    asked.kind === "unsure" && state.dice ? diceRow(state.dice, "small", say) : null,
    asked.steps?.length ? [
      stepsHead ? element("p", { key: "steps-head", class: "small steps-head" }, say(stepsHead)) : null,
      element("ol", { key: "steps", class: "steps" }, asked.steps.map((text, index) => element("li", { key: index },
        element("span", { key: "number", class: "number", "aria-hidden": "true" }, index + 1),
        asked.moves?.[index] || side ? sign(asked.moves?.[index]?.side ?? side) : null,
        element("span", { key: "text", class: "text" }, marked(text))))),
    ] : null,
    asked.note ? element("p", { key: "note", class: "small note" }, asked.note) : null,
  ].flat();
}

/** The numbers in a text stand out. */
function marked(text) {
  return text.split(/(\d+)/).filter(Boolean).map((part, index) =>
    /^\d+$/.test(part) ? element("b", { key: index }, part) : element("span", { key: index }, part));
}

/** What is said where nothing is asked: dice, whose turn, the sentence told last, and the plays or what takes their place. */
export function saying(state, say, instead = null) {
  const headline = state.headline || roomHeadline(state, say);
  const heard = [headline, state.plays?.[0]?.text];
  return [
    diceRow(state.dice, "large", say),
    element("h2", { key: "headline", class: "headline" }, headline),
    state.talk && !heard.includes(state.talk) && !sameWords(state.talk, headline) ? element("p", { key: "talk", class: "told" }, state.talk) : null,
    state.plays?.[0] ? element("p", { key: "said", class: "said" }, state.plays[0].text) : null,
    instead ?? plays(state, say),
  ];
}

function sameWords(one, other) {
  return one.replace(/[.!]$/, "") === other.replace(/[.!]$/, "");
}

/** Whose turn it is where there is no match: what is to be done first. */
function roomHeadline(state, say) {
  return state.room ? say(`room.${state.room}`) : say("connecting");
}

/** Which strip belongs where. */
export function strips(state) {
  const { far, near } = seats(state);
  return [["far", far], ["near", near]];
}

/** The heading of the page for those who do not see it. */
export function heading(state, say) {
  return state.match ? say("heading", { light: state.match.light, dark: state.match.dark }) : say("title");
}
