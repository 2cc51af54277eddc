/** The board as a drawing: where everything lies in each layout, what it looks like in each state, how checkers move. */

import { element, sync } from "./elements.js";
import { listeners } from "./hand.js";
import { BACKGAMMON, BAR, OFF, before, ends, opponent, othersPoint, pinsOf, read, sidePoint, write } from "./position.js";

/** @typedef {import("./position.js").Side} Side */
/** @typedef {import("./position.js").Step} Step */

/**
 * How the board lies on the page.
 * @typedef {Object} Layout
 * @property {Side} front whose side is in front, below where the board lies
 * @property {boolean} homeLeft whether the home boards are on the left of whoever sits in front
 * @property {boolean} upright turned by a quarter: points are rows, and there are no trays
 */

/**
 * Everything that is drawn. Points are light's unless a side is named with them.
 * @typedef {Object} View
 * @property {string} name tells the drawings of one page apart
 * @property {Layout} layout
 * @property {string} position
 * @property {import("./position.js").Game} [game] backgammon, if it is left out
 * @property {Side} numbering whose numbers the rim has
 * @property {number[]} [bold] numbers on the rim that words name, in that side's numbering
 * @property {Step[]} [last] the play whose marks are shown
 * @property {number[]} [unsure]
 * @property {Object<string, number[]>} [counts] what the piles of points that are not sure may be
 * @property {number[]} [covered]
 * @property {Array<number|string>} [hints] points that a learner is shown, and bars and trays by their lamps, such as `bar-dark`
 * @property {Array<{side: Side, place: number}>} [take] checkers that must leave, own numbering of the side
 * @property {Array<{side: Side, place: number}>} [put] where checkers belong
 * @property {Array<{side: Side, from: number, to: number}>} [arrows]
 * @property {{side: Side|null, values: number[], played: boolean, sure: boolean}|null} [dice]
 * @property {{value: number, owner: Side|null, in_play: boolean, offer: Object|null, face?: number}|null} [cube] `face`: what is up on it
 * @property {boolean} [empty] nothing is known of the checkers, not even that they are off
 * @property {{light: number, dark: number}} [off] checkers that are off, where the position alone does not tell
 * @property {boolean} [faded]
 * @property {string|null} [line] a sentence in the middle of the field
 * @property {string} [title]
 * @property {string} [description]
 * @property {((place: number, side: Side|null) => void)|null} [tap] called with a place, in the numbering of the rim, and
 *   with whose checkers lie there that may be moved
 * @property {((from: number, to: number, side: Side) => void)|null} [carry] called when a checker of a side was dragged
 *   from one place to another, in the numbering of the rim; goes with `tap`
 * @property {Side|null} [mover] whose checkers alone may be moved; if it is left out, those of both
 * @property {number|null} [chosen] a place that was tapped, in the numbering of the rim
 * @property {number[]} [landings] where the checker that was chosen may land, in the numbering of the rim
 * @property {(place: number, side: Side|null, count: number) => string} [placeName] what a place is called for those who hear it
 */

const U = 100;
const HALF = 6 * U;
const BAR_WIDTH = 110;
const LENGTH = 2 * HALF + BAR_WIDTH;
const DEPTH = 11 * U;
const POINT = 472;
const TAP = 490;
const CHECKER = 92;
const RADIUS = CHECKER / 2;
const MOST_DRAWN = 5;
const MOST_ON_BAR = 3;
/** Of the sentence on the board, at the size that static/page.css gives it: a line, a letter at most, and beside it. */
const LINE = 72;
const LETTER = 36;
const LINE_ROOM = 60;
const STEP_MS = 200;
const CUBE_MS = 300;
const EASING = "cubic-bezier(.3,.1,.2,1)";

/**
 * How a board lies for whoever looks at it: players sit on their own side, all others where the camera sees it from.
 * @param {string} lightHome where light's home lies in the camera's picture, such as `bottom-right`
 * @param {Side|null} viewer
 * @param {{upright?: boolean, mirrored?: boolean}} wishes
 * @returns {Layout}
 */
