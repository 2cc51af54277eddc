// Shows in the browser what is in a packet and how far somebody vouches for it. Before this stand `signatures.js`,
// `packet_match.js`, `packet_file.js`, and LANGUAGE, WORDS and RULES, the texts and what they say of rules.
// Everything on the page is made here, so that what a changed page says can never look checked: the page's
// policy runs this script only as it was written.
"use strict";

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
const list = (items) => make("ul", {}, ...items.map((item) => make("li", {}, item)));

// How far somebody vouches: the kind of the verdict, its headline and why.
function verdict({ faults, sealed, after, key, keyCode, signed }) {
  const values = { event: sealed, key: keyCode, count: after };
  if (faults.length) return ["bad", say("bad"), say("bad_why")];
  if (!sealed) return ["open", say("unsealed"), say("unsealed_why")];
  if (after) return ["open", say("tail", values), say("tail_why", values)];
  if (!signed) return ["open", say("sealed", values), say("sealed_why", values)];
  return ["good", say("good"), say("good_why", values)];
}

function namesOf(match) {
  const { light, dark } = match.begun.payload;
  return { light: light || say("by_light"), dark: dark || say("by_dark") };
}

function heading(match) {
  const { light, dark } = namesOf(match), facts = match.begun.payload.facts ?? {};
  return [`${light} - ${dark}`, [facts.event, facts.round, facts.table, facts.place, facts.played_on].filter(Boolean).join(" · ")];
}

// --- seals -----------------------------------------------------------------------------------------------

const who = (seal) => [say(`by_${seal.by}`), seal.name].filter(Boolean).join(", ");

// A countersignature shows that a key signed. Whose key it is, only its owner can tell.
function whoseKey(found, seal) {
  if (seal.by === "table") return null;
  return make("span", { class: "quiet" }, seal.key === found.key ? say("table_key") : say("unknown_key"), " ", make("span", { class: "key" }, seal.keyCode));
}

function sealTable(found) {
  const signer = (seal) => make("span", {}, who(seal), seal.by === "table" ? null : make("br"), whoseKey(found, seal));
  const rows = found.seals.map((seal) => [String(seal.game), signer(seal), seal.utc.slice(0, 16).replace("T", " "), String(seal.event), make("code", {}, seal.code)]);
  return table([say("game"), say("who"), say("when"), say("up_to"), say("code")], rows, "stacked");
}

function codeCheck(found) {
  const field = make("input", { id: "code", autocomplete: "off", spellcheck: "false", size: "34", placeholder: "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX" });
  const answer = make("p", { id: "answer", role: "status" });
  const meaning = (code) => {
    const seal = found.seals.find((each) => each.code === code && each.by === "table");
    if (seal) return say("code_found", { game: seal.game, event: seal.event });
    if (code === found.keyCode) return say("key_found");
    const signer = found.seals.find((each) => each.code === code || each.keyCode === code);
    return signer ? say("signer_found", { who: who(signer), event: signer.event }) : null;
  };
  field.addEventListener("input", () => {
    const code = plainCode(field.value), known = meaning(code), whole = code.length >= 29;
    answer.className = known ? "yes" : whole ? "no" : "";
    answer.textContent = known ?? (whole ? say("code_missing") : "");
  });
  return make("div", { class: "code" }, make("label", { for: "code" }, say("code_ask")), field, answer);
}

// --- the match -------------------------------------------------------------------------------------------

