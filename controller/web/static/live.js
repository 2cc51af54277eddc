/** The live channel: one snapshot, then numbered messages; it comes back by itself and knows when it last heard the table. */

import { NOTHING, SILENT_MS, isOld, leavesGap, reduce } from "./state.js";

/** After how many seconds a broken connection is tried again, time after time. */
export const WAITS_S = [1, 1, 2, 3, 5, 8, 13, 20, 40, 100];

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
   * @param {() => void} given.tell called when the connection came or went
   * @param {typeof WebSocket} [given.Socket]
   * @param {() => number} [given.now] milliseconds
   * @param {(later: () => void, ms: number) => any} [given.wait]
   */
  constructor({ address, known = NOTHING, hear, tell, Socket = WebSocket, now = () => performance.now(), wait = setTimeout }) {
    Object.assign(this, { address, known, hear, tell, Socket, now, wait });
    this.failures = 0;
    this.heardAt = now();
    this.beats = false;
    this.socket = null;
    this.connected = false;
    this.next = null;
  }

  /** Connect, or connect anew: what was missed is sent by the table. */
  open() {
    this.close();
    clearTimeout(this.next);
    const address = new URL(this.address);
    if (this.known.run) {
      address.searchParams.set("run", this.known.run);
      address.searchParams.set("seq", this.known.seq);
    }
    const socket = new this.Socket(address.href);
    this.socket = socket;
    socket.onmessage = (event) => socket === this.socket && this.take(JSON.parse(event.data));
    socket.onclose = () => socket === this.socket && this.retry();
    socket.onopen = () => {
      this.connected = true;
      this.tell();
    };
  }

  close() {
    const socket = this.socket;
    this.socket = null;
    this.connected = false;
    socket?.close();
  }

  /** Take one message in. */
  take(message) {
    this.heardAt = this.now();
    this.failures = 0;
    if (message.kind === "beat") {
      this.beats = true;
      this.tell();
    } else if (leavesGap(this.known, message)) {
      // Something was lost on the way: the table sends everything anew.
      this.known = { ...this.known, run: null };
      this.open();
    } else if (!isOld(this.known, message)) {
      this.known = reduce(this.known, message);
      this.hear(this.known, message);
    }
  }

  /** Try again later; the first times soon. */
  retry() {
    this.socket = null;
    this.connected = false;
    const seconds = WAITS_S[Math.min(this.failures, WAITS_S.length - 1)];
    this.failures += 1;
    this.next = this.wait(() => this.open(), seconds * 1000);
    this.tell();
  }

  /** For how many milliseconds nothing was heard. */
  silence() {
    return this.now() - this.heardAt;
  }

  /** Whether the page should say that it hears nothing. A table that never sends beats may have had nothing to tell. */
  isSilent() {
    return (this.beats || !this.connected) && this.silence() >= SILENT_MS;
  }
}