export function layoutFor(lightHome, viewer, { upright = false, mirrored = false } = {}) {
  const nearest = lightHome.startsWith("top") ? "dark" : "light";
  const front = viewer ?? nearest;
  const turned = front !== nearest;
  return { front, homeLeft: (lightHome.endsWith("left") !== turned) !== mirrored, upright };
}

/**
 * Where things lie: along the board from the left of whoever sits in front, across it from their edge. The columns are
 * counted as the side in front counts its points in backgammon, whatever the game.
 * @param {Layout} layout
 * @param {import("./position.js").Game} game
 */
export function geometry(layout, game = BACKGAMMON) {
  const { front, homeLeft, upright } = layout;
  const edge = upright ? { x: 70, y: 25 } : { x: 150, y: 50 };
  const width = upright ? DEPTH + 2 * edge.x : LENGTH + 2 * edge.x;
  const height = upright ? LENGTH + 2 * edge.y : DEPTH + 2 * edge.y;

  function at(along, across) {
    if (!upright) {
      return { x: edge.x + along, y: edge.y + DEPTH - across };
    }
    // Turned towards the thumb: home comes to lie below.
    return homeLeft
      ? { x: edge.x + DEPTH - across, y: edge.y + LENGTH - along }
      : { x: edge.x + across, y: edge.y + along };
  }

  /** The column of a place that a side names. */
  function own(side, place) {
    const point = sidePoint(place, side, game);
    return front === "light" ? point : 25 - point;
  }

  /** What a side calls the point of a column. */
  function numberOf(side, column) {
    return sidePoint(front === "light" ? column : 25 - column, side, game);
  }

  /** Whether a side bears off where the side in front would in backgammon. */
  function leavesAtHome(side) {
    return game.direction === "opposed" || side === "light";
  }

  /** The middle of a column along the board. */
  function along(place) {
    const fromLeft = place <= 12 ? 12 - place : place - 13;
    const column = homeLeft ? 11 - fromLeft : fromLeft;
    return column * U + U / 2 + (column >= 6 ? BAR_WIDTH : 0);
  }

  function near(place) {
    return place <= 12;
  }

  const tray = { home: homeLeft ? -70 : LENGTH + 70, other: homeLeft ? LENGTH + 70 : -70 };
  const middle = HALF + BAR_WIDTH / 2;

  /** The tray of the checkers that a side has borne off. */
  function trayOf(side) {
    return leavesAtHome(side) ? tray.home : tray.other;
  }

  /** The middle of the checker number `index`, counted from the rim, of a side on one of its own places. */
  function slot(side, place, index) {
    if (place === BAR) {
      const away = 125 + Math.min(index, MOST_ON_BAR - 1) * CHECKER;
      return at(middle, DEPTH / 2 + (side === front ? away : -away));
    }
    if (place === OFF) {
      const across = upright ? -60 : 30 + Math.min(index, 14) * 27;
      const nearby = near(own(side, 1));
      return at(upright ? along(own(side, 1)) : trayOf(side), nearby ? across : DEPTH - across);
    }
    const seen = own(side, place);
    const across = RADIUS + 1 + Math.min(index, MOST_DRAWN - 1) * CHECKER;
    return at(along(seen), near(seen) ? across : DEPTH - across);
  }

  /** The half of the board for what belongs to one side: at the right hand of each, or below and above. */
  function half(side) {
    const right = side === front;
    const left = upright ? homeLeft === right : !right;
    return left ? HALF / 2 : LENGTH - HALF / 2;
  }

  return { width, height, at, own, numberOf, along, near, slot, half, tray, trayOf, middle, front, upright, homeLeft, game };
}

/**
 * The drawing of a board.
 * @param {View} view
 * @returns {import("./elements.js").Tree}
 */
