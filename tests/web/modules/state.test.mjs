import assert from "node:assert/strict";
import { test } from "node:test";

import { boardView, broken, clockAfter, clockText, isOld, leavesGap, NOTHING, numberingOf, offsetAfter, playedText, reduce, seats, splitAtPlay, stepsOf } from "../../../controller/web/static/state.js";
import { announcement, boardTable, describe, fill } from "../../../controller/web/static/words.js";
import { textOf } from "../../../controller/web/static/elements.js";
import { example, every, names } from "./examples.mjs";

const say = (path, values = {}) => `${path} ${Object.values(values).join(" ")}`;

test("a snapshot replaces everything, a message only the keys that it sets", () => {
  const known = reduce(NOTHING, example("playing"));
  const later = reduce(known, { kind: "phase", seq: 413, set: { phase: "to_roll", on_turn: "light" } });
  assert.deepEqual([later.seq, later.state.phase, later.state.on_turn], [413, "to_roll", "light"]);
  assert.equal(later.state.position, known.state.position);
  assert.deepEqual(reduce(later, example("ready")).state, example("ready").state);
});

test("a kind and keys that nobody knows are taken over and do no harm", () => {
  const known = reduce(NOTHING, example("playing"));
  assert.equal(reduce(known, { kind: "weather", seq: 413, rain: true }).seq, 413);
  assert.equal(reduce(known, { kind: "weather" }), known);
});

test("a hole is noticed, and what was heard before is not taken twice", () => {
  const known = reduce(NOTHING, example("playing"));
  assert.equal(leavesGap(known, { kind: "told", seq: 413 }), false);
  assert.equal(leavesGap(known, { kind: "told", seq: 414 }), true);
  assert.equal(isOld(known, { kind: "told", seq: 412 }), true);
});

test("a clock first uses its delay, then its reserve; the other one stands", () => {
  const clock = { light_s: 60, dark_s: 90, runs: "dark", delay_s: 12, at_ms: 0 };
  assert.deepEqual(clockAfter(clock, 5000), { light_s: 60, dark_s: 90, delay_s: 7, runs: "dark" });
  assert.deepEqual(clockAfter(clock, 20_000), { light_s: 60, dark_s: 82, delay_s: 0, runs: "dark" });
  assert.equal(clockAfter(clock, 500_000).dark_s, 0);
  assert.equal(clockAfter({ ...clock, runs: null }, 500_000).dark_s, 90);
  assert.equal(clockAfter(null, 1), null);
});

test("clocks show tenths in the last ten seconds only", () => {
  assert.deepEqual([665, 600, 59.2, 10, 9.96, 0.04, 0, 3600].map(clockText), ["11:05", "10:00", "1:00", "0:10", "0:09.9", "0:00.0", "0:00.0", "1:00:00"]);
});

test("a player's own strip is below, a spectator's that of whoever sits in front of the camera", () => {
  assert.deepEqual(seats(example("playing").state), { near: "light", far: "dark" });
  assert.equal(seats({ ...example("playing").state, viewer: { role: "player", side: "dark" } }).near, "dark");
  assert.equal(seats({ ...example("playing").state, light_home: "top-left" }).near, "dark");
});

test("the numbers on the rim change for a questioned play only", () => {
  assert.equal(numberingOf(example("playing").state, "light"), "light");
  assert.equal(numberingOf(example("double").state, "light"), "light");
  assert.equal(numberingOf(example("illegal").state, "light"), "dark");
  assert.equal(numberingOf(example("unsure").state, "light"), "dark");
});

test("a play before the present game is not marked on the board", () => {
  const state = example("playing").state;
  const view = (changed) => boardView(changed, { upright: false, mirrored: false, silent: false, name: "b" });
  assert.equal(view(state).last.length, 2);
  assert.equal(view({ ...state, match: { ...state.match, game: 6 } }).last.length, 0);
});

test("a page that hears nothing fades the board", () => {
  assert.equal(boardView(example("playing").state, { upright: false, mirrored: false, silent: true, name: "b" }).faded, true);
});

test("a turn moves its checkers unless it replaces one that was sent before", () => {
  const turn = { kind: "turn", steps: [{ side: "light", from: 8, to: 5 }], set: { position: "x" } };
  assert.equal(stepsOf(turn).length, 1);
  assert.equal(stepsOf({ ...turn, replaces: true }).length, 0);
  assert.equal(stepsOf({ ...turn, kind: "told" }).length, 0);
});

