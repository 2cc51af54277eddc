/** The director's desk: every table by what it needs, and any table opened with its board, matters, rulings and faults. */

import { newId } from "../commands.js";
import { element, sync } from "../elements.js";
import { ageText, courseList, figure, marksOf, matterSign, scoreLine } from "../matters.js";
import { pageData, sign } from "../page.js";
import { clockAfter } from "../state.js";
import { Underway } from "../underway.js";
import { boardTable, speaker } from "../words.js";
import { directorName, doDeed, keepDirectorName, noticeTrees, tell, timeOfDay } from "./deeds.js";
import { Hall, titleOf } from "./hall.js";
import { boardOfTable, doing } from "./tile.js";

const TICK_MS = 1000;
const MOST_EVENTS = 40;
/** Rulings that only the table's own page can carry out. */
const OWN = new Set(["settle"]);
/** What may be said from here in the players' names without anything to be filled in. */
const PLAIN = (choice) => !choice.needs && !choice.options?.length;
const SIGNS = { call: "time", dispute: "dispute", flagged: "illegal", unsure: "unsure", clock: "time", silent: "device", fault: "device", result: "result" };

class DeskPage {
  constructor() {
    const data = pageData();
    this.language = data.language;
    this.say = speaker(data.words, data.language);
    this.pending = null;
    this.notice = null;
    this.underway = new Underway();
    /** What is typed: to all tables, and to each. */
    this.made = { all: "", tables: {} };
    this.events = null;
    this.code = null;
    this.drawing = false;
    this.hall = new Hall({ language: data.language, asViewer: false, hear: () => this.soon() });
  }