export function drawing(view) {
  const place = geometry(view.layout, view.game);
  const questioned = new Set((view.take ?? []).map(({ side }) => side));
  return element(
    "svg",
    {
      key: view.name,
      class: `board${view.faded ? " faded" : ""}${view.layout.upright ? " upright" : ""}`,
      viewBox: `0 0 ${place.width} ${place.height}`,
      role: view.tap ? "group" : "img",
      "aria-labelledby": `${view.name}-title`,
      "aria-describedby": `${view.name}-desc`,
      "data-questioned": [...questioned].join(" ") || null,
    },
    element("title", { id: `${view.name}-title` }, view.title ?? ""),
    element("desc", { id: `${view.name}-desc` }, view.description ?? ""),
    hatch(view),
    element("g", { key: "ground", class: "ground" }, ground(place), rim(place, view)),
    element("g", { key: "things", class: "things" },
      coveredGround(place, view),
      hints(place, view),
      checkers(place, view), offs(place, view), lastMarks(place, view), unsureMarks(place, view),
      element("g", { key: "cube" }, cube(place, view)),
      element("g", { key: "dice" }, dice(place, view)),
      putMarks(place, view), arrows(place, view)),
    view.line ? sentence(place, view.line) : null,
    view.tap ? element("g", { key: "taps", class: "taps" }, taps(place, view)) : null,
  );
}

/** A sentence across the middle of the board, in as many lines as it needs to stay on it. */
function sentence(place, text) {
  const { x, y } = place.at(place.middle, DEPTH / 2);
  const most = Math.floor((place.width - 2 * LINE_ROOM) / LETTER);
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > most && lines.at(-1)) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = longer;
    }
  }
  return element("g", { key: "line", class: "line" }, lines.map((line, index) => element("text", {
    key: index, x, y: y + 18 + (index - (lines.length - 1) / 2) * LINE, "text-anchor": "middle",
  }, line)));
}

