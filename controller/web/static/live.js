/** The live channel: one snapshot, then numbered messages; it comes back by itself and knows when it last heard the table. */

import { Line } from "./line.js";
import { NOTHING, SILENT_MS, isOld, leavesGap, reduce } from "./state.js";

/**
 * The address of the live channel beside a page.
 * @param {string} language that the page is in
 * @param {boolean} asViewer whether to see only what spectators see, whoever opens the page
 */
export function channelAddress(language, asViewer) {
  const address = new URL("/api/v1/live", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("language", language);
  if (asViewer) {
    address.searchParams.set("as", "viewer");
  }
  return address.href;
}

/** Listens to a table. */
export class Live {
  /**
   * @param {Object} given
   * @param {string} given.address of the WebSocket
   * @param {import("./state.js").Known} given.known what the page came with
   * @param {(known: import("./state.js").Known, message: Object) => void} given.hear called after every message that changed something
   * @param {(message: Object) => void} [given.speak] called with what is to be read aloud, which has no number and is never sent again
   * @param {() => void} given.tell called when the connection came or went, and at every beat
   * @param {(at_ms: number) => void} [given.hearTime] called with what time it is at the table
   * @param {Object} [given.means] `Socket`, `now` and `wait` of the line
   */
  constructor({ address, known = NOTHING, hear, tell, speak = () => {}, hearTime = () => {}, ...means }) {
    Object.assign(this, { address, known, hear, tell, speak, hearTime });
    this.line = new Line({ address: () => this.resumption(), hear: (message) => this.take(message), tell, ...means });
  }

  /** Connect, or connect anew: what was missed is sent by the table. */
  open() {
    this.line.open();
  }

  /** The address with what is known already. */
  resumption() {
    const address = new URL(this.address);
    if (this.known.run) {
      address.searchParams.set("run", this.known.run);
      address.searchParams.set("seq", this.known.seq);
    }
    return address.href;
  }

  /** Take one message in. */
  take(message) {
    if (message.kind === "beat") {
      if (typeof message.at_ms === "number") {
        this.hearTime(message.at_ms);
      }
      this.tell();
    } else if (message.kind === "speech") {
      this.speak(message);
    } else if (leavesGap(this.known, message)) {
      // Something was lost on the way: the table sends everything anew.
      this.known = { ...this.known, run: null };
      this.open();
    } else if (!isOld(this.known, message)) {
      this.known = reduce(this.known, message);
      this.hear(this.known, message);
    }
  }

  /** For how many milliseconds nothing was heard. */
  silence() {
    return this.line.silence();
  }

  /** Whether the page should say that it hears nothing. */
  isSilent() {
    return this.silence() >= SILENT_MS;
  }

  /** Whether the connection is broken and being made again. */
  isLost() {
    return this.line.isBroken();
  }
}
