/** A table of the hall as a tile: its number, both players with score and clock, and the board. */

import { drawing } from "../board.js";
import { element, sync } from "../elements.js";
import { sign } from "../page.js";
import { boardView, clockAfter, clockText, LOW_S, nameOf, seats } from "../state.js";
import { describe } from "../words.js";
import { titleOf } from "./hall.js";

/** @typedef {import("./hall.js").Table} Table */
/** @typedef {(path: string, values?: Object) => string} Say */

/** The board of a table, as its own page shows it to spectators. */
export function boardOfTable(table, say, name = "") {
  const state = table.screen;
  const view = boardView(state, { upright: false, mirrored: false, silent: !table.up, name: `board-${table.name}${name}` });
  const title = say("hall_board", { table: titleOf(table) });
  return drawing({ ...view, line: null, title, description: describe(state, say) });
}

/** What a table is doing, where its match does not say it. */
export function doing(table, say) {
  if (!table.up) {
    return say("away");
  }
  const state = table.screen;
  if (!state) {
    return say("nothing_shown");
  }
  return state.headline || say(`room.${state.room}`);
}

/** A player's line. */
function line(state, side, say, now_ms) {
  const match = state.match;
  const clock = state.clock ? clockAfter(state.clock, now_ms - state.clock.at_ms) : null;
  const seconds = clock?.[`${side}_s`];
  const won = match.winner === side;
  return element("p", { key: side, class: `who${state.on_turn === side ? " here" : ""}${won ? " won" : ""}` },
    sign(side), element("span", { key: "name", class: "person" }, nameOf(state, side),
      state.on_turn === side ? element("span", { key: "turn", class: "hidden" }, ` – ${say("on_turn")}`) : null),
    clock ? element("span", { key: "clock", class: `time${seconds < LOW_S ? " low" : ""}${clock.runs === side ? " runs" : ""}` }, clockText(seconds)) : null,
    element("b", { key: "score", class: "points" }, element("span", { key: "label", class: "hidden" }, `${say("score")} `), match.score?.[side] ?? 0));
}

/** @param {Table} table @returns {Array<import("../elements.js").Tree|null>} */
export function tile(table, say, { href = null, now_ms = Date.now() } = {}) {
  const state = table.screen;
  const match = state?.match;
  const { far, near } = match ? seats(state) : { far: "dark", near: "light" };
  const heading = href ? element("a", { key: "to", href }, titleOf(table)) : titleOf(table);
  return [
    element("div", { key: "head", class: "tile-head" },
      element("h2", { key: "title" }, heading),
      element("span", { key: "what", class: "small" }, match?.length ? say("match_to", { length: match.length }) : match ? say("money") : ""),
      !table.up ? element("span", { key: "away", class: "away" }, say("away")) : null),
    match ? line(state, far, say, now_ms) : null,
    match && state.position
      ? element("div", { key: "board", class: "board-holder" }, boardOfTable(table, say))
      : element("p", { key: "nothing", class: "nothing" }, doing(table, say)),
    match ? line(state, near, say, now_ms) : null,
  ];
}

/** Tiles in a list; only those whose table has changed are drawn again. */
export class Tiles {
  /** @param {Element} list @param {Say} say @param {(table: Table) => string|null} [hrefOf] @param {() => number} [now] the hub's time */
  constructor(list, say, hrefOf = () => null, now = () => Date.now()) {
    Object.assign(this, { list, say, hrefOf, now });
    /** @type {Map<string, HTMLElement>} */
    this.holders = new Map();
  }

  /** Show these tables in this order. @param {Table[]} tables @param {Set<string>|null} changed null: all */
  show(tables, changed = null) {
    const names = new Set(tables.map(({ name }) => name));
    for (const [name, holder] of this.holders) {
      if (!names.has(name)) {
        holder.remove();
        this.holders.delete(name);
      }
    }
    tables.forEach((table, index) => {
      const known = this.holders.get(table.name);
      const holder = known ?? this.list.ownerDocument.createElement("li");
      if (!known) {
        holder.className = "tile";
        holder.dataset.table = table.name;
        this.holders.set(table.name, holder);
      }
      if (this.list.children[index] !== holder) {
        this.list.insertBefore(holder, this.list.children[index] ?? null);
      }
      if (!known || changed === null || changed.has(table.name)) {
        sync(holder, tile(table, this.say, { href: this.hrefOf(table), now_ms: this.now() }));
      }
    });
  }
}