function hatch(view) {
  return element("defs", { key: "defs" },
    element("pattern", { id: `${view.name}-hatch`, width: 20, height: 20, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      element("rect", { width: 20, height: 20, class: "hatch-ground" }),
      element("rect", { width: 10, height: 20, class: "hatch-line" })));
}

function box(place, along, across, length, depth, attributes) {
  const [one, two] = [place.at(along, across), place.at(along + length, across + depth)];
  return element("rect", {
    x: Math.min(one.x, two.x), y: Math.min(one.y, two.y),
    width: Math.abs(one.x - two.x), height: Math.abs(one.y - two.y), ...attributes,
  });
}

function ground(place) {
  const parts = [
    element("rect", { key: "frame", class: "frame", width: place.width, height: place.height, rx: 20 }),
    box(place, 0, 0, HALF, DEPTH, { key: "field-1", class: "field", rx: 4 }),
    box(place, HALF + BAR_WIDTH, 0, HALF, DEPTH, { key: "field-2", class: "field", rx: 4 }),
  ];
  if (!place.upright) {
    for (const middle of [place.tray.home, place.tray.other]) {
      for (const across of [0, DEPTH / 2 + 40]) {
        parts.push(box(place, middle - 55, across, 110, DEPTH / 2 - 40, { key: `tray-${middle}-${across}`, class: "tray", rx: 8 }));
      }
    }
  }
  const [one, two] = [place.at(place.middle, -30), place.at(place.middle, DEPTH + 30)];
  parts.push(element("line", { key: "hinge", class: "hinge", x1: one.x, y1: one.y, x2: two.x, y2: two.y }));
  for (let point = 1; point <= 24; point += 1) {
    const along = place.along(point);
    const across = (depth) => (place.near(point) ? depth : DEPTH - depth);
    const corners = [[along - 49, 0], [along, POINT], [along + 49, 0]]
      .map(([length, depth]) => place.at(length, across(depth))).map(({ x, y }) => `${x},${y}`);
    parts.push(element("polygon", { key: `point-${point}`, class: point % 2 ? "point a" : "point b", points: corners.join(" ") }));
  }
  return parts;
}

function rim(place, view) {
  const bold = new Set(view.bold ?? []);
  const gap = place.upright ? 35 : 25;
  const numbers = Array.from({ length: 24 }, (_, index) => index + 1).map((point) => {
    const { x, y } = place.at(place.along(point), place.near(point) ? -gap : DEPTH + gap);
    const number = place.numberOf(view.numbering, point);
    return element("text", {
      key: `number-${point}`, class: bold.has(number) ? "number named" : "number", x, y: y + (place.upright ? 15 : 11), "text-anchor": "middle",
    }, number);
  });
  const corners = place.upright
    ? [place.at(place.middle, -gap), place.at(place.middle, DEPTH + gap)]
    : [place.at(place.tray.home, -gap), place.at(place.tray.other, DEPTH + gap)];
  return [numbers, corners.map(({ x, y }, index) => element("circle", {
    key: `whose-${index}`, class: `whose ${view.numbering}`, cx: x, cy: y, r: place.upright ? 17 : 13,
  }))];
}

/** What there is to draw of each pile. */
function* piles(view) {
  const counts = read(view.position, view.game);
  for (const side of /** @type {Side[]} */ (["light", "dark"])) {
    for (let place = 1; place <= BAR; place += 1) {
      if (counts[side][place]) {
        yield { side, place, count: counts[side][place] };
      }
    }
  }
}

function howOften(list, side, place) {
  return (list ?? []).filter((each) => each.side === side && each.place === place).length;
}

function checkers(place, view) {
  const moved = ends(view.last ?? []).to;
  const covered = new Set(view.covered ?? []);
  const drawn = [];
  const pinned = { light: pinsOf(read(view.position, view.game), "dark", view.game), dark: pinsOf(read(view.position, view.game), "light", view.game) };
  for (const pile of piles(view)) {
    const under = pile.place !== BAR && pinned[pile.side].includes(othersPoint(pile.place, view.game));
    if (under) {
      // The checker below shows as a ring of its colour around the lowest one above it.
      drawn.push(checker({ key: `pinned-${pile.side}-${pile.place}`, side: opponent(pile.side), ...place.slot(pile.side, pile.place, 0), extra: " pinned" }));
    }
    const most = pile.place === BAR ? MOST_ON_BAR : MOST_DRAWN;
    const visible = Math.min(pile.count, most);
    const leave = howOften(view.take, pile.side, pile.place);
    const dots = howOften(moved, pile.side, pile.place);
    const hidden = pile.place !== BAR && covered.has(sidePoint(pile.place, pile.side, view.game));
    for (let index = 0; index < visible; index += 1) {
      const fromTop = visible - 1 - index;
      const top = fromTop === 0;
      const either = view.counts?.[sidePoint(pile.place, pile.side, view.game)];
      const text = top && either ? either.join("–") : top && pile.count > most ? String(pile.count) : null;
      drawn.push(checker({
        key: `${pile.side}-${pile.place}-${index}`,
        pile: `${pile.side}-${pile.place}`,
        side: pile.side,
        ...place.slot(pile.side, pile.place, index),
        text,
        wrong: fromTop < leave ? view.name : null,
        dot: fromTop < dots && !text,
        small: under && index === 0,
        extra: `${pile.place === BAR ? " on-bar" : ""}${hidden ? " covered" : ""}`,
      }));
    }
  }
  return drawn;
}

/** One checker; `wrong` names the drawing whose hatch it wears. */
export function checker({ key, side, x, y, pile = null, text = null, wrong = null, dot = false, small = false, extra = "" }) {
  return element("g", { key, "data-pile": pile, class: `checker ${side}${wrong ? " wrong" : ""}${extra}`, transform: `translate(${x} ${y})${small ? " scale(0.74)" : ""}` },
    element("circle", { key: "disc", class: "disc", r: RADIUS - 1.5 }),
    wrong ? element("circle", { key: "hatched", class: "hatched", r: RADIUS - 1.5, fill: `url(#${wrong}-hatch)` }) : null,
    text || wrong ? null : element("circle", { key: "ring", class: "ring", r: (RADIUS - 1.5) * 0.62 }),
    dot ? element("circle", { key: "dot", class: "dot", r: 15 }) : null,
    text ? element("text", { key: "count", class: text.length > 2 ? "count long" : "count", y: text.length > 2 ? 12 : 17, "text-anchor": "middle" }, text) : null);
}

function offs(place, view) {
  if (place.upright || view.empty) {
    return null;
  }
  const counts = read(view.position, view.game);
  const off = view.off ?? { light: counts.light[OFF], dark: counts.dark[OFF] };
  const sides = /** @type {Side[]} */ (["light", "dark"]);
  return [
    sides.map((side) => row(place, `off-${side}`, side, off[side], place.trayOf(side), place.near(place.own(side, 1)))),
    // What has not been entered waits beyond the bar, on its owner's edge.
    sides.map((side) => row(place, `hand-${side}`, side, counts.hand[side], place.tray.other, side === place.front)),
  ];
}

/** Checkers of a side on their edges in a tray, with their number; nothing without checkers. */
function row(place, key, side, count, tray, near) {
  if (!count) {
    return null;
  }
  const bars = Array.from({ length: count }, (_, index) => {
    const across = 18 + index * 27;
    return box(place, tray - 44, near ? across : DEPTH - across - 23, 88, 23, { key: index, class: `off ${side}`, rx: 5 });
  });
  const across = 18 + count * 27 + 30;
  const { x, y } = place.at(tray, near ? across : DEPTH - across);
  return element("g", { key }, bars,
    element("text", { key: "count", class: "number named", x, y: y + 12, "text-anchor": "middle" }, count));
}

function lastMarks(place, view) {
  const counts = read(view.position, view.game);
  const rings = new Map();
  return ends(view.last ?? []).from.filter((each) => each.place !== BAR).map(({ side, place: point }) => {
    const key = `${side}-${point}`;
    const other = counts[opponent(side)][othersPoint(point, view.game)];
    const index = counts[side][point] + other + (rings.get(key) ?? 0);
    rings.set(key, (rings.get(key) ?? 0) + 1);
    const { x, y } = place.slot(side, point, index);
    return index >= MOST_DRAWN ? null : element("circle", { key: `left-${key}-${index}`, class: "left", cx: x, cy: y, r: RADIUS - 6 });
  });
}

function coveredGround(place, view) {
  return (view.covered ?? []).map((point) => {
    const seen = place.own("light", point);
    return box(place, place.along(seen) - 48, place.near(seen) ? 0 : DEPTH - 500, 96, 500, { key: `covered-${point}`, class: "cover", rx: 10 });
  });
}

/** Points that a learner is shown; the words beside the board say what for. */
function hints(place, view) {
  return (view.hints ?? []).map((point) => {
    const look = { key: `hint-${point}`, class: "hint", rx: 10 };
    const [kind, side] = String(point).split("-");
    if (kind === "bar") {
      return box(place, HALF + 6, side === place.front ? DEPTH / 2 + 70 : DEPTH / 2 - 470, BAR_WIDTH - 12, 400, look);
    }
    if (kind === "tray") {
      const near = place.near(place.own(side, 1));
      return place.upright ? null : box(place, place.trayOf(side) - 52, near ? 3 : DEPTH / 2 + 43, 104, DEPTH / 2 - 46, look);
    }
    const seen = place.own("light", Number(point));
    return box(place, place.along(seen) - 46, place.near(seen) ? 3 : DEPTH - 493, 92, 490, look);
  });
}

function unsureMarks(place, view) {
  const counts = read(view.position, view.game);
  return (view.unsure ?? []).map((point) => {
    const seen = place.own("light", point);
    const count = Math.min(MOST_DRAWN, Math.max(1, counts.light[point], counts.dark[sidePoint(point, "dark", view.game)]));
    const depth = count * CHECKER + 6;
    const outline = (name) => box(place, place.along(seen) - 50, place.near(seen) ? -2 : DEPTH - depth + 2, 100, depth, { key: name, class: name, rx: 14 });
    const end = depth + 30;
    const { x, y } = place.at(place.along(seen), place.near(seen) ? end : DEPTH - end);
    return element("g", { key: `unsure-${point}`, class: "unsure" }, outline("keyline"), outline("dashes"), query(x, y));
  });
}

function query(x, y) {
  return element("g", { key: "query", class: "query", transform: `translate(${x} ${y})` },
    element("circle", { r: 27 }), element("text", { y: 14, "text-anchor": "middle" }, "?"));
}

/** Where each checker that is to be put down will lie: on top of what stays there. */
function putSlots(place, view) {
  const counts = read(view.position, view.game);
  const filled = new Map();
  return (view.put ?? []).map(({ side, place: point }) => {
    const key = `${side}-${point}`;
    const stays = point === OFF ? counts[side][OFF] : counts[side][point] - howOften(view.take, side, point);
    const index = Math.min(stays + (filled.get(key) ?? 0), point === BAR ? MOST_ON_BAR - 1 : point === OFF ? 14 : MOST_DRAWN - 1);
    filled.set(key, (filled.get(key) ?? 0) + 1);
    return { key: `${key}-${filled.get(key)}`, side, ...place.slot(side, point, index) };
  });
}

function putMarks(place, view) {
  return putSlots(place, view).map(({ key, x, y }) => element("g", { key: `put-${key}`, class: "put", transform: `translate(${x} ${y})` },
    element("circle", { key: "under", class: "under", r: RADIUS - 4 }), element("circle", { key: "hollow", class: "hollow", r: RADIUS - 4 }),
    element("line", { key: "a", x1: -15, x2: 15 }), element("line", { key: "b", y1: -15, y2: 15 })));
}

function arrows(place, view) {
  const counts = read(view.position, view.game);
  const targets = putSlots(place, view);
  return (view.arrows ?? []).map((arrow, index) => {
    const most = arrow.from === BAR ? MOST_ON_BAR : MOST_DRAWN;
    const from = place.slot(arrow.side, arrow.from, Math.max(0, Math.min(counts[arrow.side][arrow.from], most) - 1));
    const to = targets.find((target) => target.key.startsWith(`${arrow.side}-${arrow.to}-`)) ?? place.slot(arrow.side, arrow.to, counts[arrow.side][arrow.to]);
    return element("g", { key: `arrow-${index}`, class: "arrow" }, arrowParts(from, to, place.at(place.middle, DEPTH / 2)));
  });
}

function arrowParts(from, to, centre) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  // Short arrows keep off the checkers along the rim: they bend towards the middle of the board.
  const inwards = (from.y - to.y) * (centre.x - from.x) + dx * (centre.y - from.y) > 0;
  const bend = Math.min(90, length * 0.18) * (length < 450 && !inwards ? -1 : 1);
  const via = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
  const start = towards(from, via, RADIUS + 4);
  const tip = towards(to, via, RADIUS + 2);
  const neck = towards(tip, via, 24);
  const [ux, uy] = [(tip.x - neck.x) / 24, (tip.y - neck.y) / 24];
  const path = `M${round(start.x)} ${round(start.y)}Q${round(via.x)} ${round(via.y)} ${round(neck.x)} ${round(neck.y)}`;
  const head = [[tip.x, tip.y], [neck.x - uy * 15, neck.y + ux * 15], [neck.x + uy * 15, neck.y - ux * 15]]
    .map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
  return [
    element("path", { key: "keyline", class: "keyline", d: path }), element("polygon", { key: "headline", class: "head keyline", points: head }),
    element("path", { key: "shaft", class: "shaft", d: path }), element("polygon", { key: "head", class: "head", points: head }),
  ];
}