test("devices that do not work are found", () => {
  assert.deepEqual(broken(example("device_gone").state).map(({ name }) => name), ["camera"]);
  assert.deepEqual(broken(example("playing").state), []);
});

test("a text is cut behind its play, or behind its first sentence where the play has no notation", () => {
  assert.deepEqual(splitAtPlay("Anna, 6-1: 13/7* 8/7 is legal.", "13/7* 8/7"), { head: "Anna, 6-1: 13/7* 8/7", rest: " is legal." });
  assert.deepEqual(splitAtPlay("Anna, 6-4: this is not legal. Nothing was moved.", "nothing moved"), { head: "Anna, 6-4: this is not legal.", rest: " Nothing was moved." });
  assert.deepEqual(splitAtPlay("Béla cannot move.", ""), { head: "Béla cannot move.", rest: "" });
});

test("what was played is shown in the words of the table, and of an older table in its notation", () => {
  assert.equal(playedText({ move: "", words: "nothing moved" }), "nothing moved");
  assert.equal(playedText({ move: "8/5 6/5" }), "8/5 6/5");
});

test("words are filled in, and plural forms follow the language", () => {
  const words = { pile: { of: { count: "count", one: "{count} kameň", few: "{count} kamene", other: "{count} kameňov" } } };
  assert.deepEqual([1, 2, 5].map((count) => fill(words, "pile.of", { count }, "sk")), ["1 kameň", "2 kamene", "5 kameňov"]);
  assert.equal(fill({ a: "{x} and {y}" }, "a", { x: 1 }), "1 and {y}");
  assert.equal(fill({}, "nothing.there"), "");
});

test("the hidden table has a row for each point, bar, off and cube", () => {
  const rows = [...every(boardTable(example("playing").state, "light", say))].filter(({ tag }) => tag === "tr");
  assert.equal(rows.length, 24 + 3);
  assert.match(textOf(rows[5]), /Anna Kovács 4/);
  assert.match(textOf(rows[24]), /Béla Szabó 1/);
});

test("the same play in another turn is announced as another text", () => {
  const state = example("playing").state;
  const again = { ...state, plays: [{ ...state.plays[0], ply: 14 }] };
  assert.notEqual(announcement(state, say), announcement(again, say));
});

test("a question is announced with its words", () => {
  assert.match(announcement(example("illegal").state, say), /please put this play right.*bar must be entered/);
});

test("every example can be described and announced", () => {
  for (const name of names()) {
    const { state } = example(name);
    assert.equal(typeof describe(state, say), "string");
    assert.equal(typeof announcement(state, say), "string");
  }
});

test("where checkers landed is shown of a play that nobody confirmed, but not of an illegal one to be put right", () => {
  const state = example("playing").state ?? reduce(NOTHING, example("playing")).state;
  const [play, ...others] = state.plays;
  const shown = (changes) => boardView({ ...state, question: null, plays: [{ ...play, ...changes }, ...others] }, { upright: false, mirrored: false, silent: false, name: "b" });
  assert.equal(shown({ legal: true }).last.length, play.steps.length);
  assert.equal(shown({ legal: null, unsure: true }).last.length, play.steps.length);
  assert.equal(shown({ legal: false, stands: false }).last.length, 0);
});

test("how much later than the table's clock this device's is counts by the quickest message, until one of them is set", () => {
  const heard = (...pairs) => pairs.reduce((offset, [at_ms, now_ms]) => offsetAfter(offset, at_ms, now_ms), null);
  assert.equal(heard([1000, 5000]), 4000);
  assert.equal(heard([1000, 5300], [3000, 7000], [5000, 9200]), 4000, "later than the quickest one");
  const hour = 3_600_000;
  assert.equal(heard([1000, 5000], [3000, 7000 + hour], [5000, 9000 + hour]), 4000 + hour, "this device was set forward");
  assert.equal(heard([1000, 5000 + hour], [3000, 7000]), 4000, "or back");
  assert.equal(heard([1000, 5000], [3000 - hour, 7000]), 4000 + hour, "or the table, by a new start of its program");
});
