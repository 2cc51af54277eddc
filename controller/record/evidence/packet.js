// Checks a packet in the browser and shows what is in it. Before this stand LANGUAGE and WORDS, the texts.
// Everything on the page is made here, so that what a changed page says can never look checked: the page's
// policy runs this script only as it was written.
"use strict";

// --- digests and signatures; what the browser does not have is worked out in plain numbers ------------------

const utf8 = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function unhex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error("not hexadecimal");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function primes(count) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime)) found.push(number);
  }
  return found;
}

// The first 64 bits after the point of the square root (degree 2) or the cube root (3) of a prime: the constants
// of SHA-2 (FIPS 180-4, section 4.2).
function rootBits(prime, degree) {
  const target = BigInt(prime) << BigInt(64 * degree);
  let low = 0n, high = 1n << 72n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(degree) <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

const CUBES = primes(80).map((prime) => rootBits(prime, 3));
const SQUARES = primes(8).map((prime) => rootBits(prime, 2));
const CUBES_32 = Uint32Array.from(CUBES.slice(0, 64), (bits) => Number(bits >> 32n));
const SQUARES_32 = SQUARES.map((bits) => Number(bits >> 32n));

function padded(message, block) {
  const length = Math.ceil((message.length + 1 + block / 8) / block) * block;
  const out = new Uint8Array(length);
  out.set(message);
  out[message.length] = 0x80;
  new DataView(out.buffer).setBigUint64(length - 8, BigInt(message.length) * 8n);
  return out;
}

function plainSha256(message) {
  const data = new DataView(padded(message, 64).buffer);
  const state = Uint32Array.from(SQUARES_32), w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let start = 0; start < data.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getUint32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + CUBES_32[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setUint32(4 * i, value));
  return new Uint8Array(out.buffer);
}

function plainSha512(message) {
  const data = new DataView(padded(message, 128).buffer), cut = (x) => BigInt.asUintN(64, x);
  const turn = (x, n) => (x >> n) | cut(x << (64n - n));
  const state = [...SQUARES], w = new Array(80);
  for (let start = 0; start < data.byteLength; start += 128) {
    for (let i = 0; i < 16; i++) w[i] = data.getBigUint64(start + 8 * i);
    for (let i = 16; i < 80; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = cut(w[i - 16] + w[i - 7] + (turn(a, 1n) ^ turn(a, 8n) ^ (a >> 7n)) + (turn(b, 19n) ^ turn(b, 61n) ^ (b >> 6n)));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const one = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (cut(~e) & g)) + CUBES[i] + w[i];
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, cut(d + one), c, b, a, cut(one + two)];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = cut(state[i] + value); });
  }
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((value, i) => out.setBigUint64(8 * i, value));
  return new Uint8Array(out.buffer);
}

// Ed25519 (RFC 8032): points as X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z.
const P = 2n ** 255n - 19n, ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (x) => ((x % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  for (base = mod(base); exponent; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % P;
    base = (base * base) % P;
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n)), ROOT = power(2n, (P - 1n) / 4n);

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D), d = mod(2n * z1 * z2);
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(number, point) {
  let result = [0n, 1n, 1n, 0n];
  for (; number; number >>= 1n) {
    if (number & 1n) result = add(result, point);
    point = add(point, point);
  }
  return result;
}

const littleEndian = (bytes) => BigInt("0x" + (hex(Uint8Array.from(bytes).reverse()) || "0"));

// The point that 32 bytes stand for, null if there is none.
function pointOf(bytes) {
  const whole = littleEndian(bytes), odd = whole >> 255n, y = whole & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n), v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  if (mod(v * x * x) === mod(-u)) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && odd)) return null;
  if ((x & 1n) !== odd) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE = pointOf(unhex("58" + "66".repeat(31)));

