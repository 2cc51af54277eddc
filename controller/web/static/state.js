/** What the page knows of a table, how messages change it, and what follows from it; all pure. */

import { differences, ends, gameOf, opponent, sidePoint } from "./position.js";
import { layoutFor } from "./board.js";

/** @typedef {import("./position.js").Side} Side */
/** @typedef {Object<string, any>} State as `GET /api/v1/state` describes it */
/** @typedef {{run: string|null, seq: number, state: State}} Known */

/** After this time without a message from the table, the page says so. */
export const SILENT_MS = 5_000;
/** Below this many seconds a clock is marked as low, and below the second it shows tenths. */
export const LOW_S = 60;
export const TENTHS_S = 10;

/** Before anything has been heard. @type {Known} */
export const NOTHING = { run: null, seq: 0, state: {} };

/** Questions that a page answers by one of several rows, numbered for the keyboard. */
const ANSWERED_BY_ROWS = new Set(["unsure", "cube", "consent", "second_roll", "early_roll"]);
/** Questions in which the board shows how what lies there differs from what should. */
const COMPARED = new Set(["set_up", "board_other", "put_back"]);
const EMPTY = ".".repeat(26);
const OFFERS = new Set(["double", "resignation"]);
const STOPPED = new Set(["paused", "dispute"]);

/**
 * What is known after a message. A snapshot replaces everything; any other message sets keys of the state.
 * @param {Known} known
 * @param {Object<string, any>} message
 * @returns {Known}
 */
export function reduce(known, message) {
  if (message.kind === "snapshot") {
    return { run: message.run, seq: message.seq, state: message.state };
  }
  if (typeof message.seq !== "number") {
    return known;
  }
  return { ...known, seq: message.seq, state: { ...known.state, ...(message.set ?? {}) } };
}

/** Whether a message does not follow the one before it: the page must ask for what is missing. */
export function leavesGap(known, message) {
  return message.kind !== "snapshot" && typeof message.seq === "number" && message.seq > known.seq + 1;
}

/** Whether a message was heard before, as happens after a resume. */
export function isOld(known, message) {
  return message.kind !== "snapshot" && typeof message.seq === "number" && message.seq <= known.seq;
}

/** Whose numbers the rim has: while a play is questioned, or hinted at, those of whoever makes it, else of the side in front. */
export function numberingOf(state, front) {
  const question = state.question;
  if (!question && state.on_turn && (state.announced || state.hints?.movable.length || state.hints?.plays.length)) {
    return state.on_turn;
  }
  if (!question || !["illegal", "unsure", "put_back"].includes(question.kind)) {
    return front;
  }
  return question.moves?.[0]?.side ?? state.on_turn ?? front;
}

/** A player's name, whole. */
export function nameOf(state, side) {
  return state.match?.[side] ?? "";
}

/**
 * How a clock stands some milliseconds after it was heard; it stops where the table went silent.
 * @param {State["clock"]} clock
 * @param {number} since_ms
 * @returns {{light_s: number, dark_s: number, delay_s: number, runs: Side|null}|null}
 */
export function clockAfter(clock, since_ms) {
  if (!clock) {
    return null;
  }
  const past_s = clock.runs ? Math.max(0, since_ms) / 1000 : 0;
  const delay_s = Math.max(0, clock.delay_s - past_s);
  const spent_s = Math.max(0, past_s - clock.delay_s);
  const left = (side) => Math.max(0, clock[`${side}_s`] - (clock.runs === side ? spent_s : 0));
  return { light_s: left("light"), dark_s: left("dark"), delay_s, runs: clock.runs };
}

/** Two times that differ by more are of two clocks, or one of them was set. */
const SET_MS = 2_000;

/**
 * The time of this device against the table's, after the table has said what time it is there: only how much later
 * than the quickest message another one comes counts, until one of the two clocks is set.
 * @param {number|null} offset before; null if nothing was heard
 * @param {number} at_ms what the table said
 * @param {number} [now_ms]
 */
export function offsetAfter(offset, at_ms, now_ms = Date.now()) {
  const heard = now_ms - at_ms;
  return offset === null || Math.abs(heard - offset) > SET_MS ? heard : Math.min(heard, offset);
}

