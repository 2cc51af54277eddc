/** What the pages of the hall know: every table as it is now, and the tournament; both come over a live channel each. */

/** @typedef {Object<string, any>} Table as `GET /api/v1/tables` lists it, with the state of its screen as `screen` */

/** After how many seconds a broken connection is tried again, time after time. */
const WAITS_S = [1, 1, 2, 3, 5, 8];
/** After so long without a word from the hub the page says so. */
const SILENT_MS = 6_000;

/** Listens to the hub. */
export class Hall {
  /**
   * @param {Object} given
   * @param {string} given.language
   * @param {boolean} given.asViewer whether to see only what spectators see, whoever opens the page
   * @param {(names: Set<string>|null) => void} given.hear told which tables have changed; null: all, or the tournament
   * @param {typeof WebSocket} [given.Socket]
   * @param {() => number} [given.now]
   */
  constructor({ language, asViewer, hear, Socket = WebSocket, now = () => performance.now() }) {
    Object.assign(this, { language, asViewer, hear, Socket, now });
    /** @type {Map<string, Table>} */
    this.tables = new Map();
    this.troubles = [];
    this.evening = null;
    this.heardAt = now();
    this.failures = { hall: 0, "evening/live": 0 };
    this.sockets = {};
  }

  /** Connect both channels, or connect them anew. */
  open() {
    this.connect("hall", (message) => this.takeTable(message));
    this.connect("evening/live", (message) => this.takeEvening(message));
  }

  connect(path, take) {
    const earlier = this.sockets[path];
    const address = new URL(`/api/v1/${path}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("language", this.language);
    if (this.asViewer) {
      address.searchParams.set("as", "viewer");
    }
    const socket = new this.Socket(address.href);
    this.sockets[path] = socket;
    earlier?.close();
    socket.onmessage = (event) => {
      if (socket === this.sockets[path]) {
        this.heardAt = this.now();
        this.failures[path] = 0;
        take(JSON.parse(event.data));
      }
    };
    socket.onclose = () => {
      if (socket === this.sockets[path]) {
        const seconds = WAITS_S[Math.min(this.failures[path], WAITS_S.length - 1)];
        this.failures[path] += 1;
        setTimeout(() => this.connect(path, take), seconds * 1000);
        this.hear(null);
      }
    };
  }

  takeTable(message) {
    if (message.kind === "hall") {
      this.tables = new Map(message.tables.map((table) => [table.name, table]));
      this.troubles = message.troubles;
      this.hear(null);
    } else if (message.kind === "troubles") {
      this.troubles = message.troubles;
      this.hear(null);
    } else if (message.kind === "tables") {
      for (const changed of message.tables) {
        const before = this.tables.get(changed.name) ?? { name: changed.name, screen: null };
        const screen = Object.keys(changed.screen).length ? { ...before.screen, ...changed.screen } : before.screen;
        this.tables.set(changed.name, { ...before, ...changed.set, screen });
      }
      this.hear(new Set(message.tables.map(({ name }) => name)));
    }
  }

  takeEvening(message) {
    if (message.kind === "evening") {
      this.evening = message;
      this.hear(null);
    }
  }

  /** Whether nothing was heard of the hub for a while. */
  isSilent() {
    return this.now() - this.heardAt >= SILENT_MS;
  }

  /** The tables by their numbers. @returns {Table[]} */
  inOrder() {
    return [...this.tables.values()].sort((one, other) => numberOf(one) - numberOf(other) || one.name.localeCompare(other.name));
  }
}

/** The number in what people call a table; those without one come last. */
export function numberOf(table) {
  const found = /\d{1,9}/.exec(table.title ?? "") ?? /\d{1,9}/.exec(table.name);
  return found ? Number(found[0]) : 1e9;
}

/** What people call a table. */
export function titleOf(table) {
  return table.title || table.name;
}

/**
 * The numbers that a text such as `1-12,15` names; null for all.
 * @param {string|null} text
 * @returns {((number: number) => boolean)|null}
 */
export function chosenNumbers(text) {
  const parts = (text ?? "").split(",").map((part) => /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(part)).filter(Boolean);
  return parts.length ? (number) => parts.some(([, from, to]) => number >= Number(from) && number <= Number(to ?? from)) : null;
}

/** The rows of a list in parts of so many, one part at least. */
export function partsOf(rows, most) {
  const parts = [];
  for (let start = 0; start < rows.length; start += most) {
    parts.push(rows.slice(start, start + most));
  }
  return parts.length ? parts : [[]];
}
