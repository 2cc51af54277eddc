/** Tests of what is entered on a board: `node --test tests/web/modules/entry.test.mjs`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, keysOf, movesIn, onBoard, positionAfter, withMove, withPlace } from "../../../controller/web/static/entry.js";
import { BACKGAMMON, BAR, OFF, read } from "../../../controller/web/static/position.js";

const START = "b....E.C...eE...c.e....B..";
const PLAY = begin({ what: "played", needs: "play", side: "light" });

test("a play in notation falls into its single moves", () => {
  assert.deepEqual(movesIn("13/8 6/5*"), [{ from: 13, to: 8 }, { from: 6, to: 5 }]);
  assert.deepEqual(movesIn("bar/20 24/18/13"), [{ from: BAR, to: 20 }, { from: 24, to: 18 }, { from: 18, to: 13 }]);
  assert.deepEqual(movesIn("6/off(2)"), [{ from: 6, to: OFF }, { from: 6, to: OFF }]);
  assert.deepEqual(movesIn("13 / x 13/ 99/3"), []);
});

test("a checker that is dragged is a move, and back again none", () => {
  const there = withMove(withMove(PLAY, 13, 8), 8, 5);
  assert.equal(there.text, "13/8 8/5");
  assert.equal(withMove(there, 5, 8).text, "13/8");
  assert.equal(withMove(there, 8, 13).text, "13/8 8/5 8/13");
});

test("no move ends on the bar, by whichever way", () => {
  assert.equal(withMove(PLAY, 13, BAR).text, "");
  const chosen = withPlace(withPlace(PLAY, 13), BAR);
  assert.deepEqual([chosen.text, chosen.from], ["", BAR]);
});

test("the board shows the play as far as it is entered, with what was hit on the bar", () => {
  const dark = read(positionAfter({ ...PLAY, text: "24/18" }, START, "dark", BACKGAMMON));
  assert.equal(dark.dark[18], 1);
  const hit = read(positionAfter({ ...PLAY, text: "13/10" }, "b....E.C.a..E...c.e....B..", "light", BACKGAMMON));
  assert.deepEqual([hit.light[10], hit.dark[BAR]], [1, 1]);
});

test("a move that cannot be made leaves the board as it is", () => {
  assert.equal(positionAfter({ ...PLAY, text: "13/12 2/1" }, START, "light", BACKGAMMON), START);
});

test("what is half typed is not sent, and what is tapped first is no play yet", () => {
  assert.equal(keysOf({ ...PLAY, text: " " }), null);
  assert.equal(keysOf(withPlace({ ...PLAY, text: "13/8" }, 6)), null);
  assert.deepEqual(keysOf(withMove(PLAY, 13, 8)), { play: "13/8" });
});

test("a board on which a play is entered lets only that side's checkers be moved", () => {
  let entry = PLAY;
  const board = onBoard(entry, { position: START, side: "dark", game: BACKGAMMON }, (changed) => { entry = changed; });
  assert.deepEqual([board.mover, board.numbering, board.position], ["dark", "dark", START]);
  board.carry(13, 7);
  assert.equal(entry.text, "13/7");
});