function plainVerify(key, signature, message) {
  const a = pointOf(key), r = pointOf(signature.slice(0, 32)), s = littleEndian(signature.slice(32));
  if (!a || !r || s >= ORDER) return false;
  const joined = new Uint8Array(64 + message.length);
  joined.set(signature.slice(0, 32));
  joined.set(key, 32);
  joined.set(message, 64);
  const k = littleEndian(plainSha512(joined)) % ORDER;
  const [x1, y1, z1] = times(s, BASE), [x2, y2, z2] = add(r, times(k, a));
  return mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n;
}

const subtle = globalThis.crypto?.subtle;

async function sha256(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : plainSha256(bytes);
}

async function verify(key, signature, text) {
  const message = utf8.encode(text);
  if (key.length !== 32 || signature.length !== 64) return false;
  let known = null;
  try {
    known = await subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return plainVerify(key, signature, message);
  }
  return subtle.verify({ name: "Ed25519" }, known, signature, message);
}

// Five groups of five signs from the first 125 bits, as Pointsman prints them.
async function fingerprint(bytes) {
  const number = BigInt("0x" + hex(await sha256(bytes))) >> 131n;
  const signs = Array.from({ length: 25 }, (_, i) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[Number((number >> BigInt(120 - 5 * i)) & 31n)]);
  return signs.join("").match(/.{5}/g).join("-");
}

const plainCode = (text) =>
  (text.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1").match(/.{1,5}/g) ?? []).join("-");

// --- the packet ------------------------------------------------------------------------------------------

const COMMENT = "pointsman packet 1 sha256 ", DIGEST = 64;

class Changed extends Error {}

const say = (name, values = {}) => WORDS[name].replace(/\{(\w+)\}/g, (_, each) => String(values[each]));
const read = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

// The files of a ZIP without compression, by name.
function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - DIGEST - COMMENT.length - 22;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Changed(say("unreadable"));
  const held = new Map();
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count; count--) {
    const size = view.getUint32(at + 24, true), names = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    held.set(read(bytes.subarray(at + 46, at + 46 + names)), bytes.subarray(from, from + size));
    at += 46 + names + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return held;
}

async function eventsOf(bytes) {
  const events = [];
  let before = "", from = 0;
  while (from < bytes.length) {
    const to = bytes.indexOf(10, from), line = bytes.subarray(from, to), number = events.length + 1;
    let entry = [];
    try {
      entry = JSON.parse(read(line));
    } catch { /* told below */ }
    if (to < 0 || entry[0] !== before || entry[1] !== number) throw new Changed(say("bad_chain", { event: number }));
    before = hex(await sha256(line));
    const [, id, match, utc, t, kind, payload] = entry;
    events.push({ id, match, utc, t, kind, payload: kind === "input" ? null : JSON.parse(payload), chain: before });
    from = to + 1;
  }
  return events;
}

async function sealsOf(events) {
  const found = [];
  let key = null, games = 0;
  const gamesUpTo = events.map((event) => (games += event.kind === "game"));
  for (const event of events.filter((each) => each.kind === "seal")) {
    const said = event.payload;
    const text = `pointsman seal 1\nby ${said.by}\nname ${said.name}\nutc ${said.utc}\nevent ${said.event}\nchain ${said.chain}\nprogram ${said.program}\nkey ${said.key}\n`;
    let fault = null;
    if (!/^[0-9a-f]{64}$/.test(said.key) || !/^[0-9a-f]{128}$/.test(said.signature)) fault = "unreadable";
    else if (said.event >= event.id || events[said.event - 1]?.chain !== said.chain) fault = "other_chain";
    else if (!(await verify(unhex(said.key), unhex(said.signature), text))) fault = "forged";
    else if (said.by === "table" && key !== null && said.key !== key) fault = "other_key";
    if (said.by === "table" && fault === null) key = said.key;
    found.push({ ...said, at: event.id, fault, game: gamesUpTo[said.event - 1], code: await fingerprint(utf8.encode(text)) });
  }
  return found;
}

