import assert from "node:assert/strict";
import { test } from "node:test";

import { carried, countAt, draft, from, isWhole, positionOf, sideAt, tapped, withCount } from "../../../controller/web/static/editor.js";
import { BAR, OFF, read } from "../../../controller/web/static/position.js";
import { example, names } from "./examples.mjs";

const START = example("opening").state.position;
const begun = () => draft(START, "light");

test("a draft that nobody touched is the position that it began from", () => {
  for (const name of names()) {
    const { position } = example(name).state;
    if (position) {
      assert.equal(positionOf(draft(position, "dark")), position, name);
    }
  }
});

test("a checker that is taken away is off, and can be put down elsewhere", () => {
  const less = tapped({ ...begun(), tool: "none" }, 6);
  assert.deepEqual([countAt(less, "light", 6), less.counts.light[OFF]], [4, 1]);
  const again = tapped({ ...less, tool: "light" }, 7);
  assert.deepEqual([countAt(again, "light", 7), again.counts.light[OFF]], [1, 0]);
});

test("nobody has more than fifteen checkers, and the draft says whose are all there", () => {
  const full = tapped(begun(), 7);
  assert.deepEqual([positionOf(full), full.full], [START, "light"]);
  assert.equal(withCount({ ...begun(), place: 6 }, "light", 6).full, "light");
});

test("a pile that is put on the other side's point takes its place", () => {
  const bare = withCount({ ...begun(), place: 6 }, "light", 0);
  const put = withCount({ ...bare, place: 24 - 12 + 1 }, "light", 3);
  assert.equal(positionOf(put).length, 26);
  const taken = withCount({ ...begun(), place: 1, tool: "dark" }, "dark", 0);
  const one = withCount({ ...taken, place: 6 }, "dark", 1);
  assert.deepEqual([countAt(one, "light", 6), countAt(one, "dark", 6), one.counts.light[OFF]], [0, 1, 5]);
});

test("both sides may lie on the bar, and the tool says whose pile is meant", () => {
  let made = { ...tapped({ ...begun(), tool: "none" }, 6), tool: "light" };
  made = tapped(made, BAR);
  made = tapped({ ...made, tool: "none" }, 1);
  made = tapped({ ...made, tool: "dark" }, BAR);
  assert.deepEqual([made.counts.light[BAR], made.counts.dark[BAR]], [1, 1]);
  assert.equal(sideAt(made, BAR), "dark");
  assert.deepEqual(read(positionOf(made)).light[BAR], 1);
});

test("fewer than none is nothing, and off is no place to tap", () => {
  const empty = { ...begun(), tool: "none" };
  assert.equal(positionOf(tapped(empty, 7)), START);
  assert.equal(positionOf(withCount({ ...empty, place: 7 }, "light", -1)), START);
  assert.equal(tapped(empty, OFF), empty);
});

test("another beginning keeps the tool and who is on roll", () => {
  const made = from({ ...begun(), tool: "dark" }, ".".repeat(26));
  assert.deepEqual([made.tool, made.onRoll, isWhole(made)], ["dark", "light", false]);
});

test("a position without anybody on roll is not whole", () => {
  assert.equal(isWhole({ ...begun(), onRoll: null }), false);
  assert.equal(isWhole(begun()), true);
});

test("a checker that is dragged lies where it was let go of, or is off", () => {
  const moved = carried(begun(), "light", 6, 7);
  assert.deepEqual([countAt(moved, "light", 6), countAt(moved, "light", 7), moved.counts.light[OFF]], [4, 1, 0]);
  const off = carried(begun(), "dark", 19, OFF);
  assert.deepEqual([countAt(off, "dark", 19), off.counts.dark[OFF]], [4, 1]);
});
