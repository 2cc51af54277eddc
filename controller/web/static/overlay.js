/** The page for streams: the strip of this table. */

import { Live, channelAddress } from "./live.js";
import { pageData } from "./page.js";
import { NOTHING, reduce, stepsOf } from "./state.js";
import { StreamStrip } from "./strip.js";
import { speaker } from "./words.js";

const data = pageData();
const say = speaker(data.words, data.language);
const strip = new StreamStrip(say, new URLSearchParams(location.search), () => (live.isSilent() ? say("not_connected") : null));

const live = new Live({
  address: channelAddress(data.language, true),
  known: data.snapshot ? reduce(NOTHING, { ...data.snapshot, kind: "snapshot" }) : NOTHING,
  hear: (known, message) => hear(known.state, message),
  tell: () => strip.show(live.known.state),
  hearTime: (at_ms) => strip.hearTime(at_ms),
});

function hear(state, message) {
  const anew = message.kind === "snapshot";
  strip.hearClock(anew ? state.clock : message.set?.clock, anew);
  if (message.kind === "turn") {
    strip.tell(state.plays?.[0]);
  }
  strip.show(state, stepsOf(message));
}

strip.show(live.known.state);
live.open();
document.addEventListener("visibilitychange", () => document.hidden || live.open());