function towards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / length) * distance, y: from.y + ((to.y - from.y) / length) * distance };
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/** What is up on a cube: one that nobody has turned shows 64 where the table does not tell. */
export function cubeFace({ value, owner, face }) {
  return face ?? (owner === null && value === 1 ? 64 : value);
}

function cube(place, view) {
  if (!view.cube || !view.cube.in_play) {
    return null;
  }
  const { owner, offer } = view.cube;
  if (offer) {
    const { x, y } = place.at(place.half(offer.by), DEPTH / 2);
    return element("g", { key: "offered", class: "cube offered", transform: `translate(${x} ${y})` },
      element("circle", { class: "disc", r: 150 }), element("rect", { x: -100, y: -100, width: 200, height: 200, rx: 26 }),
      element("text", { y: 36, "text-anchor": "middle" }, offer.value));
  }
  const { x, y } = cubeHome(place, owner);
  const shown = String(cubeFace(view.cube));
  // Between the players it lies for neither of them: turned by a quarter.
  return element("g", { key: "cube", class: "cube", transform: `translate(${x} ${y})${owner ? "" : " rotate(-90)"}` },
    element("rect", { x: -42, y: -42, width: 84, height: 84, rx: 11 }),
    element("text", { class: shown.length > 2 ? "long" : null, y: shown.length > 2 ? 13 : 17, "text-anchor": "middle" }, shown));
}

