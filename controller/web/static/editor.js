/** A position that a person puts together: checker by checker, or pile by pile. */

import { BAR, CHECKERS, OFF, opponent, read, write } from "./position.js";

/** @typedef {import("./position.js").Side} Side */

/**
 * A position on its way.
 * @typedef {Object} Draft
 * @property {{light: number[], dark: number[]}} counts on each side's own places
 * @property {Side|"none"} tool what a tap puts down; `none` takes away
 * @property {number} place the pile that is chosen: 1 to 24 as light counts, or the bar
 * @property {Side|null} onRoll
 * @property {Side|null} full the side that has no checker left to put down
 */

/** A draft that begins from a position. @returns {Draft} */
export function draft(position, onRoll) {
  return { counts: read(position), tool: "light", place: 6, onRoll, full: null };
}

/** The draft from another position; what was chosen stays. @returns {Draft} */
export function from(before, position) {
  return { ...before, counts: read(position), full: null };
}

/** A place as light counts in the numbering of a side. */
export function placeOf(side, place) {
  return side === "light" || place === BAR ? place : 25 - place;
}

/** How many checkers of a side lie on a place that is named as light counts. */
export function countAt(made, side, place) {
  return made.counts[side][placeOf(side, place)];
}

/** Whose pile is on a place; on the bar that of the tool, or whichever is there. @returns {Side|null} */
export function sideAt(made, place) {
  const sides = /** @type {Side[]} */ (["light", "dark"]).filter((side) => countAt(made, side, place));
  return sides.includes(/** @type {Side} */ (made.tool)) ? /** @type {Side} */ (made.tool) : sides[0] ?? null;
}

/** The draft after a tap on a place: a checker of the tool more, or one less. @returns {Draft} */
export function tapped(made, place) {
  const chosen = { ...made, place, full: null };
  if (place === OFF) {
    return made;
  }
  if (made.tool === "none") {
    const side = sideAt(made, place);
    return side ? withCount(chosen, side, countAt(made, side, place) - 1) : chosen;
  }
  return withCount(chosen, made.tool, countAt(made, made.tool, place) + 1);
}

/** The draft with so many checkers of a side on the chosen place; a pile of the other side leaves a point. @returns {Draft} */
export function withCount(made, side, count) {
  const own = [...made.counts[side]];
  const others = [...made.counts[opponent(side)]];
  const at = placeOf(side, made.place);
  const added = count - own[at];
  if (count < 0 || added > own[OFF]) {
    return { ...made, full: added > 0 ? side : null };
  }
  own[at] = count;
  own[OFF] -= added;
  if (count && made.place !== BAR) {
    const there = placeOf(opponent(side), made.place);
    others[OFF] += others[there];
    others[there] = 0;
  }
  const counts = side === "light" ? { light: own, dark: others } : { light: others, dark: own };
  return { ...made, counts, full: null };
}

/** The position that has been put together. @returns {string} */
export function positionOf(made) {
  return write(made.counts);
}

/** Whether both sides still have checkers to play with, and somebody is on roll. */
export function isWhole(made) {
  return made.onRoll !== null && ["light", "dark"].every((side) => made.counts[side][OFF] < CHECKERS);
}
