/** What the director does: deeds of the tournament, commands to tables, and the name that they are known by. */

import { send } from "../commands.js";
import { element } from "../elements.js";
import { timeLimit } from "../line.js";

const NAME = "pointsman-director";
/** A large draw takes its time. */
const DEED_MS = 60_000;

/** The director's name, for the record; empty until they give one. */
export function directorName() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** Keep the director's name in this browser. */
export function keepDirectorName(name) {
  try {
    localStorage.setItem(NAME, name.trim());
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
}

/**
 * Do something with the tournament.
 * @param {Object<string, any>} deed
 * @returns {Promise<{answer: "done"|"refused"|"unsent", text: string|null}>}
 */
export async function doDeed(deed) {
  try {
    const response = await fetch("/api/v1/evening", {
      method: "POST", credentials: "same-origin", signal: timeLimit(DEED_MS), headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ by: directorName(), ...deed }),
    });
    const said = await response.json().catch(() => ({}));
    return response.ok ? { answer: "done", text: null } : { answer: "refused", text: typeof said.detail === "string" ? said.detail : null };
  } catch {
    return { answer: "unsent", text: null };
  }
}

/** Tell a table something, in the director's name. */
export function tell(table, command) {
  return send({ name: directorName(), ...command }, { address: `/api/v1/tables/${encodeURIComponent(table)}/commands` });
}

/**
 * What the director is to know of records that brought no result; those of earlier matches are no news, and folded up.
 * @param {{table: string, journal: string, earlier: boolean, text: string}[]} notices
 * @param {(deed: Object<string, any>) => void} act
 */
export function noticeTrees(notices, say, act) {
  const tree = (notice, kind) => element("div", { key: `notice-${notice.table}-${notice.journal}`, class: kind }, element("p", { key: "text" }, notice.text),
    element("button", { key: "known", type: "button", on: { click: () => act({ what: "forget", journal: notice.journal }) } }, say("known")));
  const earlier = notices.filter((notice) => notice.earlier);
  return [
    ...notices.filter((notice) => !notice.earlier).map((notice) => tree(notice, "result notice")),
    earlier.length ? element("details", { key: "earlier" }, element("summary", { key: "head" }, say("earlier_records", { count: earlier.length })), earlier.map((notice) => tree(notice, "notice"))) : null,
  ];
}

/** The time of day by the reader's clock, from a time in UTC as it was written; empty where none was. */
export function timeOfDay(utc, seconds = false) {
  const at = new Date(utc);
  const parts = [at.getHours(), at.getMinutes(), ...(seconds ? [at.getSeconds()] : [])];
  return Number.isNaN(at.getTime()) ? "" : parts.map((part) => String(part).padStart(2, "0")).join(":");
}
