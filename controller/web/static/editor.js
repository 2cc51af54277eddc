/** A position that a person puts together: checker by checker, or pile by pile. */

import { BACKGAMMON, BAR, OFF, opponent, read, sidePoint, write } from "./position.js";

/** @typedef {import("./position.js").Side} Side */

/**
 * A position on its way.
 * @typedef {Object} Draft
 * @property {import("./position.js").Game} game
 * @property {ReturnType<typeof read>} counts on each side's own places
 * @property {Side|"none"} tool what a tap puts down; `none` takes away
 * @property {number} place the pile that is chosen: 1 to 24 as light counts, or the bar
 * @property {Side|null} onRoll
 * @property {Side|null} full the side that has no checker left to put down
 */

/** A draft that begins from a position. @returns {Draft} */
export function draft(position, onRoll, game = BACKGAMMON) {
  return { game, counts: read(position, game), tool: "light", place: 6, onRoll, full: null };
}

/** The draft from another position; what was chosen stays. @returns {Draft} */
export function from(before, position) {
  return { ...before, counts: read(position, before.game), full: null };
}

/** How many checkers of a side lie on a place that is named as light counts. */
export function countAt(made, side, place) {
  return made.counts[side][sidePoint(place, side, made.game)];
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

/** The draft after a checker of a side was dragged from one place to another, both as light counts. @returns {Draft} */
export function carried(made, side, start, to) {
  const taken = withCount({ ...made, place: start }, side, countAt(made, side, start) - 1);
  return to === OFF ? taken : withCount({ ...taken, place: to }, side, countAt(taken, side, to) + 1);
}

/** The draft with this many checkers of a side on the chosen place; a pile of the other side leaves a point. @returns {Draft} */
export function withCount(made, side, count) {
  const own = [...made.counts[side]];
  const others = [...made.counts[opponent(side)]];
  const at = sidePoint(made.place, side, made.game);
  const added = count - own[at];
  if (count < 0 || added > own[OFF]) {
    return { ...made, full: added > 0 ? side : null };
  }
  own[at] = count;
  own[OFF] -= added;
  if (count && made.place !== BAR) {
    const there = sidePoint(made.place, opponent(side), made.game);
    others[OFF] += others[there];
    others[there] = 0;
  }
  const counts = side === "light" ? { ...made.counts, light: own, dark: others } : { ...made.counts, light: others, dark: own };
  const freed = { ...made, counts, full: null };
  return (count === 0 || others[OFF] !== made.counts[opponent(side)][OFF]) && isPinned(made) ? withPin(made, freed) : freed;
}

/** Whether a checker lies under the pile that is chosen. */
export function isPinned(made) {
  return made.counts.pinned.includes(made.place);
}

/** The draft with a checker of the other side under the chosen pile, or without the one that is there. @returns {Draft} */
export function pinned(made) {
  return sideAt(made, made.place) && made.place !== BAR ? withPin(made, made) : made;
}

/** A draft with the pin of the chosen place turned; it belongs to the side that is not on top in `before`. */
function withPin(before, made) {
  const under = opponent(/** @type {Side} */ (sideAt({ ...before, tool: "none" }, before.place)));
  const there = isPinned(before);
  if (!there && !made.counts[under][OFF]) {
    return { ...made, full: under };
  }
  const own = [...made.counts[under]];
  own[OFF] += there ? 1 : -1;
  const points = there ? made.counts.pinned.filter((point) => point !== before.place) : [...made.counts.pinned, before.place];
  return { ...made, counts: { ...made.counts, [under]: own, pinned: points }, full: null };
}

/** The draft with this many checkers of a side that are not entered yet. @returns {Draft} */
export function withHand(made, side, count) {
  const own = [...made.counts[side]];
  const added = count - made.counts.hand[side];
  if (added > own[OFF]) {
    return { ...made, full: side };
  }
  own[OFF] -= added;
  return { ...made, counts: { ...made.counts, [side]: own, hand: { ...made.counts.hand, [side]: count } }, full: null };
}

/** The position that has been put together. @returns {string} */
export function positionOf(made) {
  return write(made.counts, made.game);
}

/** Whether both sides still have checkers to play with, and somebody is on roll. */
export function isWhole(made) {
  return made.onRoll !== null && ["light", "dark"].every((side) => made.counts[side][OFF] < made.game.checkers);
}