// Checks a packet step by step; a step that fails ends it. Gives the steps and what was read so far.
async function examine(bytes) {
  const found = { steps: [], faults: [], events: [], seals: [], held: new Map(), sealed: 0 };
  const step = async (name, work) => {
    try {
      const text = await work();
      found.steps.push({ name, state: text === say("no_seals") || text === say("not_signed") ? "none" : "yes", text });
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
      if (end < 0 || hex(await sha256(bytes.subarray(0, end))) !== tail) throw new Changed(say("bad_file"));
      return say("good_file");
    }],
    ["step_files", async () => {
      found.held = unzip(bytes);
      found.manifest = JSON.parse(read(found.held.get("manifest.json")));
      const listed = Object.entries(found.manifest.files);
      for (const [name, digest] of listed) {
        if (!found.held.has(name) || hex(await sha256(found.held.get(name))) !== digest) throw new Changed(say("bad_files", { name }));
      }
      const stray = [...found.held.keys()].find((name) => !(name in found.manifest.files) && !["manifest.json", "manifest.sig"].includes(name));
      if (stray) throw new Changed(say("bad_files", { name: stray }));
      return say("good_files", { count: listed.length });
    }],
    ["step_chain", async () => {
      found.events = await eventsOf(found.held.get("journal.jsonl"));
      return say("good_chain", { count: found.events.length });
    }],
    ["step_pictures", async () => {
      const named = new Set(found.events.filter((event) => event.kind === "evidence").flatMap((event) => event.payload.pictures.map((picture) => picture.sha256)));
      const names = [...found.held.keys()].filter((name) => name.startsWith("pictures/"));
      for (const name of names) {
        const digest = hex(await sha256(found.held.get(name)));
        if (name !== `pictures/${digest}.jpg` || !named.has(digest)) throw new Changed(say("bad_picture", { name }));
      }
      return say("good_pictures", { count: names.length });
    }],
    ["step_seals", async () => {
      found.seals = await sealsOf(found.events);
      const bad = found.seals.find((seal) => seal.fault);
      if (bad) throw new Changed(say("bad_seal", { event: bad.at, fault: say(`fault_${bad.fault}`) }));
      found.sealed = Math.max(0, ...found.seals.filter((seal) => seal.by === "table").map((seal) => seal.event));
      return found.seals.length ? say("good_seals", { count: found.seals.length }) : say("no_seals");
    }],
    ["step_signature", async () => {
      if (!found.held.has("manifest.sig")) return say("not_signed");
      const [, key, signature] = read(found.held.get("manifest.sig")).match(/^key ([0-9a-f]{64})\nsignature ([0-9a-f]{128})\n$/);
      const text = `pointsman packet 1\nmanifest ${hex(await sha256(found.held.get("manifest.json")))}\n`;
      if (!(await verify(unhex(key), unhex(signature), text))) throw new Changed(say("bad_signature"));
      return say("good_signature", { code: await fingerprint(unhex(key)) });
    }],
  ];
  for (const [name, work] of steps) if (!(await step(name, work))) break;
  const table = found.seals.filter((seal) => seal.by === "table");
  found.key = table.length ? await fingerprint(unhex(table[table.length - 1].key)) : null;
  const later = found.seals.filter((seal) => seal.at > found.sealed).length;
  found.after = found.events.length - found.sealed - later;
  return found;
}

// --- the page --------------------------------------------------------------------------------------------

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function table(head, rows, kind) {
  const cells = (row) => row.map((cell, i) => make("td", { "data-head": head[i] }, cell));
  return make("table", { class: kind }, make("thead", {}, make("tr", {}, ...head.map((word) => make("th", { scope: "col" }, word)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells(row)))));
}

const section = (name, ...children) => make("section", {}, make("h2", {}, say(name)), ...children);

