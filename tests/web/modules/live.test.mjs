import assert from "node:assert/strict";
import { test } from "node:test";

import { send } from "../../../controller/web/static/commands.js";
import { begin, keysOf, withDie, withPlace, withoutLast } from "../../../controller/web/static/entry.js";
import { DEAD_MS, WAITS_S } from "../../../controller/web/static/line.js";
import { Live } from "../../../controller/web/static/live.js";
import { NOTHING, reduce } from "../../../controller/web/static/state.js";
import { example } from "./examples.mjs";

function listening(known = reduce(NOTHING, example("playing"))) {
  const sockets = [];
  const waits = [];
  const clock = { now: 0 };
  class Socket {
    constructor(address) {
      this.address = address;
      sockets.push(this);
    }

    close() {
      this.closed = true;
    }
  }
  class Instead extends Socket {}
  const heard = [];
  const live = new Live({
    address: "ws://table/api/v1/live?language=en", known, Socket, Instead, hear: (_, message) => heard.push(message), tell: () => {},
    now: () => clock.now, wait: (later, ms) => waits.push({ later, ms }),
  });
  live.open();
  const say = (message) => sockets.at(-1).onmessage({ data: JSON.stringify(message) });
  const tries = () => waits.filter(({ ms }) => ms !== DEAD_MS);
  const guards = () => waits.filter(({ ms }) => ms === DEAD_MS);
  return { live, sockets, tries, guards, clock, heard, say, Instead };
}

test("a page asks for what it has missed", () => {
  assert.equal(listening().sockets[0].address, "ws://table/api/v1/live?language=en&run=8f3c2a&seq=412");
  assert.equal(listening(NOTHING).sockets[0].address, "ws://table/api/v1/live?language=en");
});

test("messages are taken in their order and once", () => {
  const { live, heard, say } = listening();
  const message = { kind: "phase", seq: 413, set: { phase: "to_roll" } };
  say(message);
  say(message);
  assert.equal(heard.length, 1);
  assert.equal(live.known.state.phase, "to_roll");
});

test("after a hole the page asks for everything anew", () => {
  const { live, sockets, say } = listening();
  say({ kind: "phase", seq: 420, set: { phase: "to_roll" } });
  assert.equal(live.known.state.phase, "moving");
  assert.equal(sockets.length, 2);
  assert.equal(sockets[0].closed, true);
  assert.equal(sockets[1].address, "ws://table/api/v1/live?language=en");
});

test("where no socket opens, a stream takes its turn; what has opened once stays", () => {
  const { sockets, tries, Instead } = listening();
  const kinds = () => sockets.map((each) => each instanceof Instead);
  for (let lost = 0; lost < 3; lost += 1) {
    sockets.at(-1).onclose();
    tries().at(-1).later();
  }
  assert.deepEqual(kinds(), [false, true, false, true]);
  sockets.at(-1).onopen();
  sockets.at(-1).onclose();
  tries().at(-1).later();
  assert.deepEqual(kinds(), [false, true, false, true, true]);
});

test("a broken connection is tried again, later each time, and soon again once it has worked", () => {
  const { sockets, tries, say } = listening();
  for (let time = 0; time < WAITS_S.length + 1; time += 1) {
    sockets.at(-1).onclose();
    tries().at(-1).later();
  }
  assert.deepEqual(tries().map(({ ms }) => ms / 1000), [...WAITS_S, WAITS_S.at(-1)]);
  say({ kind: "beat" });
  sockets.at(-1).onclose();
  assert.equal(tries().at(-1).ms, WAITS_S[0] * 1000);
});

test("a connection that was given up says nothing any more", () => {
  const { live, sockets, heard } = listening();
  live.open();
  sockets[0].onmessage({ data: JSON.stringify({ kind: "phase", seq: 413, set: {} }) });
  sockets[0].onclose();
  assert.equal(heard.length, 0);
  assert.equal(sockets.length, 2);
});

test("a connection that brings nothing is given up and made again, one that lives is not", () => {
  const { live, sockets, tries, guards, clock, say } = listening();
  sockets[0].onopen();
  clock.now = DEAD_MS - 1000;
  say({ kind: "beat" });
  clock.now = DEAD_MS;
  guards()[0].later();
  assert.equal(sockets.length, 1);
  assert.equal(live.isLost(), false);
  clock.now = 2 * DEAD_MS;
  tries().at(-1).later();
  assert.equal(sockets[0].closed, true);
  assert.equal(live.isLost(), true);
  tries().at(-1).later();
  assert.equal(sockets.length, 2);
});

