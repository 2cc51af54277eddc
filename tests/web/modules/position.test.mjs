import assert from "node:assert/strict";
import { test } from "node:test";

import { after, before, differences, ends, read, write } from "../../../controller/web/static/position.js";
import { example, names } from "./examples.mjs";

const START = example("opening").state.position;

test("a position is read from each side's own points and written again as it was", () => {
  for (const name of names()) {
    const { position } = example(name).state;
    if (position) {
      assert.equal(write(read(position)), position, name);
    }
  }
});

test("at the start both sides have their checkers on the same points of their own", () => {
  const counts = read(START);
  for (const side of ["light", "dark"]) {
    assert.deepEqual([24, 13, 8, 6, 25, 0].map((place) => counts[side][place]), [2, 5, 3, 5, 0, 0]);
  }
});

test("a step with a hit puts the other checker on the bar, and the way back takes it off", () => {
  const position = write({ light: one(8), dark: one(21) });
  const step = { side: "light", from: 8, to: 4, hit: true };
  const hit = after(position, [step]);
  assert.equal(read(hit).light[4], 1);
  assert.equal(read(hit).dark[25], 1);
  assert.equal(before(hit, [step]), position);
});

test("steps that cannot have led to a position lead nowhere", () => {
  assert.equal(before(START, [{ side: "light", from: 8, to: 4 }]), null);
  assert.equal(after(START, [{ side: "dark", from: 25, to: 20 }]), null);
});

test("a play with four steps goes back and forth through every example", () => {
  const steps = example("doubles").state.plays[0].steps;
  const position = example("doubles").state.position;
  assert.equal(after(before(position, steps), steps), position);
});

test("a checker that went on is named once, where it came from and where it lies", () => {
  const step = (from, to) => ({ side: "dark", from, to });
  assert.deepEqual(ends([step(25, 24), step(24, 18)]), {
    from: [{ side: "dark", place: 25 }],
    to: [{ side: "dark", place: 18 }],
  });
  assert.equal(ends([step(13, 7), step(8, 7)]).to.length, 2);
});

test("what is missing is to be put down and what is too much to be taken away", () => {
  const state = example("set_up").state;
  const { take, put } = differences(state.position, state.seen.position);
  assert.deepEqual(take, [{ side: "light", place: 4 }]);
  assert.deepEqual(put, [{ side: "light", place: 13 }, { side: "dark", place: 8 }]);
});

function one(place) {
  const counts = Array(26).fill(0);
  counts[place] = 1;
  return counts;
}