/** Where the cube lies: in the middle of its tray, or at the edge of its owner. */
function cubeHome(place, owner) {
  const across = owner === null ? DEPTH / 2 : owner === place.front ? 62 : DEPTH - 62;
  return place.at(place.upright ? place.middle : place.tray.other, across);
}

function dice(place, view) {
  if (!view.dice) {
    return null;
  }
  const { side, values, played, sure } = view.dice;
  return values.map((value, index) => {
    const whose = side ?? (index === 0 ? "light" : "dark");
    const along = place.half(whose) + (side ? (index - (values.length - 1) / 2) * 127 : 0);
    return die({ key: `die-${index}`, side: whose, value, sure, ...place.at(along, DEPTH / 2), extra: played ? " played" : "" });
  });
}

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** One die, 93 wide; what is not sure has dashes and a question mark. */
export function die({ key, side, value, sure = true, x = 50, y = 50, extra = "" }) {
  return element("g", { key, class: `die ${side}${sure ? "" : " doubtful"}${extra}`, transform: `translate(${x} ${y})` },
    element("rect", { key: "face", x: -46.5, y: -46.5, width: 93, height: 93, rx: 17 }),
    (PIPS[value] ?? []).map(([column, row], index) => element("circle", { key: index, class: "pip", cx: column * 25, cy: row * 25, r: 9.5 })),
    sure ? null : element("g", { key: "query", class: "query", transform: "translate(44 -44)" },
      element("circle", { r: 24 }), element("text", { y: 13, "text-anchor": "middle" }, "?")));
}

