/** Commands to the table: each has a name of its own, so that one sent twice counts once. */

import { ANSWER_MS, timeLimit } from "./line.js";

const TRIES_MS = [0, 700, 2000];

/** A name for a command. `crypto.randomUUID` is not there on plain http in a hall, random numbers are. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * Send a command, again if the line is broken.
 * @param {Object<string, any>} command
 * @param {{token?: string|null, address?: string, fetch?: typeof fetch, wait?: (ms: number) => Promise<void>, limit_ms?: number}} [means]
 * @returns {Promise<{answer: "done"|"refused"|"stale"|"unsent", text?: string|null, event?: number}>}
 */
export async function send(command, { token = null, address = "/api/v1/commands", fetch: ask = (...given) => fetch(...given), wait = pause, limit_ms = ANSWER_MS } = {}) {
  const headers = { "Content-Type": "application/json", ...(token ? { "X-Token": token } : {}) };
  const body = JSON.stringify({ id: newId(), ...command });
  for (const ms of TRIES_MS) {
    await wait(ms);
    try {
      const response = await ask(address, { method: "POST", headers, body, credentials: "same-origin", signal: timeLimit(limit_ms) });
      if (response.status < 500) {
        const said = await response.json();
        return response.ok ? said : { answer: "refused", text: said.text ?? said.detail ?? null };
      }
    } catch {
      // The line is broken; the next try has the same id.
    }
  }
  return { answer: "unsent", text: null };
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
