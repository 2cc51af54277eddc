// Reads a packet as strictly as `packet_file.py` and `packet.py` do, so that the command and the page read the same
// files and events; only of the events of a match the command reads more than the page shows. Nothing is shown before
// every step has passed.
"use strict";

const COMMENT = "pointsman packet 1 sha256 ", DIGEST = 64;
const DEEPEST = 50, ROLES = ["before", "between", "after"], SIGNERS = ["table", "light", "dark", "director"];
const SHA256 = /^[0-9a-f]{64}$/, SIGNATURE = /^[0-9a-f]{128}$/, NOT_ON_A_LINE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]/u;

class Changed extends Error {}

const say = (name, values = {}) => WORDS[name].replace(/\{(\w+)\}/g, (_, each) => String(values[each]));
const read = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const isText = (value) => typeof value === "string";
const owns = (object, name) => Object.prototype.hasOwnProperty.call(object, name);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function need(holds, why = say("unreadable")) {
  if (!holds) throw new Changed(why);
}

// The files of a ZIP without compression, by name: one behind the other, then the list of them, then the end.
function filesIn(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - DIGEST - COMMENT.length - 22;
  const two = (at) => view.getUint16(at, true), four = (at) => view.getUint32(at, true);
  need(end >= 0 && four(end) === 0x06054b50 && four(end + 4) === 0 && two(end + 8) === two(end + 10) && two(end + 20) === COMMENT.length + DIGEST);
  need(read(bytes.subarray(end + 22, end + 22 + COMMENT.length)) === COMMENT);
  const held = new Map(), list = four(end + 16);
  let at = list, place = 0;
  for (let count = two(end + 10); count; count--) {
    const size = four(at + 24), named = two(at + 28), name = read(bytes.subarray(at + 46, at + 46 + named));
    need(four(at) === 0x02014b50 && four(at + 8) === 0 && four(at + 20) === size);
    need(four(at + 30) === 0 && two(at + 34) === 0 && four(at + 42) === place);
    const start = place + 30 + named;
    need(four(place) === 0x04034b50 && four(place + 6) === 0 && four(place + 18) === size && four(place + 22) === size);
    need(two(place + 26) === named && two(place + 28) === 0 && start + size <= bytes.length);
    need(read(bytes.subarray(place + 30, start)) === name && /^[\x00-\x7f]*$/.test(name) && !held.has(name));
    held.set(name, bytes.subarray(start, start + size));
    at += 46 + named;
    place = start + size;
  }
  need(place === list && at === end && list + four(end + 12) === end);
  return held;
}

function isShallow(value, left = DEEPEST) {
  if (typeof value !== "object" || value === null) return left >= 0;
  return left >= 0 && Object.values(value).every((each) => isShallow(each, left - 1));
}

function parsed(text) {
  const value = JSON.parse(text);
  need(isShallow(value));
  return value;
}

async function eventsOf(bytes) {
  const events = [];
  let before = "", from = 0;
  while (from < bytes.length) {
    const to = bytes.indexOf(10, from), line = bytes.subarray(from, to), number = events.length + 1;
    const bad = say("bad_chain", { event: number });
    let entry = [];
    try {
      entry = parsed(read(line));
    } catch { /* told below */ }
    need(to >= 0 && Array.isArray(entry) && entry.length === 7 && entry[0] === before && entry[1] === number, bad);
    const [, id, match, utc, t, kind, text] = entry;
    need([match, utc, kind, text].every(isText) && (t === null || typeof t === "number"), bad);
    const payload = parsed(text);
    need(isObject(payload), bad);
    before = hex(await sha256(line));
    // What the referee was told is most of a journal, and nothing of it is shown.
    events.push({ id, match, utc, t, kind, payload: kind === "input" ? null : payload, chain: before });
    from = to + 1;
  }
  need(events.length > 0);
  return events;
}

// The pictures that the journal names for each turn or doubt, by the number of its event, with the event that names
// them; nothing gets pictures twice.
function picturesNamed(events) {
  const named = new Map();
  for (const event of events.filter((each) => each.kind === "evidence")) {
    const { of, pictures } = event.payload;
    need(Number.isInteger(of) && Array.isArray(pictures));
    need(of >= 1 && of < event.id && events[of - 1].match === event.match && !named.has(of), say("bad_evidence", { event: event.id }));
    for (const { role, frame, t, sha256: digest, seen } of pictures) {
      need(ROLES.includes(role) && Number.isInteger(frame) && typeof t === "number" && SHA256.test(digest) && isText(digest) && isObject(seen));
    }
    named.set(of, { at: event.id, pictures });
  }
  return named;
}

async function sealsOf(events) {
  const found = [];
  let key = null, games = 0;
  const gamesUpTo = events.map((event) => (games += event.kind === "game"));
  for (const event of events.filter((each) => each.kind === "seal")) {
    const said = event.payload, parts = ["name", "utc", "chain", "program", "key", "signature"].map((name) => said[name]);
    const text = `pointsman seal 1\nby ${said.by}\nname ${said.name}\nutc ${said.utc}\nevent ${said.event}\nchain ${said.chain}\nprogram ${said.program}\nkey ${said.key}\n`;
    let fault = null;
    if (!SIGNERS.includes(said.by) || !parts.every(isText) || parts.some((part) => NOT_ON_A_LINE.test(part)) || !Number.isInteger(said.event) ||
        !SHA256.test(said.key) || !SIGNATURE.test(said.signature)) fault = "unreadable";
    else if (said.event < 1 || said.event >= event.id || events[said.event - 1].chain !== said.chain) fault = "other_chain";
    else if (!(await verify(unhex(said.key), unhex(said.signature), text))) fault = "forged";
    else if (said.by === "table" && key !== null && said.key !== key) fault = "other_key";
    if (said.by === "table" && fault === null) key = said.key;
    if (fault === "unreadable") found.push({ at: event.id, fault });
    else {
      const codes = { code: await fingerprint(utf8.encode(text)), keyCode: await fingerprint(unhex(said.key)) };
      found.push({ ...said, ...codes, at: event.id, fault, game: gamesUpTo[said.event - 1], text: `${text}signature ${said.signature}\n` });
    }
  }
  return found;
}