/** The places that are tapped, and between which checkers are dragged: one stop of the tab key, arrows lead on. */
function taps(place, view) {
  const counts = read(view.position, view.game);
  const may = (side) => side === (view.mover ?? side);
  const own = (side, number) => sidePoint(sidePoint(number, view.numbering, view.game), side, view.game);
  const heldBy = (number) => /** @type {Side[]} */ (["light", "dark"]).find((side) => counts[side][own(side, number)]) ?? null;
  const areas = [];
  const add = (key, number, side, [along, across, length, depth]) => {
    const count = side ? counts[side][own(side, number)] : 0;
    const free = count && number !== OFF && may(side) ? side : null;
    const kinds = [number === view.chosen ? "chosen" : "", view.landings?.includes(number) ? "landing" : "", free && view.carry ? "movable" : ""];
    areas.push(box(place, along, across, length, depth, {
      key, class: ["tap", ...kinds].filter(Boolean).join(" "), rx: 8, role: "button", "data-place": number,
      "data-pile": free ? `${side}-${own(side, number)}` : null, tabindex: number === 1 ? 0 : -1,
      "aria-label": view.placeName?.(number, side, count) ?? String(number), "aria-pressed": number === view.chosen ? "true" : null,
      on: listeners(view, number, free),
    }));
  };
  for (let point = 1; point <= 24; point += 1) {
    const number = place.numberOf(view.numbering, point);
    add(`tap-${point}`, number, heldBy(number), [place.along(point) - 50, place.near(point) ? -40 : DEPTH - TAP, 100, TAP + 40]);
  }
  for (const side of /** @type {Side[]} */ (["light", "dark"])) {
    // On the bar and in the trays each side has its own half.
    add(`tap-bar-${side}`, BAR, side, [HALF, side === place.front ? DEPTH / 2 : 0, BAR_WIDTH, DEPTH / 2]);
    const [home, near] = [place.own(side, 1), place.near(place.own(side, 1))];
    if (place.upright) {
      // There are no trays: the edge beside the home board stands for them, and whatever is let go of beyond it.
      const start = Math.min(place.along(home), place.along(place.own(side, 6))) - U / 2;
      add(`tap-off-${side}`, OFF, side, [start, near ? -70 : DEPTH + 40, HALF, 30]);
    } else {
      add(`tap-off-${side}`, OFF, side, [place.trayOf(side) - 55, near ? 0 : DEPTH / 2, 110, DEPTH / 2]);
    }
  }
  return areas;
}