function verdict(found) {
  if (found.faults.length) return ["bad", say("bad"), say("bad_why")];
  if (!found.sealed) return ["open", say("unsealed"), say("unsealed_why")];
  const tail = found.after ? " " + say("tail", { count: found.after }) : "";
  return [found.after ? "open" : "good", say("good"), say("good_why", { event: found.sealed, key: found.key }) + tail];
}

function heading(found) {
  const match = found.events.find((event) => event.kind === "match" && event.match === found.manifest.match);
  const { light, dark, facts = {} } = match.payload;
  const where = [facts.event, facts.round, facts.table, facts.place, facts.played_on].filter(Boolean).join(" · ");
  return [`${light || say("by_light")} - ${dark || say("by_dark")}`, where];
}

function codeCheck(found) {
  const field = make("input", { id: "code", autocomplete: "off", spellcheck: "false", size: "34", placeholder: "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX" });
  const answer = make("p", { id: "answer", role: "status" });
  field.addEventListener("input", () => {
    const code = plainCode(field.value), seal = found.seals.find((each) => each.code === code);
    answer.className = seal ? "yes" : code.length < 29 ? "" : "no";
    answer.textContent = seal ? say("code_found", { game: seal.game, event: seal.event }) : code.length < 29 ? "" : say("code_missing");
  });
  return make("div", { class: "code" }, make("label", { for: "code" }, say("code_ask")), field, answer);
}

function sealTable(found) {
  const who = (seal) => [say(`by_${seal.by}`), seal.name].filter(Boolean).join(", ");
  const rows = found.seals.map((seal) => [String(seal.game), who(seal), seal.utc.slice(0, 16).replace("T", " "), String(seal.event), make("code", {}, seal.code)]);
  return table([say("game"), say("who"), say("when"), say("up_to"), say("code")], rows, "stacked");
}

function namesOf(found) {
  const { light, dark } = found.events.find((event) => event.kind === "match" && event.match === found.manifest.match).payload;
  return { light: light || say("by_light"), dark: dark || say("by_dark") };
}

