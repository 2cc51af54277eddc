/** Positions in 26 characters: points 1 to 24 as light counts them, light's bar, dark's bar; `B` is two light, `b` two dark. */

export const BAR = 25;
export const OFF = 0;
export const CHECKERS = 15;

/** @typedef {"light"|"dark"} Side */
/** @typedef {{side: Side, from: number, to: number, hit?: boolean}} Step in the mover's own numbering, 25 the bar, 0 off */

/** The other side. @param {Side} side @returns {Side} */
export function opponent(side) {
  return side === "light" ? "dark" : "light";
}

/**
 * How many checkers each side has on its own points 1 to 24, on the bar (25) and off (0).
 * @param {string} compact
 * @returns {{light: number[], dark: number[]}}
 */
export function read(compact) {
  const counts = { light: Array(26).fill(0), dark: Array(26).fill(0) };
  for (let place = 0; place < 26; place += 1) {
    const letter = compact.charCodeAt(place);
    if (letter >= 65 && letter <= 79) {
      counts.light[place === 24 ? BAR : place + 1] = letter - 64;
    } else if (letter >= 97 && letter <= 111) {
      counts.dark[place === 25 ? BAR : 24 - place] = letter - 96;
    }
  }
  for (const side of ["light", "dark"]) {
    counts[side][OFF] = Math.max(0, CHECKERS - counts[side].reduce((sum, count) => sum + count, 0));
  }
  return counts;
}

/** The same counts as 26 characters. @param {{light: number[], dark: number[]}} counts @returns {string} */
export function write(counts) {
  const letters = Array(26).fill(".");
  for (let place = 0; place < 24; place += 1) {
    const light = counts.light[place + 1];
    const dark = counts.dark[24 - place];
    letters[place] = light ? String.fromCharCode(64 + light) : dark ? String.fromCharCode(96 + dark) : ".";
  }
  letters[24] = counts.light[BAR] ? String.fromCharCode(64 + counts.light[BAR]) : ".";
  letters[25] = counts.dark[BAR] ? String.fromCharCode(96 + counts.dark[BAR]) : ".";
  return letters.join("");
}

/**
 * The position after some steps, or null if they cannot be made in it.
 * @param {string} compact
 * @param {Step[]} steps
 * @returns {string|null}
 */
export function after(compact, steps) {
  return change(compact, steps, (counts, { side, from, to, hit }) => {
    const other = counts[opponent(side)];
    const possible = counts[side][from] > 0 && (!hit || other[25 - to] > 0);
    counts[side][from] -= 1;
    counts[side][to] += 1;
    if (hit) {
      other[25 - to] -= 1;
      other[BAR] += 1;
    }
    return possible;
  });
}

/** The position before some steps, or null if they cannot have led here. @returns {string|null} */
export function before(compact, steps) {
  return change(compact, [...steps].reverse(), (counts, { side, from, to, hit }) => {
    const other = counts[opponent(side)];
    const possible = counts[side][to] > 0 && (!hit || other[BAR] > 0);
    counts[side][to] -= 1;
    counts[side][from] += 1;
    if (hit) {
      other[BAR] -= 1;
      other[25 - to] += 1;
    }
    return possible;
  });
}

function change(compact, steps, make) {
  const counts = read(compact);
  for (const step of steps) {
    if (!make(counts, step)) {
      return null;
    }
  }
  return write(counts);
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
 * @returns {{take: Array<{side: Side, place: number}>, put: Array<{side: Side, place: number}>}}
 */
export function differences(wanted, seen) {
  const [there, here] = [read(wanted), read(seen)];
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
