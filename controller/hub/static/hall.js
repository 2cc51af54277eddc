/** What the pages of the hall know: every table as it is now, and the tournament; both come over a live channel each. */

import { Line } from "../line.js";
import { offsetAfter } from "../state.js";

/** @typedef {Object<string, any>} Table as `GET /api/v1/tables` lists it, with the state of its screen as `screen` */

/** After this time without a message from the hub, the page says so. */
const SILENT_MS = 6_000;

/** Listens to the hub. */
export class Hall {
  /**
   * @param {Object} given
   * @param {string} given.language
   * @param {boolean} given.asViewer whether to see only what spectators see, whoever opens the page
   * @param {(names: Set<string>|null) => void} given.hear told which tables have changed; null: all, or the tournament
   * @param {() => void} [given.hearTime] called after each time of day that the hub has told
   * @param {Object} [given.means] `Socket`, `now` and `wait` of the lines
   */
  constructor({ language, asViewer, hear, hearTime = () => {}, ...means }) {
    Object.assign(this, { language, asViewer, hear, hearTime });
    /** This device's clock against the hub's; null until the hub has told its time. @type {number|null} */
    this.offset = null;
    /** @type {Map<string, Table>} */
    this.tables = new Map();
    this.troubles = [];
    this.evening = null;
    const line = (path, take) => new Line({ address: () => this.addressOf(path), hear: take, tell: () => this.hear(null), ...means });
    this.lines = [line("hall", (message) => this.takeTable(message)), line("evening/live", (message) => this.takeEvening(message))];
  }

  /** Connect both channels, or connect them anew. */
  open() {
    this.lines.forEach((line) => line.open());
  }

  addressOf(path) {
    const address = new URL(`/api/v1/${path}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("language", this.language);
    if (this.asViewer) {
      address.searchParams.set("as", "viewer");
    }
    return address.href;
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
    if (message.kind === "beat" && typeof message.at_ms === "number") {
      this.offset = offsetAfter(this.offset, message.at_ms);
      this.hearTime();
    } else if (message.kind === "evening") {
      this.evening = message;
      this.hear(null);
    }
  }

  /** What time it is by the hub's clock, milliseconds since 1970. */
  now() {
    return Date.now() - (this.offset ?? 0);
  }

  /** Whether what is shown may be old: nothing was heard of the hub for a while, or one of the channels stays broken. */
  isSilent() {
    const silent = this.lines.filter((line) => line.silence() >= SILENT_MS);
    return silent.length === this.lines.length || silent.some((line) => line.isBroken());
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

/** The rows of a list in parts of this length, one part at least. */
export function partsOf(rows, most) {
  const parts = [];
  for (let start = 0; start < rows.length; start += most) {
    parts.push(rows.slice(start, start + most));
  }
  return parts.length ? parts : [[]];
}