/** Minutes and seconds; tenths in the last ten seconds. @param {number} seconds @returns {string} */
export function clockText(seconds) {
  if (seconds < TENTHS_S) {
    return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  }
  // A clock shows a second until it has run out.
  const whole = Math.ceil(seconds - 1e-9);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Whether a question is answered by numbered rows. */
export function hasRows(state) {
  return Boolean(state.question) && ANSWERED_BY_ROWS.has(state.question.kind);
}

/** How much a question stands out: offers, pauses and rulings are plain, whatever else they are. */
export function toneOf(question) {
  return OFFERS.has(question.kind) || STOPPED.has(question.kind) ? "plain" : question.tone ?? "plain";
}

/** Whether something is wrong with the game, or is to be ruled. */
export function wrong(state) {
  return Boolean(state.question) && (state.question.tone === "warn" || !["set_up", "paused", ...OFFERS].includes(state.question.kind));
}

/** The devices that do not work. */
export function broken(state) {
  return (state.devices ?? []).filter((device) => !device.ready);
}

/**
 * What the board shows.
 * @param {State} state
 * @param {{upright: boolean, mirrored: boolean, silent: boolean, name: string}} page
 * @returns {import("./board.js").View}
 */
export function boardView(state, { upright, mirrored, silent, name }) {
  const question = state.question;
  const compared = question && COMPARED.has(question.kind);
  const wanted = question?.position ?? state.position ?? EMPTY;
  const position = compared ? state.seen?.position ?? wanted : wanted;
  const layout = layoutFor(state.light_home ?? "bottom-right", state.viewer?.side ?? null, { upright, mirrored });
  const numbering = numberingOf(state, layout.front);
  const game = gameOf(state);
  const inNumbering = (point) => sidePoint(point, numbering, game);
  const stopped = question && STOPPED.has(question.kind);
  const view = {
    name, layout, position, numbering, game,
    // What is not seen yet is not borne off.
    empty: position === EMPTY || compared && position !== wanted,
    bold: [],
    last: question || state.plays?.[0]?.legal === false && !state.plays[0].stands ? [] : lastSteps(state),
    unsure: question?.kind === "unsure" || compared && position === wanted ? question.points ?? [] : [],
    counts: question?.counts ?? {},
    covered: state.seen?.covered ?? [],
    take: [], put: [], arrows: [],
    dice: state.dice ?? null,
    cube: state.cube ?? null,
    faded: Boolean(silent || stopped),
    line: stopped ? question.heading : null,
  };
  if (question?.moves?.length) {
    const { from, to } = ends(question.moves);
    view.take = from;
    view.put = to;
    // Of many arrows one at a time, in step with the list.
    view.arrows = question.moves.length > 2 ? question.moves.slice(0, 1) : question.moves;
    view.bold = question.moves.filter(({ side }) => side === numbering).flatMap(({ from: one, to: two }) => [one, two]);
  } else if (compared && position !== wanted) {
    Object.assign(view, differences(wanted, position, game));
  }
  if (view.unsure.length) {
    view.bold = view.unsure.map(inNumbering);
  }
  return view;
}

function lastSteps(state) {
  const play = state.plays?.[0];
  return play && play.game === (state.match?.game ?? play.game) ? play.steps ?? [] : [];
}

/**
 * The steps by which the board gets to what a message says, in their order; none where it is set at once.
 * @param {Object<string, any>} message
 */
export function stepsOf(message) {
  return message.kind === "turn" && !message.replaces && message.set?.position ? message.steps ?? [] : [];
}

/** Which side's strip is above and which below. @returns {{far: Side, near: Side}} */
export function seats(state) {
  const near = layoutFor(state.light_home ?? "bottom-right", state.viewer?.side ?? null).front;
  return { far: opponent(near), near };
}

/** What was played, as a person reads it. A table of another version tells a hub the notation alone. */
export function playedText(play) {
  return play.words ?? play.move;
}

/** A text in two parts, behind the play in it or else behind its first sentence: no part of a sentence is put together here. */
export function splitAtPlay(text, move) {
  const start = move ? text.indexOf(move) : -1;
  const first = text.indexOf(". ", text.indexOf(": ") + 1) + 1;
  const end = start < 0 ? first || text.length : start + move.length;
  return { head: text.slice(0, end), rest: text.slice(end) };
}
