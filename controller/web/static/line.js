/** A WebSocket that is kept open: one that breaks is opened anew, and one that falls silent is given up first. */

/** After how many seconds a broken line is opened again, time after time; those before a screen wait no longer. */
export const WAITS_S = [1, 1, 2, 3, 5, 8, 13];
/** A line that brings nothing for this time is dead, for a beat is due every two seconds: where a cable is pulled out
 * half way, or a phone has changed its network, neither end is told. */
export const DEAD_MS = 12_000;

/** How long a question to the server may go unanswered; a hub gives its tables ten seconds. Over a dead line a browser
 * itself would wait for minutes. */
export const ANSWER_MS = 15_000;

/** What ends a request that takes longer; none in browsers that know of no such thing. @param {number} ms */
export function timeLimit(ms) {
  return AbortSignal.timeout?.(ms);
}

/**
 * What a WebSocket would bring, as a stream of events. iPhones open no WebSocket where their reader only went past the
 * warning about the certificate, and do not say why; a stream is an ordinary answer.
 */
export class EventSocket {
  /** @param {string} address of the WebSocket */
  constructor(address) {
    this.source = new EventSource(address.replace(/^ws/, "http"));
    this.source.onopen = () => this.onopen?.();
    this.source.onmessage = (event) => this.onmessage?.(event);
    // It would come back by itself, but without what the page knows by then.
    this.source.onerror = () => {
      this.source.close();
      this.onclose?.();
    };
  }

  /** Leave it. */
  close() {
    this.source.close();
  }
}

/** Holds one line. */
export class Line {
  /**
   * @param {Object} given
   * @param {() => string} given.address asked for whenever the line is opened
   * @param {(message: Object) => void} given.hear
   * @param {() => void} given.tell called when the line came or went
   * @param {typeof WebSocket} [given.Socket]
   * @param {typeof EventSocket} [given.Instead] takes turns with it as long as neither could be opened
   * @param {() => number} [given.now] milliseconds
   * @param {(later: () => void, ms: number) => any} [given.wait] browsers let nobody but `window` call `setTimeout`
   */
  constructor({ address, hear, tell, Socket = WebSocket, Instead = EventSocket, now = () => performance.now(), wait = (later, ms) => setTimeout(later, ms) }) {
    Object.assign(this, { address, hear, tell, Socket, Instead, now, wait });
    this.failures = 0;
    this.everOpened = false;
    this.heardAt = now();
    this.socket = null;
    this.connected = false;
  }

  /** Open the line, or open it anew. */
  open() {
    this.close();
    const socket = new this.Socket(this.address());
    this.socket = socket;
    socket.onopen = () => {
      if (socket === this.socket) {
        this.connected = this.everOpened = true;
        this.tell();
      }
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) {
        this.heardAt = this.now();
        this.failures = 0;
        this.hear(JSON.parse(event.data));
      }
    };
    socket.onclose = () => socket === this.socket && this.retry();
    this.watch(socket, this.now());
  }

  /** Leave it. */
  close() {
    const socket = this.socket;
    this.socket = null;
    this.connected = false;
    socket?.close();
  }

  /** Give a socket up once it has brought nothing for too long. */
  watch(socket, openedAt) {
    const dueAt = Math.max(openedAt, this.heardAt) + DEAD_MS;
    this.wait(() => {
      if (socket !== this.socket) {
        return;
      }
      if (this.now() < Math.max(openedAt, this.heardAt) + DEAD_MS) {
        this.watch(socket, openedAt);
      } else {
        this.retry();
      }
    }, dueAt - this.now());
  }

  /** Try again later; the first times soon. */
  retry() {
    this.close();
    if (!this.everOpened) {
      [this.Socket, this.Instead] = [this.Instead, this.Socket];
    }
    const seconds = WAITS_S[Math.min(this.failures, WAITS_S.length - 1)];
    this.failures += 1;
    this.wait(() => this.socket ?? this.open(), seconds * 1000);
    this.tell();
  }

  /** For how many milliseconds nothing was heard. */
  silence() {
    return this.now() - this.heardAt;
  }

  /** Whether it is broken and being opened again. */
  isBroken() {
    return !this.connected && this.failures > 0;
  }
}