// A figure of a picture that the journal names, if the packet has it.
function figure(found, picture) {
  const bytes = found.held.get(`pictures/${picture.sha256}.jpg`);
  if (!bytes) return null;
  const caption = `${say(picture.role)}, ${picture.t.toFixed(1)} s`;
  const image = make("img", { src: URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" })), alt: caption });
  return make("figure", {}, image, make("figcaption", {}, caption));
}

// The numbers of the events of turns that were taken back at the table.
function undoneTurns(events) {
  const undone = new Set();
  let running = [];
  for (const { id, kind, payload } of events) {
    if (kind === "game") running = [];
    if (kind === "turn") running.push({ id, ply: payload.ply });
    if (kind === "undone") for (const each of running) if (each.ply >= payload.ply) undone.add(each.id);
  }
  return undone;
}

function turns(found) {
  const match = found.manifest.match, shown = [];
  let game = 0;
  const undone = undoneTurns(found.events.filter((each) => each.match === match));
  const names = namesOf(found), pictures = new Map(found.events.filter((each) => each.kind === "evidence").map((each) => [each.payload.of, each.payload.pictures]));
  for (const event of found.events.filter((each) => each.match === match)) {
    if (event.kind === "game") game++;
    const named = pictures.get(event.id) ?? [], said = event.payload, turn = event.kind === "turn";
    const figures = named.map((picture) => figure(found, picture)).filter(Boolean);
    // A plain turn may share a picture with a flagged one beside it; it is not shown for that.
    if (!figures.length || (turn && said.legal && figures.length < named.length)) continue;
    const dice = said.dice?.length ? `, ${said.dice.join("-")}` : "";
    const text = said.move ? `${names[said.player]}${dice}: ${said.move}` : event.kind;
    const state = undone.has(event.id) ? "undone" : turn ? (said.legal ? "legal" : said.stands ? "stands" : "illegal") : event.kind === "flagged" ? "flagged" : "doubt";
    const reasons = (said.reasons ?? []).map((reason) => make("li", {}, reason.text));
    shown.push(make("article", {}, make("h3", {}, say("turn", { game, ply: said.ply ?? "-" }), " ", text),
      make("p", { class: `state ${state}` }, say(state)), reasons.length ? make("ul", {}, ...reasons) : null,
      make("div", { class: "figures" }, ...figures)));
  }
  return shown;
}

function results(found) {
  const rows = [];
  for (const event of found.events.filter((each) => each.match === found.manifest.match)) {
    if (event.kind === "game") rows.push([String(rows.length + 1), `${event.payload.light_score} – ${event.payload.dark_score}`, "–"]);
    if (event.kind === "result" && rows.length) rows[rows.length - 1][2] = `${namesOf(found)[event.payload.winner]}: ${event.payload.points}`;
  }
  return table([say("game"), say("score"), say("result")], rows, "plain");
}

const points = (...names) => make("ul", {}, ...names.map((name) => make("li", {}, say(name))));

function frame(...children) {
  document.documentElement.lang = LANGUAGE;
  document.title = WORDS.title;
  const page = document.getElementById("page") ?? document.body.appendChild(make("main", { id: "page" }));
  page.replaceChildren(...children.filter(Boolean));
}

function chooser() {
  const input = make("input", { type: "file", id: "file" });
  input.addEventListener("change", async () => { if (input.files.length) await open(input.files[0]); });
  return make("p", { class: "choose" }, make("label", { for: "file" }, say("choose")), input);
}

async function open(file) {
  await show(new Uint8Array(await file.arrayBuffer()));
}

const proof = () => [section("proves", points("proves_journal", "proves_pictures", "proves_signers")), section("proves_not", points("not_seen", "not_card", "not_tail", "not_time", "not_pin", "not_page"))];

async function show(bytes) {
  frame(make("h1", {}, say("title")), make("p", { id: "working" }, say("working")));
  const found = await examine(bytes);
  const [kind, head, why] = verdict(found);
  const faults = make("ul", {}, ...found.faults.map((fault) => make("li", {}, fault)));
  const banner = make("div", { id: "verdict", class: kind, role: "status" }, make("strong", {}, head), make("p", {}, why), found.faults.length ? faults : null);
  const steps = make("ol", { class: "steps" }, ...found.steps.map((each) => make("li", { class: each.state }, make("b", {}, say(each.name)), make("span", {}, each.text))));
  const whole = !found.faults.length;
  const [title, where] = whole ? heading(found) : [say("title"), ""];
  const shown = whole ? turns(found) : [];
  frame(make("p", { class: "eyebrow" }, say("title")), make("h1", {}, title), where ? make("p", { class: "quiet" }, where) : null, banner,
    whole ? section("games", results(found)) : null,
    whole && found.seals.length ? section("seals", make("p", {}, say("key_code"), " ", make("code", {}, found.key ?? "–")), sealTable(found), codeCheck(found)) : null,
    section("checked", steps),
    shown.length ? section("turns", ...shown) : null,
    whole ? section("rules", make("details", {}, make("summary", {}, say("show_rules")), make("pre", {}, read(found.held.get("rules.txt"))))) : null,
    ...(whole ? proof() : []), section("other", chooser()),
    whole ? make("p", { class: "quiet" }, read(found.held.get("versions.json")).replace(/[{}"\n]/g, "").trim()) : null);
}

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) await open(event.dataTransfer.files[0]);
});

(async () => {
  const packed = document.getElementById("packet")?.textContent.trim() ?? "";
  if (!packed) {
    frame(make("h1", {}, say("title")), make("p", { class: "lead" }, say("drop")), chooser(), ...proof());
    return;
  }
  let bytes = new Uint8Array();
  try {
    bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  } catch { /* told as a file that was changed */ }
  await show(bytes);
})();
