/** What the director sees of a matter, a turn and the table; everything here only draws. */

import { drawing, layoutFor } from "./board.js";
import { element } from "./elements.js";
import { clockText } from "./state.js";
import { ends, gameOf } from "./position.js";

/** @typedef {import("./elements.js").Tree} Tree */
/** @typedef {(path: string, values?: Object) => string} Say */

const MINUTE_MS = 60_000;
const HOUR_S = 3600;

/** The sign of a kind of matter: a shape for each, none by colour alone. */
export function matterSign(kind) {
  const shapes = {
    dispute: [element("path", { key: "shape", d: "M14 4 25 23H3Z" }), element("path", { key: "stroke", d: "M14 11v6M14 19.5v1" })],
    illegal: [element("path", { key: "shape", d: "M14 4 25 23H3Z" }), element("path", { key: "stroke", d: "M9 21 17 9M14 22l5-7" })],
    time: [element("circle", { key: "shape", cx: 14, cy: 14, r: 10 }), element("path", { key: "stroke", d: "M14 8v6l4 3" })],
    unsure: [element("circle", { key: "shape", class: "dashed", cx: 14, cy: 14, r: 10 }), element("text", { key: "stroke", x: 14, y: 19, "text-anchor": "middle" }, "?")],
    device: [element("rect", { key: "shape", x: 5, y: 6, width: 18, height: 16, rx: 2 }), element("path", { key: "stroke", d: "M3 25 25 3" })],
    result: [element("circle", { key: "shape", cx: 14, cy: 14, r: 10 }), element("path", { key: "stroke", d: "M9 14l4 4 7-8" })],
  };
  return element("svg", { key: "sign", class: `matter-sign ${kind}`, viewBox: "0 0 28 28", "aria-hidden": "true" }, shapes[kind] ?? shapes.unsure);
}

/** How long something has been so: seconds, minutes, then hours. */
export function ageText(since_ms, now_ms, say) {
  const past = Math.max(0, now_ms - since_ms);
  if (past < MINUTE_MS) {
    return say("age_s", { seconds: Math.floor(past / 1000) });
  }
  const minutes = Math.floor(past / MINUTE_MS);
  return minutes < 60 ? say("age_min", { minutes }) : say("age_h", { hours: Math.floor(minutes / 60) });
}

/** When something was told: minutes and seconds of the match. */
export function timeText(t_s) {
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const rest = `${two((t_s % HOUR_S) / 60)}:${two(t_s % 60)}`;
  return t_s < HOUR_S ? rest : `${Math.floor(t_s / HOUR_S)}:${rest}`;
}

/**
 * A board by itself.
 * @param {string} name
 * @param {string} position
 * @param {Object<string, any>} more of the view, such as its title
 */
export function boardOf(name, position, state, more = {}) {
  const layout = layoutFor(state.light_home ?? "bottom-right", null);
  return drawing({
    name, position, layout, game: gameOf(state), numbering: layout.front, bold: [], last: [], unsure: [], counts: {}, covered: [],
    take: [], put: [], arrows: [], dice: null, cube: null, description: "", ...more,
  });
}

/** The marks of a play on the board after it, and the arrows on the board before it. */
export function marksOf(turn) {
  const steps = turn?.steps ?? [];
  return { before: { arrows: turn?.legal === false ? steps.slice(0, 4) : [], numbering: turn?.player },
    after: turn?.legal === false ? { take: ends(steps).to, numbering: turn?.player } : { last: steps, numbering: turn?.player } };
}

/**
 * A board before or after something, with the camera's picture above it where there is one.
 * @param {{name: string, title: string, position: string, picture: {src: string, note: string}|null, more: Object}} shown
 */
export function figure(shown, state) {
  return element("figure", { key: shown.name, class: shown.picture ? "with-picture" : null },
    shown.picture ? element("img", { key: "picture", src: shown.picture.src, alt: shown.picture.alt }) : null,
    element("div", { key: "board", class: "board-holder" }, boardOf(shown.name, shown.position, state, { title: shown.title, ...shown.more })),
    element("figcaption", { key: "caption" }, element("b", { key: "title" }, shown.title),
      shown.picture ? element("span", { key: "note" }, shown.picture.note) : null));
}

/** The likeliest of what a turn may have been, drawn; the text beside it says the same in words. @returns {Tree|null} */
export function likelyList(likely, most = 2) {
  if (!likely?.length) {
    return null;
  }
  return element("ol", { key: "likely", class: "likely", "aria-hidden": "true" }, likely.slice(0, most).map(({ text, percent }, index) => element("li", { key: index },
    element("span", { key: "percent", class: "percent" }, `${percent} %`),
    element("svg", { key: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none" },
      element("rect", { key: "trough", class: "trough", width: 100, height: 8 }), element("rect", { key: "level", class: "level", width: percent, height: 8 })),
    element("span", { key: "play" }, text))));
}

/** What was told lately, the newest last. @returns {Tree|null} */
export function courseList(lines, say, most = 6) {
  if (!lines?.length) {
    return null;
  }
  return element("section", { key: "course", class: "course", "aria-label": say("course") },
    element("h3", { key: "head" }, say("course")),
    element("ol", { key: "lines" }, lines.slice(-most).map((line, index) => element("li", { key: `${line.t_s}-${index}` },
      element("span", { key: "t", class: "t" }, timeText(line.t_s)), element("span", { key: "text" }, line.text)))));
}

/** A player's name, score and clock on one line. */
export function scoreLine(state, clock, say) {
  const match = state.match;
  if (!match) {
    return null;
  }
  return element("dl", { key: "score", class: "score-line" }, ["light", "dark"].map((side) => element("div", { key: side, class: side },
    element("dt", { key: "name" }, match[side], state.on_turn === side && !match.winner ? element("span", { key: "turn", class: "on-turn" }, ` – ${say("on_turn")}`) : null),
    element("dd", { key: "points" }, match.score?.[side] ?? 0, clock ? element("span", { key: "clock", class: "time" }, clockText(clock[`${side}_s`])) : null))));
}
