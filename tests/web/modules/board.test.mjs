import assert from "node:assert/strict";
import { test } from "node:test";

import { drawing, geometry, layoutFor } from "../../../controller/web/static/board.js";
import { textOf } from "../../../controller/web/static/elements.js";
import { read } from "../../../controller/web/static/position.js";
import { boardView } from "../../../controller/web/static/state.js";
import { every, example, names, withClass } from "./examples.mjs";

const HOMES = ["bottom-right", "bottom-left", "top-right", "top-left"];
const PAGE = { upright: false, mirrored: false, silent: false, name: "board" };

function drawn(name, page = {}) {
  return drawing(boardView(example(name).state, { ...PAGE, ...page }));
}

function centre(tree) {
  const [, x, y] = /translate\((\S+) (\S+)\)/.exec(tree.attributes.transform);
  return { x: Number(x), y: Number(y) };
}

test("whoever looks from outside sees the board as the camera does", () => {
  assert.deepEqual(layoutFor("bottom-right", null), { front: "light", homeLeft: false, upright: false });
  assert.deepEqual(layoutFor("top-left", null), { front: "dark", homeLeft: true, upright: false });
});

test("a player sits in front, and the board is turned for him, not mirrored", () => {
  for (const home of HOMES) {
    const [light, dark] = [layoutFor(home, "light"), layoutFor(home, "dark")];
    assert.deepEqual([light.front, dark.front], ["light", "dark"]);
    assert.notEqual(light.homeLeft, dark.homeLeft, home);
    const [one, other] = [geometry(light), geometry(dark)];
    for (let place = 1; place <= 24; place += 1) {
      const [a, b] = [one.slot("light", place, 0), other.slot("light", place, 0)];
      assert.equal(a.x + b.x, one.width, `${home} ${place}`);
      assert.equal(a.y + b.y, one.height, `${home} ${place}`);
    }
  }
});

test("every place of every layout lies on the board, and no two points share one", () => {
  for (const front of ["light", "dark"]) {
    for (const homeLeft of [false, true]) {
      for (const upright of [false, true]) {
        const place = geometry({ front, homeLeft, upright });
        const seen = new Set();
        for (let point = 1; point <= 25; point += 1) {
          for (let index = 0; index < (point === 25 ? 3 : 5); index += 1) {
            const { x, y } = place.slot("light", point, index);
            assert.ok(x > 0 && x < place.width && y > 0 && y < place.height);
            seen.add(`${x},${y}`);
          }
        }
        assert.equal(seen.size, 24 * 5 + 3);
      }
    }
  }
});

test("an upright board has the home of whoever looks below", () => {
  for (const home of HOMES) {
    for (const side of ["light", "dark"]) {
      const place = geometry(layoutFor(home, side, { upright: true }));
      assert.ok(place.slot(side, 1, 0).y > place.slot(side, 12, 0).y, `${home} ${side}`);
    }
  }
});

test("both sides have their checkers on the same half of the bar as the points that they enter on", () => {
  for (const home of HOMES) {
    const place = geometry(layoutFor(home, null));
    for (const side of ["light", "dark"]) {
      const middle = place.height / 2;
      assert.equal(place.slot(side, 25, 0).y < middle, place.slot(side, 24, 0).y < middle, `${home} ${side}`);
    }
  }
});

test("every example is drawn in every layout with the checkers that it has", () => {
  for (const name of names()) {
    for (const upright of [false, true]) {
      for (const mirrored of [false, true]) {
        const view = boardView(example(name).state, { ...PAGE, upright, mirrored });
        const counts = read(view.position, view.game);
        const piles = ["light", "dark"].flatMap((side) => counts[side].map((count, place) => Math.min(count, place === 25 ? 3 : place ? 5 : 0)));
        const drawn = piles.reduce((sum, count) => sum + count, 0) + counts.pinned.length;
        assert.equal(withClass(drawing(view), "checker").length, drawn, name);
      }
    }
  }
});

test("a checker that is pinned shows in its colour below the pile on it", () => {
  for (const upright of [false, true]) {
    const pinned = withClass(drawing(boardView(example("plakoto").state, { ...PAGE, upright })), "pinned");
    const sides = pinned.map(({ attributes }) => (attributes.class.includes("light") ? "light" : "dark"));
    assert.deepEqual(sides.sort(), ["dark", "dark", "light", "light"]);
  }
});

test("where both sides go the same way round, the side behind counts from the middle of the other edge", () => {
  const { state } = example("fevga");
  for (const side of ["light", "dark"]) {
    const view = boardView({ ...state, viewer: { role: "player", side } }, { ...PAGE, upright: false });
    const numbers = new Map(withClass(drawing(view), "number").map(({ attributes, children }) => [children[0], attributes.y]));
    const place = geometry(view.layout, view.game);
    assert.equal(numbers.get("1") === numbers.get("24"), false);
    assert.equal(numbers.get("1") > place.height / 2, true, `${side} counts its home on its own edge`);
  }
});