/** A board in a document: shows a view at once, or moves to it by the steps of a play. */
export class BoardOnPage {
  /** @param {Element} holder an element that holds nothing else */
  constructor(holder) {
    this.holder = holder;
    this.view = null;
    this.motion = null;
  }

  /** Show a view; a motion that is on ends. @param {View} view */
  show(view) {
    this.motion?.cancel();
    this.motion = null;
    const earlier = this.view;
    this.view = view;
    sync(this.holder, [drawing(view)]);
    this.bring(earlier);
  }

  /**
   * Show a view, moving to it by steps where they lead from what is shown now to it and motion is wanted.
   * @param {View} view
   * @param {Step[]} steps
   */
  move(view, steps) {
    const start = steps.length ? before(view.position, steps, view.game) : null;
    if (start === null || start !== this.view?.position || !mayMove()) {
      this.show(view);
      return;
    }
    this.motion?.cancel();
    this.view = view;
    const motion = new Motion(this.holder, view, start, steps);
    this.motion = motion;
    motion.run().then((whole) => whole && this.motion === motion && this.show(view));
  }

  /** Show a view unless a motion leads to just that. @param {View} view */
  renew(view) {
    if (!this.motion || JSON.stringify(view) !== JSON.stringify(this.view)) {
      this.show(view);
    }
  }

  /** A cube that is offered comes from its place; it is readable at once. */
  bring(earlier) {
    const { cube: now, layout } = this.view;
    const node = this.holder.querySelector(".cube.offered");
    if (!node || !now.offer || !earlier?.cube?.in_play || earlier.cube.offer || !mayMove()) {
      return;
    }
    const place = geometry(layout, this.view.game);
    const [start, end] = [cubeHome(place, earlier.cube.owner), place.at(place.half(now.offer.by), DEPTH / 2)];
    node.animate(
      [
        { transform: `translate(${start.x}px, ${start.y}px) scale(0.42)` },
        { transform: `translate(${end.x}px, ${end.y}px) scale(1)` },
      ],
      { duration: CUBE_MS, easing: EASING },
    );
  }
}

function mayMove() {
  return !document.hidden && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

class Motion {
  constructor(holder, view, start, steps) {
    this.holder = holder;
    this.view = view;
    this.counts = read(start, view.game);
    this.steps = steps;
    this.cancelled = false;
    this.animation = null;
  }

  cancel() {
    this.cancelled = true;
    this.animation?.cancel();
  }

  /** @returns {Promise<boolean>} whether the motion came to its end */
  async run() {
    for (const { side, from, to, hit } of this.steps) {
      const other = opponent(side);
      await this.carry(side, from, to, hit ? { side: other, place: othersPoint(to, this.view.game) } : null);
      if (hit) {
        await this.carry(other, othersPoint(to, this.view.game), BAR, null);
      }
      if (this.cancelled) {
        return false;
      }
    }
    return true;
  }

  async carry(side, from, to, under) {
    if (this.cancelled) {
      return;
    }
    const place = geometry(this.view.layout, this.view.game);
    this.counts[side][from] -= 1;
    const start = place.slot(side, from, this.counts[side][from]);
    const end = place.slot(side, to, under ? 0 : this.counts[side][to]);
    const moving = checker({ key: "moving", side, ...end, extra: " moving" });
    const off = { light: this.counts.light[OFF], dark: this.counts.dark[OFF] };
    const tree = drawing({ ...this.view, position: write(this.counts, this.view.game), off, last: [], take: [], put: [], arrows: [], unsure: [] });
    tree.children.push(moving);
    sync(this.holder, [tree]);
    const node = this.holder.querySelector(".moving");
    try {
      this.animation = node.animate(
        [{ transform: `translate(${start.x}px, ${start.y}px)` }, { transform: `translate(${end.x}px, ${end.y}px)` }],
        { duration: STEP_MS, easing: EASING },
      );
      await this.animation.finished;
    } catch {
      this.cancelled = true;
    }
    this.counts[side][to] += 1;
  }
}