test("without a word of the caller's the browser's own clock is waited for", async () => {
  const sockets = [];
  class Socket {
    constructor() {
      sockets.push(this);
    }

    close() {}
  }
  const timers = [];
  const standard = globalThis.setTimeout;
  globalThis.setTimeout = function (later, ms) {
    // As browsers do: nobody but the window may call it.
    if (this !== undefined && this !== globalThis) {
      throw new TypeError("Illegal invocation");
    }
    timers.push({ later, ms });
  };
  try {
    const live = new Live({ address: "ws://table/api/v1/live", known: NOTHING, Socket, Instead: Socket, hear: () => {}, tell: () => {} });
    live.open();
    sockets[0].onclose();
    timers.at(-1).later();
  } finally {
    globalThis.setTimeout = standard;
  }
  assert.equal(sockets.length, 2);
});

test("a table of which nothing is heard for five seconds is silent", () => {
  const { live, sockets, clock, say } = listening();
  sockets[0].onopen();
  assert.equal(live.isSilent(), false);
  clock.now = 60_000;
  assert.equal(live.isSilent(), true);
  say({ kind: "beat" });
  clock.now = 64_000;
  assert.equal(live.isSilent(), false);
  clock.now = 65_500;
  assert.equal(live.isSilent(), true);
});

test("a command that did not get through is sent again under the same name", async () => {
  const bodies = [];
  const fetch = async (_, { body }) => {
    bodies.push(JSON.parse(body));
    if (bodies.length < 3) {
      throw new TypeError("no line");
    }
    return { ok: true, status: 200, json: async () => ({ answer: "done", event: 7 }) };
  };
  const reply = await send({ what: "take" }, { fetch, wait: async () => {} });
  assert.equal(reply.answer, "done");
  assert.equal(new Set(bodies.map(({ id }) => id)).size, 1);
  assert.match(bodies[0].id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("a command that never got through is called unsent, one that was turned down refused", async () => {
  const broken = async () => {
    throw new TypeError("no line");
  };
  assert.equal((await send({ what: "take" }, { fetch: broken, wait: async () => {} })).answer, "unsent");
  const closed = async () => ({ ok: false, status: 403, json: async () => ({ text: "Not yours." }) });
  assert.deepEqual(await send({ what: "take" }, { fetch: closed, wait: async () => {} }), { answer: "refused", text: "Not yours." });
});

test("a command over a dead line is called unsent, and the page waits for it no longer", async () => {
  const dead = (_, { signal }) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
  const alive = setInterval(() => {}, 1000); // the limit alone does not keep node from ending
  assert.equal((await send({ what: "take" }, { fetch: dead, wait: async () => {}, limit_ms: 5 })).answer, "unsent");
  clearInterval(alive);
});

test("two dice make a roll, a third one begins anew", () => {
  let entry = begin({ what: "roll", needs: "dice" });
  assert.equal(keysOf(withDie(entry, 4)), null);
  entry = withDie(withDie(entry, 4), 2);
  assert.deepEqual(keysOf(entry), { dice: [4, 2] });
  assert.deepEqual(withDie(entry, 6).dice, [6]);
  assert.deepEqual(keysOf(withDie(withDie(begin({ what: "opening_roll", needs: "dice" }), 5), 3)), { light: 5, dark: 3 });
});

test("places that are tapped make a play in notation, and can be taken back", () => {
  let entry = begin({ what: "played", needs: "play" });
  assert.equal(withPlace(entry, 0), entry);
  entry = withPlace(withPlace(entry, 25), 21);
  assert.equal(keysOf(withPlace(entry, 6)), null);
  entry = withPlace(withPlace(entry, 6), 0);
  assert.deepEqual(keysOf(entry), { play: "bar/21 6/off" });
  assert.equal(withoutLast(entry).text, "bar/21");
  assert.equal(withPlace(withPlace(entry, 8), 8).from, null);
});

test("an amount is a whole number of points", () => {
  const entry = begin({ what: "resign", needs: "amount" });
  assert.equal(keysOf({ ...entry, text: "two" }), null);
  assert.equal(keysOf({ ...entry, text: "0" }), null);
  assert.deepEqual(keysOf({ ...entry, text: " 2 " }), { amount: 2 });
});
