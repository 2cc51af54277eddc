/** What a learner is shown beside the board and on it: what may move, where it may land, the best plays. */

import { element } from "./elements.js";
import { BAR, OFF, ends, gameOf, sidePoint } from "./position.js";

/** Levels from which on landings and the best plays are shown. */
const LANDINGS = 2;
const BEST = 3;

/** A place of the lamps, such as `13` or `bar-dark`, as a side counts it. */
function ownPlace(place, side, game) {
  if (String(place).startsWith("bar")) {
    return BAR;
  }
  return String(place).startsWith("tray") ? OFF : sidePoint(Number(place), side, game);
}

/** The place of the lamps that a side counts so. */
function lampPlace(point, side, game) {
  return point === BAR ? `bar-${side}` : point === OFF ? `tray-${side}` : String(sidePoint(point, side, game));
}

/** Whether hints are shown just now. */
export function hasHints(state) {
  return Boolean(state.hints?.movable.length || state.hints?.plays.length);
}

/**
 * What hints add to the view of a board.
 * @param {Object<string, any>} state
 * @param {{lifted: string|null, chosen: number, lift: (place: string|null) => void}} page the place that was tapped, which of the best plays is shown
 */
export function hintView(state, { lifted, chosen, lift }) {
  const { hints, announced } = state;
  if (announced) {
    return { hints: [], arrows: announced.steps, put: ends(announced.steps).to, last: [] };
  }
  if (!hasHints(state)) {
    return {};
  }
  const [side, game] = [state.on_turn ?? "light", gameOf(state)];
  const play = hints.plays[chosen] ?? hints.plays[0];
  const tap = hints.level >= LANDINGS ? { tap: (point) => {
    const place = lampPlace(point, side, game);
    lift(place !== lifted && hints.landings[place] ? place : null);
  } } : {};
  const from = lifted !== null && hints.landings[lifted] ? { hints: hints.landings[lifted], chosen: ownPlace(lifted, side, game) } : null;
  if (play?.steps.length && !from) {
    return { ...tap, hints: [], arrows: play.steps, put: ends(play.steps).to, last: [] };
  }
  return { ...tap, ...(from ?? { hints: hints.movable }), last: [] };
}

/**
 * The hints beside the board, and how much is shown.
 * @param {Object<string, any>} state
 * @param {{say: (path: string, values?: Object) => string, lifted: string|null, chosen: number, level: number|null, lift: (place: string|null) => void, choose: (index: number) => void, setLevel: (level: number) => void}} page
 */
export function hintsTree(state, page) {
  const { hints } = state;
  if (!hints || state.announced) {
    return null;
  }
  const { say } = page;
  return element("section", { key: "hints", class: "hints", "aria-label": say("hints.legend") },
    state.why ? element("p", { key: "why", class: "why" }, state.why) : null,
    bestPlays(hints, page), liftable(state, page),
    element("div", { key: "level", class: "hint-level" }, element("label", { key: "label", for: "hint-level" }, say("hints.legend")),
      element("select", { key: "menu", id: "hint-level", on: { change: (event) => page.setLevel(Number(event.target.value)) } },
        Array.from({ length: hints.most + 1 }, (_, level) => element("option", { key: level, value: level, selected: level === (page.level ?? hints.level) }, say(`hints.level_${level}`)))),
      element("a", { key: "ask", class: "hint-ask", href: "/learn#exercise/board" }, say("hints.ask"))));
}

function bestPlays(hints, { say, chosen, choose }) {
  if (hints.asked) {
    return element("p", { key: "asked", class: "small", role: "status" }, say("hints.asked"));
  }
  if (!hints.plays.length || hints.level < BEST) {
    return null;
  }
  const title = say(hints.plays.length > 1 ? "hints.best_three" : "hints.best");
  return element("ol", { key: "best", class: "best", "aria-label": title }, hints.plays.map((play, index) => element("li", { key: play.text },
      element("button", { type: "button", "aria-pressed": index === chosen ? "true" : "false", on: { click: () => choose(index) } },
        element("b", { key: "text" }, play.text), element("span", { key: "risk", class: "risk" }, play.risk),
        element("span", { key: "loss", class: "loss" }, play.loss ? `−${play.loss.toFixed(3)}` : "")))));
}

/** A button for each checker that may move: who uses no mouse learns from here where it may land. */
function liftable(state, { say, lifted, lift }) {
  const { hints } = state;
  if (hints.level < LANDINGS || hints.level >= BEST || !hints.movable.length) {
    return null;
  }
  const [side, game] = [state.on_turn ?? "light", gameOf(state)];
  const name = (place) => {
    const point = ownPlace(place, side, game);
    return point === BAR ? say("hints.bar") : point === OFF ? say("hints.off") : String(point);
  };
  const order = (one, other) => ownPlace(other, side, game) - ownPlace(one, side, game);
  const landings = hints.landings[lifted];
  return [
    element("div", { key: "lift", class: "buttons lift", role: "group", "aria-label": say("hints.movable") }, [...hints.movable].sort(order).map((place) => element("button", {
      key: place, type: "button", "aria-pressed": String(place) === lifted ? "true" : "false", on: { click: () => lift(String(place) === lifted ? null : String(place)) },
    }, name(place)))),
    element("p", { key: "landings", class: "small", role: "status" }, landings
      ? say("hints.from", { place: name(lifted), places: [...landings].sort(order).map(name).join(", ") }) : say("hints.tap")),
  ];
}
