/**
 * Positions in 26 characters: points 1 to 24 as light counts them, light's bar, dark's bar; `B` is two light, `b` two dark.
 * Games that have them add `/pinned=5,13`, points with a checker under those of the other side, and `/hand=15,12`.
 */

export const BAR = 25;
export const OFF = 0;
export const CHECKERS = 15;

/** @typedef {"light"|"dark"} Side */
/** @typedef {{side: Side, from: number, to: number, hit?: boolean}} Step in the mover's own numbering, 25 the bar, 0 off */

/**
 * What a page needs to know of a game: how the sides go round the board, and how many checkers each has.
 * @typedef {{direction: "opposed"|"parallel", checkers: number, contact?: "hit"|"pin"}} Game
 */

/** @type {Game} */
export const BACKGAMMON = { direction: "opposed", checkers: CHECKERS };

/** The game that a state is of. @returns {Game} */
export function gameOf(state) {
  return state.match?.direction ? state.match : BACKGAMMON;
}

/**
 * A point in the numbering of a side, if it is light's, and light's, if it is that of the side; bar and off stay as they are.
 * @param {number} place
 * @param {Side} side
 * @param {Game} game
 */
export function sidePoint(place, side, game = BACKGAMMON) {
  if (side === "light" || place === BAR || place === OFF) {
    return place;
  }
  return game.direction === "parallel" ? (place > 12 ? place - 12 : place + 12) : 25 - place;
}

/** A place of one side as the other side counts it. */
export function othersPoint(place, game = BACKGAMMON) {
  return sidePoint(place, "dark", game);
}

/** The other side. @param {Side} side @returns {Side} */
export function opponent(side) {
  return side === "light" ? "dark" : "light";
}

/**
 * How many checkers each side has on its own points 1 to 24, on the bar (25) and off (0); which points hold a checker
 * under those of the other side, as light counts them, and how many checkers of each side have not been entered.
 * @param {string} compact
 * @param {Game} game
 * @returns {{light: number[], dark: number[], pinned: number[], hand: {light: number, dark: number}}}
 */
export function read(compact, game = BACKGAMMON) {
  const [light, dark] = /hand=(\d+),(\d+)/.exec(compact)?.slice(1).map(Number) ?? [0, 0];
  const pinned = /pinned=([\d,]+)/.exec(compact)?.[1].split(",").map(Number) ?? [];
  const counts = { light: Array(26).fill(0), dark: Array(26).fill(0), pinned, hand: { light, dark } };
  for (let place = 0; place < 26; place += 1) {
    const letter = compact.charCodeAt(place);
    if (letter >= 65 && letter <= 79) {
      counts.light[place === 24 ? BAR : place + 1] = letter - 64;
    } else if (letter >= 97 && letter <= 111) {
      counts.dark[place === 25 ? BAR : sidePoint(place + 1, "dark", game)] = letter - 96;
    }
  }
  for (const side of ["light", "dark"]) {
    const there = counts[side].reduce((sum, count) => sum + count, 0) + counts.hand[side] + pinsOf(counts, side, game).length;
    counts[side][OFF] = Math.max(0, game.checkers - there);
  }
  return counts;
}

/** The points, as a side counts them, on which a checker of that side lies under those of the other. @returns {number[]} */
export function pinsOf(counts, side, game = BACKGAMMON) {
  const over = opponent(side);
  return counts.pinned.filter((point) => counts[over][sidePoint(point, over, game)]).map((point) => sidePoint(point, side, game));
}

/** The same counts as a position. @returns {string} */
export function write(counts, game = BACKGAMMON) {
  const letters = Array(26).fill(".");
  for (let place = 0; place < 24; place += 1) {
    const light = counts.light[place + 1];
    const dark = counts.dark[sidePoint(place + 1, "dark", game)];
    letters[place] = light ? String.fromCharCode(64 + light) : dark ? String.fromCharCode(96 + dark) : ".";
  }
  letters[24] = counts.light[BAR] ? String.fromCharCode(64 + counts.light[BAR]) : ".";
  letters[25] = counts.dark[BAR] ? String.fromCharCode(96 + counts.dark[BAR]) : ".";
  const { pinned = [], hand = { light: 0, dark: 0 } } = counts;
  const under = [...pinned].sort((one, two) => one - two).join(",");
  return letters.join("") + (under ? `/pinned=${under}` : "") + (hand.light || hand.dark ? `/hand=${hand.light},${hand.dark}` : "");
}

/**
 * The position after some steps, or null if they cannot be made in it.
 * @param {string} compact
 * @param {Step[]} steps
 * @returns {string|null}
 */
export function after(compact, steps, game = BACKGAMMON) {
  return change(compact, steps, game, (counts, { side, from, to, hit }) => {
    const other = counts[opponent(side)];
    const possible = counts[side][from] > 0 && (!hit || other[othersPoint(to, game)] > 0);
    counts[side][from] -= 1;
    counts[side][to] += 1;
    if (hit) {
      other[othersPoint(to, game)] -= 1;
      other[BAR] += 1;
    }
    return possible;
  });
}

/** The position before some steps, or null if they cannot have led here. @returns {string|null} */
export function before(compact, steps, game = BACKGAMMON) {
  return change(compact, [...steps].reverse(), game, (counts, { side, from, to, hit }) => {
    const other = counts[opponent(side)];
    const possible = counts[side][to] > 0 && (!hit || other[BAR] > 0);
    counts[side][to] -= 1;
    counts[side][from] += 1;
    if (hit) {
      other[BAR] -= 1;
      other[othersPoint(to, game)] += 1;
    }
    return possible;
  });
}

function change(compact, steps, game, make) {
  const counts = read(compact, game);
  for (const step of steps) {
    if (!make(counts, step)) {
      return null;
    }
  }
  return write(counts, game);
}

/**
 * Where checkers left and where they came to lie, each place as often as checkers did; a checker that went on is named once.
 * @param {Step[]} steps
 * @returns {{from: Array<{side: Side, place: number}>, to: Array<{side: Side, place: number}>}}
 */
export function ends(steps) {
  const from = [];
  const to = [];
  for (const step of steps) {
    const went = to.findIndex(({ side, place }) => side === step.side && place === step.from);
    if (went >= 0) {
      to.splice(went, 1);
    } else {
      from.push({ side: step.side, place: step.from });
    }
    to.push({ side: step.side, place: step.to });
  }
  return { from, to };
}

/**
 * What is to be taken away and what is to be put down, so that a board that is seen becomes the one that is wanted.
 * @param {string} wanted
 * @param {string} seen
 * @param {Game} game
 * @returns {{take: Array<{side: Side, place: number}>, put: Array<{side: Side, place: number}>}}
 */
export function differences(wanted, seen, game = BACKGAMMON) {
  const [there, here] = [read(wanted, game), read(seen, game)];
  const take = [];
  const put = [];
  for (const side of /** @type {Side[]} */ (["light", "dark"])) {
    for (let place = 1; place <= BAR; place += 1) {
      const missing = there[side][place] - here[side][place];
      for (let count = 0; count < Math.abs(missing); count += 1) {
        (missing > 0 ? put : take).push({ side, place });
      }
    }
  }
  return { take, put };
}