  start() {
    this.draw();
    this.hall.open();
    setInterval(() => this.soon(), TICK_MS);
    window.addEventListener("hashchange", () => this.turnTo());
    document.addEventListener("visibilitychange", () => document.hidden || this.hall.open());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  soon() {
    if (!this.drawing) {
      this.drawing = true;
      requestAnimationFrame(() => {
        this.drawing = false;
        this.draw();
      });
    }
  }

  get view() {
    return decodeURIComponent(location.hash.slice(1));
  }

  turnTo() {
    this.pending = this.notice = this.events = null;
    this.draw();
    scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
  }

  close() {
    if (this.pending) {
      this.pending = null;
      this.draw();
    }
  }

  /** The tables in the order of their needs, each with them. */
  get order() {
    const told = this.hall.evening?.order ?? [];
    const known = new Set(told.map(({ table }) => table));
    return [
      ...told.filter(({ table }) => this.hall.tables.has(table)),
      ...this.hall.inOrder().filter(({ name }) => !known.has(name)).map(({ name }) => ({ table: name, needs: [], faults: [] })),
    ].map((each) => ({ ...each, shown: this.hall.tables.get(each.table) }));
  }

  // --- what is done -------------------------------------------------------------------------------------------

  /** Ask once more, in place. @param {() => Promise<{answer: string, text?: string|null}>} act */
  ask(place, sure, text, act) {
    this.notice = null;
    this.pending = { place, sure, text, act };
    this.draw();
    document.getElementById("safe")?.focus();
  }

  async carryOut() {
    const { pending } = this;
    if (!pending || this.underway.has(nameOf(pending))) {
      return;
    }
    await this.act(nameOf(pending), pending.act);
    // What was asked meanwhile, such as at another table, still waits for its answer.
    this.pending = this.pending === pending ? null : this.pending;
    this.draw();
  }

  /** Do what has this name, unless it is being done. */
  async act(name, act) {
    const reply = await this.underway.once(name, () => {
      this.draw();
      return act();
    });
    if (!reply) {
      return { answer: "unsent" };
    }
    this.notice = reply.answer === "done" ? reply.text || this.say("done") : reply.text || this.say(`answer.${reply.answer}`);
    this.draw();
    return reply;
  }

  command(table, command) {
    return () => tell(table.name, { id: newId(), seen: table.events, ...command });
  }

  async messageAll() {
    const text = this.made.all.trim();
    const tables = this.hall.inOrder().filter(({ up }) => up);
    const reply = await this.act(text, async () => {
      const answers = await Promise.all(tables.map(async (table) => [table, await tell(table.name, { what: "message", text })]));
      const left = answers.filter(([, { answer }]) => answer !== "done").map(([table]) => titleOf(table));
      return left.length ? { answer: "refused", text: this.say("message_left", { tables: left.join(", ") }) } : { answer: "done", text: this.say("message_heard", { count: tables.length }) };
    });
    if (reply.answer === "done" && this.made.all.trim() === text) {
      this.made.all = "";
      this.draw();
    }
  }

  // --- the page ----------------------------------------------------------------------------------------------

  draw() {
    const { say, view } = this;
    document.body.dataset.view = view ? "one" : "list";
    this.drawHead();
    const { order } = this;
    const chosen = view === "all" ? null : order.find(({ table }) => table === view) ?? (view ? null : order[0] ?? null);
    this.drawList(order, view === "all" ? "all" : chosen?.table);
    sync(document.getElementById("main"), [
      element("p", { key: "back", class: "back" }, element("a", { href: "#" }, say("back"))),
      view === "all" ? this.allTree() : chosen ? this.tableTree(chosen) : element("p", { key: "none", class: "none" }, say(view ? "no_such_table" : "no_tables")),
    ]);
  }

  drawHead() {
    const { say, hall } = this;
    const tournament = hall.evening?.tournament;
    sync(document.getElementById("head"), [
      element("p", { key: "where", class: "where" }, element("strong", { key: "desk" }, say("desk")),
        element("span", { key: "tables" }, say("tables_here", { here: hall.inOrder().filter(({ up }) => up).length, count: hall.tables.size })),
        tournament ? element("span", { key: "event" }, tournament.name) : null),
      hall.isSilent() ? element("p", { key: "silent", class: "away", role: "status" }, say("hub_silent")) : null,
      ...hall.troubles.map(({ fault, reason }) => element("p", { key: `hub-${fault}`, class: "away", role: "alert" }, say(`hub_trouble.${fault}`, { reason }))),
      element("label", { key: "name", class: "who-rules" }, element("span", { key: "text" }, say("your_name")),
        element("input", { key: "field", type: "text", maxlength: 60, value: directorName(), autocomplete: "name", on: { change: (event) => keepDirectorName(event.target.value) } })),
    ]);
  }

  drawList(order, chosen) {
    const { say, hall } = this;
    const now = hall.now();
    const needing = order.filter(({ needs }) => needs.length);
    const calm = order.filter(({ needs }) => !needs.length);
    const entry = ({ table, needs, faults, shown }) => element("li", { key: table },
      element("a", { href: `#${encodeURIComponent(table)}`, "aria-current": table === chosen ? "true" : null, class: needs[0] ? `need-${needs[0].kind}` : "need-none" },
        needs[0] ? matterSign(SIGNS[needs[0].kind]) : null,
        element("b", { key: "table" }, titleOf(shown)),
        element("span", { key: "age", class: "age" }, needs[0]?.since_ms ? ageText(needs[0].since_ms, now, say) : ""),
        element("span", { key: "what", class: "what" }, needs[0] ? say(`need.${needs[0].kind}`) : namesOf(shown) || doing(shown, say),
          needs.length > 1 ? element("span", { key: "more", class: "small" }, ` +${needs.length - 1}`) : null),
        element("span", { key: "why", class: "why" }, needs[0] ? [needs[0].text || faults.find(({ fault }) => fault === needs[0].fault)?.text, namesOf(shown)].filter(Boolean).join(" · ") : scoreOf(shown))));
    sync(document.getElementById("list"), [
      element("h2", { key: "heading" }, say("needs"), element("span", { key: "count", class: "count" }, needing.length)),
      this.hall.evening?.trouble ? element("p", { key: "trouble", class: "result" }, this.hall.evening.trouble) : null,
      noticeTrees(hall.evening?.notices ?? [], say, (deed) => this.act(JSON.stringify(deed), () => doDeed(deed))),
      needing.length ? element("ul", { key: "needs", class: "needs" }, needing.map(entry)) : element("p", { key: "none", class: "none" }, say("nothing")),
      calm.length ? element("h3", { key: "calm-head" }, say("in_play"), element("span", { key: "count", class: "count" }, calm.length)) : null,
      element("ul", { key: "calm", class: "needs calm" }, calm.map(entry)),
      element("ul", { key: "tools", class: "tools" },
        element("li", { key: "all" }, element("a", { href: "#all", "aria-current": chosen === "all" ? "true" : null }, say("to_all"))),
        ["tournament", "", "wall", "screen", ...(this.hall.evening?.reports ? ["reports"] : [])].map((page) => element("li", { key: `to-${page}` }, element("a", { href: `/${page}` }, say(`hall_page.${page || "hall"}`))))),
    ].flat());
  }

  /** Everything that is said to all tables at once, and the way in for a new one. */
  allTree() {
    const { say } = this;
    return element("article", { key: "all", class: "matter" },
      element("h2", { key: "heading" }, say("to_all")),
      this.noticeLine(),
      element("form", { key: "form", class: "stack", on: { submit: (event) => { event.preventDefault(); this.messageAll(); } } },
        element("label", { key: "label", for: "to-all" }, say("message_text")),
        element("input", { key: "text", id: "to-all", type: "text", maxlength: 200, required: true, value: this.made.all, on: { input: (event) => { this.made.all = event.target.value; } } }),
        element("div", { key: "ready", class: "pair" }, ["start", "finish"].map((name) => element("button", { key: name, type: "button", on: { click: () => { this.made.all = say(`ready_message.${name}`); this.draw(); } } }, say(`ready_message.${name}`)))),
        element("button", { key: "send", type: "submit", class: "main", "aria-disabled": this.underway.has(this.made.all.trim()) ? "true" : null }, say("message_all"))),
      element("h3", { key: "new" }, say("new_table")),
      element("p", { key: "new-text" }, this.code ? say("pair_code", { code: this.code }) : say("pair_about")),
      this.code ? element("img", { key: `code-${this.code}`, class: "code", src: `/api/v1/pairings-code.svg?${this.code}`, alt: say("pair_picture") }) : null,
      element("button", { key: "new-code", type: "button", class: "alone", on: { click: () => this.showCode() } }, say("pair_now")));
  }

  async showCode() {
    try {
      const response = await fetch("/api/v1/pairings-code", { method: "POST", credentials: "same-origin" });
      this.code = response.ok ? (await response.json()).code : null;
    } catch {
      this.code = null;
    }
    this.draw();
  }

  // --- one table ---------------------------------------------------------------------------------------------

  tableTree({ table: name, needs, faults, shown: table }) {
    const { say } = this;
    const state = table.screen;
    const clock = state?.clock ? clockAfter(state.clock, this.hall.now() - state.clock.at_ms) : null;
    const matters = state?.needs ?? [];
    const paired = this.pairedMatch(name);
    return element("article", { key: `table-${name}`, class: "matter" },
      element("div", { key: "head", class: "matter-head" }, element("div", { key: "words" },
        element("p", { key: "kicker", class: "kicker" }, [state?.match?.event, state?.match?.round, state?.match?.length ? say("match_to", { length: state.match.length }) : ""].filter(Boolean).join(" · ")),
        element("h2", { key: "heading" }, titleOf(table)),
        element("p", { key: "doing" }, doing(table, say)))),
      this.noticeLine(),
      faults.map((fault) => element("section", { key: `fault-${fault.fault}`, class: "result" },
        element("p", { key: "text" }, fault.text))),
      state ? scoreLine(state, clock, say) : null,
      paired?.unconfirmed ? this.confirmTree(paired) : null,
      matters.map((matter) => this.matterTree(table, matter)),
      state?.match ? element("div", { key: "board", class: "board-holder" }, boardOfTable(table, say, "-desk")) : null,
      state?.match ? element("details", { key: "words" }, element("summary", { key: "s" }, element("span", { key: "t" }, say("board_in_words"))), boardTable(state, "light", say)) : null,
      this.pending?.place === `choices-${name}` ? this.sureTree() : this.choicesTree(table),
      this.disputesTree(table, matters),
      courseList(state?.course, say, 10),
      this.messageTree(table),
      element("p", { key: "ways", class: "ways" },
        table.pages ? element("a", { key: "pages", class: "button", href: `${table.pages}director` }, say("own_pages")) : null,
        element("a", { key: "overlay", class: "button", href: `/overlay?table=${encodeURIComponent(name)}` }, say("overlay")),
        element("button", { key: "events", type: "button", on: { click: () => this.showEvents(table) } }, say("show_events"))),
      this.eventsTree(name),
      element("p", { key: "note", class: "small" }, say("hub_note", { version: table.version || "–", stored: table.stored ?? 0, events: table.events ?? 0 })));
  }

  /** The match of the tournament whose players sit here. */
  pairedMatch(table) {
    const rounds = this.hall.evening?.tournament?.rounds ?? [];
    return rounds.flatMap(({ matches }) => matches).filter((match) => match.table === table).at(-1) ?? null;
  }

  confirmTree(match) {
    const { say } = this;
    return element("section", { key: "confirm", class: "confirm" },
      element("p", { key: "text" }, say("result_here", { names: match.players.join(" – "), score: match.score })),
      element("button", { key: "yes", type: "button", class: "main", on: { click: () => this.act(`confirm-${match.number}`, () => doDeed({ what: "confirm", match: match.number })) } }, say("confirm")),
      element("a", { key: "other", class: "button", href: `/tournament#match-${match.number}` }, say("other_result")),
      match.confirmed_by.length ? element("p", { key: "half", class: "small" }, say("has_confirmed", { names: match.confirmed_by.join(", ") })) : null,
      this.hall.evening.phones ? element("figure", { key: "phone", class: "phone-code" },
        element("img", { key: "code", src: `/confirm/${match.number}/code.svg`, alt: say("confirm_code", { names: match.players.join(" – ") }) }),
        element("figcaption", { key: "caption" }, say("confirm_by_phone"))) : null);
  }

  matterTree(table, matter) {
    const { say } = this;
    const { turn } = matter;
    const marks = marksOf(turn);
    const place = `${table.name}/${matter.id}`;
    const rulings = matter.rulings.filter(({ what }) => !OWN.has(what));
    const evidence = turn && matter.recorded ? this.evidenceOf(table).find(({ game, ply }) => game === turn.game && ply === turn.ply) : null;
    return element("section", { key: `matter-${matter.id}`, class: "one-matter" },
      element("h3", { key: "heading" }, matterSign(matter.kind), element("span", { key: "text" }, matter.heading)),
      turn ? element("div", { key: "figures", class: "figures" },
        figure({ name: `${matter.id}-before`, title: say("before"), position: matter.before, picture: this.pictureOf(evidence, "before"), more: marks.before }, table.screen),
        figure({ name: `${matter.id}-after`, title: say("after"), position: matter.after, picture: this.pictureOf(evidence, "after"), more: marks.after }, table.screen)) : null,
      evidence?.why ? element("p", { key: "no-picture", class: "small" }, evidence.why) : null,
      turn ? element("p", { key: "verdict", class: "verdict" }, turn.text) : null,
      matter.text && !turn?.text.includes(matter.text) ? element("p", { key: "why" }, matter.text) : null,
      this.pending?.place === place ? this.sureTree() : rulings.length ? element("div", { key: "rulings", class: "pair", role: "group", "aria-label": say("rulings") },
        rulings.map((ruling, index) => element("button", { key: `${ruling.what}-${index}`, type: "button",
          on: { click: () => this.ask(place, ruling.sure, ruling.text, this.command(table, { what: ruling.what, ...ruling.keys })) } }, ruling.text))) : null);
  }

  /** The turns of the match at a table whose pictures the hub has, or waits for. */
  evidenceOf(table) {
    return (this.hall.evening?.evidence ?? []).filter((each) => each.table === table.name && each.journal === table.journal);
  }

  /** A picture as `figure` shows it; null while it is not here. */
  pictureOf(evidence, role) {
    const { say } = this;
    const found = evidence?.pictures.find((each) => each.role === role && each.here);
    return found ? { src: `/api/v1/evidence/${found.sha256}`, alt: say(`${role}_picture`), note: say("picture_note", { number: found.number, seconds: found.t_s.toFixed(1) }) } : null;
  }

  /** What was disputed in this match before, and needs nobody any more. */
  disputesTree(table, matters) {
    const { say } = this;
    const open = matters.map(({ turn }) => turn).filter(Boolean);
    const past = this.evidenceOf(table).filter(({ game, ply }) => !open.some((turn) => turn.game === game && turn.ply === ply));
    return past.length ? element("details", { key: "disputes" },
      element("summary", { key: "s" }, element("span", { key: "t" }, say("earlier_disputes")), element("span", { key: "count", class: "count" }, past.length)),
      past.map((each) => element("section", { key: `${each.game}-${each.ply}`, class: "past-dispute" },
        element("h3", { key: "heading" }, say("dispute_place", { game: each.game, play: each.ply + 1 })),
        each.what ? element("p", { key: "what" }, each.what) : null,
        each.why ? element("p", { key: "why", class: "small" }, each.why) : null,
        element("div", { key: "figures", class: "figures" }, each.pictures.filter(({ here }) => here).map(({ role, number, t_s, sha256 }) => element("figure", { key: sha256 },
          element("img", { key: "picture", src: `/api/v1/evidence/${sha256}`, alt: say(`${role}_picture`), loading: "lazy" }),
          element("figcaption", { key: "caption" }, element("span", { key: "note" }, say("picture_note", { number, seconds: t_s.toFixed(1) }))))))))) : null;
  }

  choicesTree(table) {
    const { say } = this;
    const choices = (table.screen?.allowed ?? []).filter(PLAIN);
    return choices.length ? element("details", { key: "choices" },
      element("summary", { key: "s" }, element("span", { key: "t" }, say("allowed"))),
      element("div", { key: "buttons", class: "pair" }, choices.map((choice, index) => element("button", { key: `${choice.what}-${index}`, type: "button",
        on: { click: () => this.ask(`choices-${table.name}`, choice.sure ?? say("sure_choice", { what: choice.text }), choice.text, this.command(table, { what: choice.what, ...choice.keys })) } },
      choice.side ? sign(choice.side) : null, element("span", { key: "text" }, choice.text))))) : null;
  }

  messageTree(table) {
    const { say } = this;
    return element("form", { key: "message", class: "line", on: { submit: async (event) => {
      event.preventDefault();
      const { tables } = this.made;
      const typed = tables[table.name] ?? "";
      const reply = await this.act(`${table.name} ${typed}`, () => tell(table.name, { what: "message", text: typed.trim() }));
      if (reply.answer === "done" && tables[table.name] === typed) {
        tables[table.name] = "";
      }
      this.draw();
    } } },
    element("label", { key: "label", for: "message" }, say("message_here")),
    element("input", { key: "text", id: "message", type: "text", maxlength: 200, required: true, value: this.made.tables[table.name] ?? "", on: { input: (event) => { this.made.tables[table.name] = event.target.value; } } }),
    element("button", { key: "send", type: "submit" }, say("send")));
  }

  async showEvents(table) {
    const last = Math.max(0, (this.events?.last ?? 0));
    try {
      const journal = encodeURIComponent(table.journal ?? "");
      let after = last;
      let found = [];
      for (;;) {
        const response = await fetch(`/api/v1/tables/${encodeURIComponent(table.name)}/events?journal=${journal}&after=${after}`, { credentials: "same-origin" });
        const said = response.ok ? await response.json() : { events: [] };
        if (!said.events.length) {
          break;
        }
        found = [...found, ...said.events.filter(({ kind }) => kind !== "input")].slice(-MOST_EVENTS);
        after = said.next;
      }
      this.events = { table: table.name, last: 0, rows: found };
    } catch {
      this.events = { table: table.name, last: 0, rows: [] };
    }
    this.draw();
  }

  eventsTree(name) {
    const { say, events } = this;
    if (events?.table !== name) {
      return null;
    }
    return element("section", { key: "events-list", class: "events", "aria-label": say("show_events") },
      events.rows.length ? element("table", { key: "table" }, element("tbody", { key: "body" }, events.rows.map((row) => element("tr", { key: row.number },
        element("td", { key: "id" }, row.id), element("td", { key: "utc" }, timeOfDay(row.utc, true)), element("td", { key: "kind" }, row.kind), element("td", { key: "payload", class: "payload" }, summary(row.payload)))))) : element("p", { key: "none" }, say("no_events")));
  }

  /** The question that is asked before anything is done. */
  sureTree() {
    const { pending, say } = this;
    return element("form", { key: "sure", class: "sure", role: "group", "aria-label": pending.sure, on: { submit: (event) => { event.preventDefault(); this.carryOut(); } } },
      element("p", { key: "question", class: "question" }, pending.sure),
      element("div", { key: "buttons", class: "pair" },
        element("button", { key: "no", id: "safe", type: "button", on: { click: () => this.close() } }, say("no")),
        element("button", { key: "yes", type: "submit", "aria-disabled": this.underway.has(nameOf(pending)) ? "true" : null }, pending.text)));
  }

  noticeLine() {
    return element("p", { key: "notice", class: this.notice ? "notice-line" : "hidden", role: "status" }, this.notice ?? "");
  }
}

/** What is asked once more, as `act` names it. */
function nameOf({ place, text }) {
  return `${place} ${text}`;
}

function namesOf(table) {
  const match = table.screen?.match;
  return match ? `${match.light} – ${match.dark}` : "";
}

function scoreOf(table) {
  const match = table.screen?.match;
  return match ? `${match.score?.light ?? 0}–${match.score?.dark ?? 0}` : "";
}

/** The text of an entry, cut short. */
function summary(payload) {
  return payload.length > 160 ? `${payload.slice(0, 160)}…` : payload;
}

new DeskPage().start();
