import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { LONGEST_MS, Pace, PATIENCE_MS, QUALITY } from "../../../controller/web/static/pace.js";
import { PIECE, Sender } from "../../../controller/web/static/sender.js";

const ANSWER = { size: null, lock: false, still: null, seen: {} };
const PICTURE = new Blob([new Uint8Array(10 * PIECE)]);
const WHO = { token: "t", language: "en" };

let sockets;
let now;

class Socket {
  static OPEN = 1;

  constructor() {
    this.readyState = Socket.OPEN;
    this.sent = [];
    sockets.push(this);
    queueMicrotask(() => this.onopen());
  }

  send(what) {
    this.sent.push(what);
  }

  close() {
    this.closed = true;
  }

  tell(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

beforeEach(() => {
  [sockets, now] = [[], 0];
  Object.assign(globalThis, { WebSocket: Socket, location: { href: "https://table/camera" } });
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

/** Let so much time go by, and what was promised come. */
async function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
  await new Promise(setImmediate);
}

/** A picture is under way. */
async function sending() {
  let dragged = 0;
  const sender = new Sender(WHO, () => (dragged += 1), () => now);
  const told = sender.send(PICTURE).then((answer) => ({ answer }), (error) => ({ error }));
  await pass(0);
  return { sender, told, dragged: () => dragged };
}

test("a picture is not given up as long as some more of it comes", async () => {
  const { sender, told, dragged } = await sending();
  const [socket] = sockets;
  assert.equal(socket.sent.length, 2 + 10);
  for (let came = 1; came < 10; came += 1) {
    await pass(PATIENCE_MS - 100);
    socket.tell({ came: came * PIECE });
  }
  assert.equal(dragged(), 9);
  assert.ok(sender.pace.slow);
  await pass(100);
  socket.tell(ANSWER);
  assert.deepEqual(await told, { answer: ANSWER });
  assert.ok(!socket.closed);
  assert.equal(sender.pace.quality(false), QUALITY.coarse);
});

test("a picture of which nothing more comes is given up, and its way is opened anew", async () => {
  const { sender, told } = await sending();
  await pass(PATIENCE_MS - 100);
  sockets[0].tell({ came: PIECE });
  await pass(PATIENCE_MS);
  assert.match((await told).error.message, /slow/);
  assert.ok(sockets[0].closed);
  sender.send(PICTURE).catch(() => {});
  await pass(0);
  assert.equal(sockets.length, 2);
});

test("pictures are coarse over a slow line, and not any more once several have come at once", () => {
  const pace = new Pace();
  pace.arrived(700);
  assert.equal(pace.quality(false), QUALITY.usual);
  pace.arrived(900);
  assert.equal(pace.quality(false), QUALITY.coarse);
  [100, 100, 100, 100, 400, 100, 100, 100, 100].forEach((ms) => pace.arrived(ms));
  assert.ok(pace.slow);
  pace.arrived(100);
  assert.equal(pace.quality(false), QUALITY.usual);
});

test("a picture that the table makes larger is never coarse: the table would not see it", () => {
  const pace = new Pace();
  pace.arrived(900);
  assert.equal(pace.quality(true), QUALITY.usual);
});

test("where nobody tells what has come, each picture may take longer than the one that was given up", () => {
  const pace = new Pace();
  const patience = [pace.patienceMs];
  for (let times = 0; times < 4; times += 1) {
    pace.gaveUp();
    patience.push(pace.patienceMs);
  }
  assert.deepEqual(patience, [PATIENCE_MS, 2 * PATIENCE_MS, 4 * PATIENCE_MS, LONGEST_MS, LONGEST_MS]);
  pace.arrived(LONGEST_MS - 1);
  assert.equal(pace.patienceMs, LONGEST_MS);
  pace.arrived(PATIENCE_MS - 1);
  assert.equal(pace.patienceMs, PATIENCE_MS);
});
