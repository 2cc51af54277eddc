/** What the pages of the hall make of what they hear. */

import assert from "node:assert/strict";
import test from "node:test";

import { served } from "./served.mjs";

const { Hall, chosenNumbers, numberOf, partsOf } = await import(served("hub/hall.js"));

function heard(...messages) {
  const told = [];
  const hall = new Hall({ language: "en", asViewer: true, hear: (names) => told.push(names), Socket: null, now: () => 0 });
  messages.forEach((message) => hall.takeTable(message));
  return { hall, told };
}

const TABLES = { kind: "hall", tables: [
  { name: "table-10", title: "Table 10", up: true, screen: { headline: "a", phase: "moving" } },
  { name: "table-9", title: "Table 9", up: true, screen: null },
] };

test("tables stand by number, and those without one last", () => {
  const { hall } = heard(TABLES, { kind: "tables", tables: [{ name: "bar", set: { title: "At the bar" }, screen: {} }] });
  assert.deepEqual(hall.inOrder().map(({ name }) => name), ["table-9", "table-10", "bar"]);
  assert.equal(numberOf({ name: "x", title: "Board 07" }), 7);
});

test("a change sets what it names and leaves the rest", () => {
  const { hall, told } = heard(TABLES, { kind: "tables", tables: [{ name: "table-10", set: { up: false }, screen: { phase: "to_roll" } }] });
  assert.deepEqual(hall.tables.get("table-10"), { name: "table-10", title: "Table 10", up: false, screen: { headline: "a", phase: "to_roll" } });
  assert.deepEqual([...told[1]], ["table-10"]);
});

test("a beat changes nothing", () => {
  const { hall, told } = heard(TABLES, { kind: "beat" });
  assert.equal(hall.tables.size, 2);
  assert.equal(told.length, 1);
});

test("an address names single tables and rows of them, and what it cannot mean names all", () => {
  const chosen = chosenNumbers("1-3, 7");
  assert.deepEqual([0, 1, 3, 4, 7].map((number) => chosen(number)), [false, true, true, false, true]);
  assert.equal(chosenNumbers("all"), null);
  assert.equal(chosenNumbers(null), null);
});

test("a list in parts has all its rows, and one part at least", () => {
  assert.deepEqual(partsOf([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
  assert.deepEqual(partsOf([], 9), [[]]);
});

test("the hub's time counts, however wrong the clock of this device is", () => {
  const { hall } = heard(TABLES);
  assert.ok(Math.abs(hall.now() - Date.now()) < 1000, "nothing was told yet");
  const there = Date.now() - 5_000_000;
  hall.takeEvening({ kind: "beat", at_ms: there });
  assert.ok(Math.abs(hall.now() - there) < 1000);
});