// What is wrong with the signature of a packet, or whose it is.
async function signerOf(held) {
  if (!held.has("manifest.sig")) return null;
  const [, key, signature] = read(held.get("manifest.sig")).match(/^key ([0-9a-f]{64})\nsignature ([0-9a-f]{128})\n$/);
  const text = `pointsman packet 1\nmanifest ${hex(await sha256(held.get("manifest.json")))}\n`;
  need(await verify(unhex(key), unhex(signature), text), say("bad_signature"));
  return key;
}

// Checks a packet step by step; a step that fails ends it. Gives the steps and what was read so far; whatever comes
// after the event `sealed` has no seal, but for the seals themselves.
async function examine(bytes) {
  const found = { steps: [], faults: [], events: [], seals: [], held: new Map(), named: new Map(), sealed: 0, after: 0, key: null, signed: false };
  const step = async (name, work) => {
    try {
      const [state, text] = await work();
      found.steps.push({ name, state, text });
    } catch (error) {
      const text = error instanceof Changed ? error.message : say("unreadable");
      found.steps.push({ name, state: "no", text });
      found.faults.push(text);
    }
    return found.faults.length === 0;
  };
  const steps = [
    ["step_file", async () => {
      const end = bytes.length - DIGEST, tail = String.fromCharCode(...bytes.subarray(Math.max(0, end)));
      need(end >= 0 && hex(await sha256(bytes.subarray(0, end))) === tail, say("bad_file"));
      return ["yes", say("good_file")];
    }],
    ["step_files", async () => {
      found.held = filesIn(bytes);
      found.manifest = parsed(read(found.held.get("manifest.json")));
      const { format, program, match, files } = found.manifest;
      need(format === "pointsman packet 1" && isText(program) && isText(match) && isObject(files));
      for (const [name, digest] of Object.entries(files)) {
        need(found.held.has(name) && hex(await sha256(found.held.get(name))) === digest, say("bad_files", { name }));
      }
      for (const name of found.held.keys()) {
        need(owns(files, name) || ["manifest.json", "manifest.sig"].includes(name), say("bad_files", { name }));
      }
      return ["yes", say("good_files", { count: Object.keys(files).length })];
    }],
    ["step_chain", async () => {
      found.events = await eventsOf(found.held.get("journal.jsonl"));
      need(matchIn(found.events, found.manifest.match).begun);
      return ["yes", say("good_chain", { count: found.events.length })];
    }],
    ["step_pictures", async () => {
      found.named = picturesNamed(found.events);
      const digests = new Set([...found.named.values()].flatMap(({ pictures }) => pictures).map((picture) => picture.sha256));
      const names = [...found.held.keys()].filter((name) => name.startsWith("pictures/"));
      for (const name of names) {
        const digest = hex(await sha256(found.held.get(name)));
        need(name === `pictures/${digest}.jpg` && digests.has(digest), say("bad_picture", { name }));
      }
      const flagged = [...found.named].filter(([of]) => !isPlain(found.events[of - 1])).flatMap(([, { pictures }]) => pictures);
      const missing = new Set(flagged.map((picture) => picture.sha256).filter((digest) => !found.held.has(`pictures/${digest}.jpg`))).size;
      const said = say("good_pictures", { count: names.length });
      return missing ? ["none", `${said} ${say("missing_pictures", { count: missing })}`] : ["yes", said];
    }],
    ["step_seals", async () => {
      found.seals = await sealsOf(found.events);
      const bad = found.seals.find((seal) => seal.fault);
      need(!bad, bad && say("bad_seal", { event: bad.at, fault: say(`fault_${bad.fault}`) }));
      need(read(found.held.get("seals.txt")) === found.seals.map((seal) => seal.text).join("\n"), say("bad_seals_text"));
      const own = found.seals.filter((seal) => seal.by === "table");
      found.key = own.length ? own[0].key : null;
      found.sealed = own.reduce((most, seal) => Math.max(most, seal.event), 0);
      found.after = found.events.length - found.sealed - found.seals.filter((seal) => seal.at > found.sealed).length;
      return found.seals.length ? ["yes", say("good_seals", { count: found.seals.length })] : ["none", say("no_seals")];
    }],
    ["step_signature", async () => {
      const key = await signerOf(found.held);
      if (key === null) return ["none", say("not_signed")];
      const code = await fingerprint(unhex(key));
      need(found.key === null || key === found.key, say("other_signer", { code }));
      found.signed = key === found.key;
      return [found.signed ? "yes" : "none", say(found.signed ? "good_signature" : "strange_signature", { code })];
    }],
  ];
  for (const [name, work] of steps) if (!(await step(name, work))) break;
  return found;
}
