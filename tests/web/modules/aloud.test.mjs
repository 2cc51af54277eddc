import assert from "node:assert/strict";
import { test } from "node:test";

import { ReadingAloud } from "../../../controller/web/static/aloud.js";

/** A browser whose voice the test hears. */
function browser() {
  const heard = [];
  let speaking = null;
  const voice = {
    getVoices: () => [{ lang: "hu-HU" }, { lang: "en-GB" }],
    cancel: () => { speaking = null; },
    speak: (utterance) => { speaking = utterance; heard.push(`${utterance.voice?.lang ?? utterance.lang}: ${utterance.text}`); },
  };
  globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const clock = { now: 0 };
  const aloud = new ReadingAloud({ voice, now: () => clock.now });
  return { aloud, heard, clock, end: () => speaking?.onend() };
}

const saying = (text, more = {}) => ({ text, language: "en", sound: null, weighty: false, waits: false, ...more });

test("nothing is said until it is turned on, and nothing after it was turned off", () => {
  const { aloud, heard } = browser();
  aloud.say(saying("one"));
  aloud.turn(true, "Read aloud", "en");
  aloud.say(saying("two"));
  aloud.turn(false, "Read aloud", "en");
  aloud.say(saying("three"));
  assert.deepEqual(heard, ["en-GB: Read aloud", "en-GB: two"]);
});

test("a request waits for the score to be said, and the newest request is the one that is said", () => {
  const { aloud, heard, end } = browser();
  aloud.turn(true, "Read aloud", "en");
  aloud.say(saying("the score", { weighty: true }));
  aloud.say(saying("roll", { waits: true }));
  aloud.say(saying("set up", { waits: true }));
  assert.equal(heard.at(-1), "en-GB: the score");
  end();
  assert.equal(heard.at(-1), "en-GB: set up");
});

test("a request that had to wait too long is never said", () => {
  const { aloud, heard, clock, end } = browser();
  aloud.turn(true, "Read aloud", "en");
  aloud.say(saying("the score", { weighty: true }));
  aloud.say(saying("roll", { waits: true }));
  clock.now = 7000;
  end();
  assert.equal(heard.at(-1), "en-GB: the score");
});

test("a language without a voice of its own is left to the browser", () => {
  const { aloud, heard } = browser();
  aloud.turn(true, "Read aloud", "en");
  aloud.say(saying("kaheksalt viiele", { language: "et" }));
  assert.equal(heard.at(-1), "et: kaheksalt viiele");
});

test("a browser that cannot speak offers nothing", () => {
  const aloud = new ReadingAloud({ voice: null });
  assert.equal(aloud.can, false);
  aloud.turn(true, "Read aloud", "en");
  assert.equal(aloud.on, false);
});