test("no part of a drawing lies at a place that is not a number", () => {
  for (const name of names()) {
    for (const part of every(drawn(name))) {
      for (const value of Object.values(part.attributes)) {
        assert.ok(!String(value).includes("NaN") && !String(value).includes("undefined"), `${name}: ${JSON.stringify(part.attributes)}`);
      }
    }
  }
});

test("brothers in a drawing have keys of their own", () => {
  for (const name of names()) {
    for (const part of every(drawn(name))) {
      const keys = part.children.filter((child) => typeof child === "object" && child.attributes.key !== undefined)
        .map((child) => `${child.tag} ${child.attributes.key}`);
      assert.equal(new Set(keys).size, keys.length, `${name}: ${keys}`);
    }
  }
});

test("the last play has a ring where each checker came from and a dot on each that moved", () => {
  const board = drawn("playing");
  assert.equal(withClass(board, "left").length, 2);
  assert.equal(withClass(board, "dot").length, 2);
});

test("the checkers of an illegal play are hatched, and rings with a cross show where they belong", () => {
  const board = drawn("illegal");
  assert.equal(withClass(board, "wrong").length, 2);
  assert.equal(withClass(board, "put").length, 2);
  assert.equal(withClass(board, "arrow").length, 2);
  assert.equal(withClass(board, "left").length, 0);
});

test("of an illegal play of four steps one arrow is shown", () => {
  const board = drawn("illegal_four_steps");
  assert.equal(withClass(board, "wrong").length, 4);
  assert.equal(withClass(board, "arrow").length, 1);
});

test("while a play is questioned the rim has the numbers of whoever made it", () => {
  const upper = (name) => withClass(drawn(name), "number")[12];
  assert.equal(textOf(upper("playing")), "13");
  assert.equal(textOf(upper("illegal")), "12");
  assert.deepEqual(withClass(drawn("illegal"), "named").map(textOf).sort(), ["13", "4", "6", "9"]);
});

test("piles that are not sure have dashes and a question mark, and a pile says what it may be", () => {
  const board = drawn("unsure");
  assert.equal(withClass(board, "unsure").length, 2);
  assert.deepEqual(withClass(board, "count").map(textOf), ["5–6"]);
});

test("dice that are not sure have a question mark each", () => {
  assert.equal(withClass(drawn("unsure_dice"), "query").length, 2);
  assert.equal(withClass(drawn("playing"), "query").length, 0);
});

test("in the opening each side has a die of its own colour on its own half", () => {
  const dice = withClass(drawn("opening"), "die");
  assert.deepEqual(dice.map(({ attributes }) => attributes.class), ["die light", "die dark"]);
  assert.ok(centre(dice[0]).x > centre(dice[1]).x);
});

test("a cube that nobody has turned shows 64, an offered one its new value", () => {
  assert.equal(textOf(withClass(drawn("playing"), "cube")[0]), "64");
  assert.equal(textOf(withClass(drawn("double"), "offered")[0]), "2");
});

test("a cube lies turned by a quarter while it is nobody's, and shows what the rules lay down", () => {
  const lying = (cube) => withClass(drawing({ ...boardView(example("playing").state, PAGE), cube: { value: 1, owner: null, in_play: true, offer: null, ...cube } }), "cube")[0];
  assert.match(lying({}).attributes.transform, /rotate\(-90\)/);
  assert.doesNotMatch(lying({ value: 2, owner: "light" }).attributes.transform, /rotate/);
  assert.equal(textOf(lying({ face: 1 })), "1");
  assert.equal(textOf(lying({ value: 2, face: 2 })), "2");
});

test("in a pause and before a ruling the board fades and one line says why", () => {
  for (const name of ["paused", "dispute"]) {
    assert.equal(textOf(withClass(drawn(name), "line")[0]), example(name).state.question.heading);
    assert.equal(withClass(drawn(name), "faded").length, 1);
  }
});

test("at set-up what is missing is asked for and what is too much is hatched; nothing counts as borne off", () => {
  const board = drawn("set_up");
  assert.equal(withClass(board, "put").length, 2);
  assert.equal(withClass(board, "wrong").length, 1);
  assert.equal(withClass(board, "off").length, 0);
});

test("checkers that are off lie in the tray, with their number", () => {
  assert.equal(withClass(drawn("bear_off"), "off").length, 12 + 13);
});

test("a board that nobody has seen is empty", () => {
  assert.equal(withClass(drawn("no_board"), "checker").length + withClass(drawn("no_board"), "off").length, 0);
});