// A figure of a picture that the journal names, or that it is not in the packet.
function figure(found, picture) {
  const bytes = found.held.get(`pictures/${picture.sha256}.jpg`), caption = `${say(picture.role)}, ${picture.t.toFixed(1)} s`;
  if (!bytes) return make("figure", { class: "missing" }, make("figcaption", {}, `${caption}: ${say("no_picture")}`));
  const image = make("img", { src: URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" })), alt: caption });
  return make("figure", {}, image, make("figcaption", {}, caption));
}

const turnText = (names, said) => `${names[said.player]}${said.dice.length ? `, ${said.dice.join("-")}` : ""}: ${said.move ?? "–"}`;
// A turn that nobody confirmed is neither: it accuses nobody.
const verdictOf = (said) => (said.legal === null ? "unconfirmed" : said.legal ? "legal" : said.stands ? "stands" : "illegal");
const resultText = (names, result) => (result ? `${names[result.winner]}: ${result.points}` : "–");

function results(match) {
  const names = namesOf(match);
  const rows = match.games.map((game, i) => [String(i + 1), `${game.light} – ${game.dark}`, resultText(names, game.result)]);
  return table([say("game"), say("score"), say("result")], rows, "plain");
}

// What a correction says, in words; what it is about may be gone by another one.
function correctionText(match, event) {
  const said = event.payload, names = namesOf(match);
  const number = match.games.findIndex((game) => game.event === said.game) + 1;
  const game = number ? say("of_game", { game: number }) : say("of_void_game");
  const turn = said.turn ?? {}, of = match.games[number - 1]?.entries.find((entry) => entry.event === said.of)?.said.ply;
  const what = {
    undo: () => say("correction_undo"),
    turn: () => say("correction_turn", { ply: turn.ply + 1, name: `${(turn.dice ?? []).join("-")} ${turn.move ?? "–"}` }),
    cube: () => say("correction_cube"),
    score: () => say("correction_score", { name: `${said.light} – ${said.dark}` }),
    result: () => say("correction_result", { name: resultText(names, said.result) }),
    void: () => say("correction_void"),
    ruling: () => of === undefined ? say("correction_ruling", { name: said.text }) : say("correction_ruling_on", { ply: of + 1, name: said.text }),
    revoke: () => say("correction_revoke", { number: said.revokes }),
  }[said.action]();
  const by = said.by ? say("corrected_by", { who: said.by }) : "", why = said.why ? `(${said.why})` : "";
  const taken = match.revoked.has(event.id) ? say("taken_back_by", { number: match.revoked.get(event.id) }) : "";
  return [`${event.id}.`, said.action === "revoke" ? "" : game, what, by, why, taken].filter(Boolean).join(" ");
}

const corrections = (match) => list(match.corrections.map((event) => correctionText(match, event)));

// Turns and doubts of which there are pictures to show: the events after `from` up to `to`, with the pictures that
// were named up to there.
function turns(found, match, from, to) {
  const shown = [], names = namesOf(match);
  const entries = new Map(match.games.flatMap((game) => game.entries).map((entry) => [entry.event, entry]));
  let game = null;
  for (const event of found.events.slice(0, to).filter((each) => each.match === found.manifest.match)) {
    if (event.kind === "game") game = event.id;
    const { at, pictures: named } = found.named.get(event.id) ?? { at: 0, pictures: [] }, said = event.payload, turn = event.kind === "turn";
    const kept = named.filter((picture) => found.held.has(`pictures/${picture.sha256}.jpg`));
    // A plain turn may share a picture with a flagged one beside it; it is not shown for that.
    if (event.id <= from || at > to || !named.length || (isPlain(event) && kept.length < named.length)) continue;
    const number = match.games.findIndex((each) => each.event === game) + 1;
    // Turns are counted from 1, as on the pages of the table.
    const ply = Number.isInteger(said.ply) ? said.ply + 1 : "-", where = number ? say("turn", { game: number, ply }) : say("turn_of_void", { ply });
    const undone = match.undone.has(event.id), state = undone ? "undone" : turn ? verdictOf(said) : event.kind === "flagged" ? "flagged" : "doubt";
    const reasons = (said.reasons ?? []).map((reason) => reason.text), entry = entries.get(event.id);
    const now = !turn || undone ? null : !entry ? say("taken_back") : entry.corrected ? say("corrected", { number: entry.corrected, name: turnText(names, entry.said) }) : null;
    shown.push(make("article", {}, make("h3", {}, where, " ", turn ? turnText(names, said) : event.kind),
      make("p", { class: `state ${state}` }, say(state)), now === null ? null : make("p", {}, now),
      reasons.length ? list(reasons) : null,
      make("div", { class: "figures" }, ...named.map((picture) => figure(found, picture)))));
  }
  return shown;
}

// The rules in words, from the values that the journal has; the file with the rules in words is not asked.
function rulesOf(match) {
  const profiles = match.begun.payload.terms?.profiles ?? [{ name: "standard", title: "", rules: RULES.standard }];
  return profiles.flatMap((profile) => {
    const said = (key) => RULES.sentences[key]?.[String(profile.rules[key])] ?? `${key} = ${profile.rules[key]}`;
    const differs = (key) => profile.rules[key] !== RULES.standard[key];
    const keys = Object.keys(profile.rules).filter((key) => (profile.rules["cube.enabled"] || key === "cube.enabled" || !key.startsWith("cube.")) && (differs(key) || !RULES.family.includes(key)));
    keys.sort((one, other) => RULES.order.indexOf(one) - RULES.order.indexOf(other));
    const apart = keys.filter(differs), rest = keys.filter((key) => !differs(key));
    return [make("h3", {}, [profile.title, profile.name].filter(Boolean).join(", ")),
      make("p", {}, say(apart.length ? "rules_apart" : "rules_same")), list(apart.map(said)),
      make("p", {}, say("rules_rest")), list(rest.map(said))];
  });
}

// What the events after `from` up to `to` tell of a match that began among them: games, corrections, turns, rules.
function content(found, match, from, to) {
  const shown = turns(found, match, from, to);
  return [section("games", results(match)),
    match.corrections.length ? section("corrections", corrections(match)) : null,
    shown.length ? section("turns", ...shown) : null,
    section("rules", make("details", {}, make("summary", {}, say("show_rules")), ...rulesOf(match)))].filter(Boolean);
}

// --- what has no seal ------------------------------------------------------------------------------------

// One line for each turn, result and correction after the last seal, and a number for everything else.
function laterEvents(found, whole, events) {
  const names = namesOf(whole), lines = [], others = new Map();
  for (const event of events) {
    const said = event.payload, own = event.match === found.manifest.match;
    if (event.kind === "seal") continue;
    if (own && event.kind === "turn") lines.push(`${event.id}. ${turnText(names, said)}${said.legal === null ? ` (${say("unconfirmed")})` : ""}`);
    else if (own && event.kind === "result") lines.push(`${event.id}. ${say("result")} ${resultText(names, said)}`);
    else if (own && event.kind === "correction") lines.push(correctionText(whole, event));
    else others.set(event.kind, (others.get(event.kind) ?? 0) + 1);
  }
  return list([...lines, ...[...others].map(([kind, count]) => `${kind}: ${count}`)]);
}

function laterBox(found, whole) {
  const { sealed, named } = found, last = found.events.length, events = found.events.slice(sealed);
  const begun = whole.begun.id > sealed, added = [...named].filter(([of, { at }]) => of <= sealed && at > sealed);
  const shown = begun ? [make("h3", {}, heading(whole)[0]), ...content(found, whole, sealed, last)] : [laterEvents(found, whole, events), ...turns(found, whole, sealed, last)];
  const pictures = added.map(([of, { pictures }]) => make("div", {}, make("p", {}, say("later_pictures", { event: of })),
    make("div", { class: "figures" }, ...pictures.map((picture) => figure(found, picture)))));
  return make("section", { id: "later" }, make("h2", {}, say("later")), sealed ? make("p", {}, say("later_why", { event: sealed })) : null, ...shown, ...pictures);
}

// --- the page --------------------------------------------------------------------------------------------

const points = (...names) => list(names.map((name) => say(name)));

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

const proof = ({ sealed = true } = {}) => [sealed ? section("proves", points("proves_journal", "proves_pictures", "proves_signers")) : null, section("proves_not", points("not_seen", "not_card", "not_tail", "not_signers", "not_time", "not_pin", "not_page"))];

// What a packet without a fault tells; what comes after the last seal stands in its box and nowhere else.
function told(found) {
  const name = found.manifest.match, whole = matchIn(found.events, name);
  const match = matchIn(found.events.slice(0, found.sealed), name);
  const [title, where] = match.begun ? heading(match) : [say("title"), ""];
  return {
    title, where,
    content: match.begun ? content(found, match, 0, found.sealed) : [],
    seals: found.seals.length ? section("seals", make("p", {}, say("key_code"), " ", make("code", {}, found.keyCode ?? "–")), sealTable(found), codeCheck(found)) : null,
    later: !found.sealed || found.after ? laterBox(found, whole) : null,
    versions: found.signed ? make("p", { class: "quiet" }, read(found.held.get("versions.json")).replace(/[{}"\n]/g, "").trim()) : null,
  };
}

async function show(bytes) {
  frame(make("h1", {}, say("title")), make("p", { id: "working" }, say("working")));
  const found = await examine(bytes);
  found.keyCode = found.key === null ? null : await fingerprint(unhex(found.key));
  let shown = { title: say("title"), where: "", content: [], seals: null, later: null, versions: null };
  try {
    if (!found.faults.length) shown = told(found);
  } catch {
    found.faults.push(say("unreadable"));
  }
  const [kind, head, why] = verdict(found), whole = !found.faults.length;
  const banner = make("div", { id: "verdict", class: kind, role: "status" }, make("strong", {}, head), make("p", {}, why), whole ? null : list(found.faults));
  const steps = make("ol", { class: "steps" }, ...found.steps.map((each) => make("li", { class: each.state }, make("b", {}, say(each.name)), make("span", {}, each.text))));
  frame(make("p", { class: "eyebrow" }, say("title")), make("h1", {}, shown.title), shown.where ? make("p", { class: "quiet" }, shown.where) : null, banner,
    ...shown.content, shown.later, shown.seals, section("checked", steps), ...(whole ? proof({ sealed: found.sealed > 0 }) : []), section("other", chooser()), shown.versions);
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
