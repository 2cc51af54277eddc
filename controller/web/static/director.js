/** The director's page: what needs them, one item after the other, and everything that they may put right. */

import { layoutFor } from "./board.js";
import { send } from "./commands.js";
import { carried, countAt, draft, from, isPinned, isWhole, pinned, positionOf, sideAt, tapped, withCount, withHand } from "./editor.js";
import { element, sync } from "./elements.js";
import { begin, entryPad, keysOf, onBoard, withDie } from "./entry.js";
import { ANSWER_MS, timeLimit } from "./line.js";
import { Live } from "./live.js";
import { ageText, boardOf, courseList, figure, likelyList, marksOf, matterSign, scoreLine } from "./matters.js";
import { diceRow, pageData, sign, status, statusLine, where } from "./page.js";
import { boardView, clockAfter, NOTHING, offsetAfter, reduce } from "./state.js";
import { BAR, gameOf, opponent, sidePoint } from "./position.js";
import { boardTable, describe, placeNamer, speaker } from "./words.js";

const TICK_MS = 1000;
const FORMS = ["mat", "sgf", "snowie", "ogxm", "json", "html", "text"];
const CUBE_TALKS = ["", "double take", "double drop", "double beaver take", "double beaver drop", "double beaver raccoon take", "double beaver raccoon drop"];
const TOOLS = ["table", "plays", "rule", "score", "files"];
const SIDES = ["light", "dark"];
const NO_BOARD = ".".repeat(26);
const OWN_FORMS = new Set(["ruling", "award", "forfeit"]);

class DirectorPage {
  constructor() {
    const data = pageData();
    this.language = data.language;
    this.say = speaker(data.words, data.language);
    this.token = data.token ?? null;
    this.pending = null;
    this.entry = null;
    this.options = null;
    this.notice = null;
    this.sending = false;
    this.made = null;
    this.fields = {};
    this.game = null;
    this.plies = new Map();
    this.pictures = new Map();
    /** What the table was asked since the newest turn; what is shown stays until its answer. */
    this.asked = new Set();
    this.spoken = "";
    const known = data.snapshot ? reduce(NOTHING, { ...data.snapshot, kind: "snapshot" }) : NOTHING;
    this.offset = 0;
    this.setOffset(known.state);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.live = new Live({
      address: `${scheme}://${location.host}/api/v1/live`, known, hear: (_, message) => this.hear(message), tell: () => this.draw(),
      hearTime: (at_ms) => { this.offset = offsetAfter(this.offset, at_ms); },
    });
  }

  get state() {
    return this.live.known.state;
  }

  get view() {
    return decodeURIComponent(location.hash.slice(1));
  }

  /** The matter that is chosen, or the first one where there is room for list and matter. */
  get matter() {
    const needs = this.state.needs ?? [];
    return needs.find(({ id }) => `need/${id}` === this.view) ?? (this.view ? null : needs[0] ?? null);
  }

  start() {
    this.draw();
    this.live.open();
    setInterval(() => this.draw(), TICK_MS);
    window.addEventListener("hashchange", () => this.turnTo());
    document.addEventListener("visibilitychange", () => document.hidden || this.live.open());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  /** Another view was chosen. */
  turnTo() {
    this.close();
    this.notice = null;
    this.draw();
    scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
  }

  hear(message) {
    const set = message.kind === "snapshot" ? message.state : message.set ?? {};
    if (set.viewer && set.viewer.role !== "director") {
      // The session ended with the program that knew it: the server leads to where the PIN is entered.
      location.reload();
      return;
    }
    this.setOffset(set);
    if (message.kind === "turn" || message.kind === "snapshot" || set.plays) {
      this.asked = new Set();
    }
    if (this.pending?.news && !this.pending.news.length) {
      // That something has happened was heard before what it was.
      this.pending = this.renewed(this.pending);
    }
    this.draw();
  }

  /** The table's clock against ours. */
  setOffset(state) {
    if (state.clock) {
      this.offset = Date.now() - state.clock.at_ms;
    }
  }

  close() {
    const open = this.pending || this.entry || this.options;
    this.pending = this.entry = this.options = null;
    if (open) {
      this.draw();
    }
  }

  // --- what is told to the table -----------------------------------------------------------------------------

  /** Ask once more, in place; the answer belongs to what is known now. */
  ask(command, { sure, text, why = false, settle = null, place = "" }) {
    this.notice = null;
    const course = this.state.course ?? [];
    this.pending = { command, sure, text, why, settle, place, reason: "", seen: this.live.known.seq, run: this.live.known.run, t: course.at(-1)?.t_s ?? -1, news: null };
    this.draw();
    document.getElementById("safe")?.focus();
  }

  async carryOut() {
    const { pending } = this;
    if (!pending || this.sending) {
      return;
    }
    this.sending = true;
    this.draw();
    const reply = pending.settle ? await this.settle(pending.settle) : await send({
      ...pending.command, ...(pending.reason.trim() ? { why: pending.reason.trim() } : {}), seen: pending.seen, run: pending.run,
    }, { token: this.token });
    this.sending = false;
    // What was asked meanwhile, such as in another view, still waits for its answer.
    const waits = this.pending?.command === pending.command;
    this.notice = reply.answer === "done" ? this.say(pending.settle ? "closed" : "done") : reply.text || this.say(`answer.${reply.answer}`);
    if (reply.answer === "stale" && waits) {
      this.pending = this.renewed(this.pending);
    } else if (reply.answer === "done") {
      this.asked = new Set();
      if (waits) {
        this.pending = this.entry = this.options = null;
      }
    }
    this.draw();
  }

  /** A question once more, with what has happened since it was asked first. */
  renewed(pending) {
    const news = (this.state.course ?? []).filter(({ t_s }) => t_s > pending.t);
    return { ...pending, seen: this.live.known.seq, run: this.live.known.run, news };
  }

  async settle(id) {
    try {
      const response = await fetch(`/api/v1/needs/${encodeURIComponent(id)}/settle`, { method: "POST", credentials: "same-origin", signal: timeLimit(ANSWER_MS) });
      return response.ok ? { answer: "done" } : { answer: "refused", text: null };
    } catch {
      return { answer: "unsent", text: null };
    }
  }

  /** A button of those that are allowed now. */
  take(choice, keys = {}) {
    const needs = choice.needs;
    if (choice.options?.length) {
      this.options = choice.text;
      this.draw();
      return;
    }
    if (needs && !Object.keys(keys).length && needs !== "position") {
      this.entry = begin(choice);
      this.draw();
      document.querySelector("#main .entry input, #main .entry h2")?.focus();
      return;
    }
    const command = { what: choice.what, ...(choice.side ? { side: choice.side } : {}), ...choice.keys, ...keys };
    this.ask(command, { sure: choice.sure ?? this.say("sure_choice", { what: choice.text }), text: choice.text, place: "choices" });
  }

  // --- the page ------------------------------------------------------------------------------------------------

  draw() {
    const { matter } = this;
    document.body.dataset.view = this.view ? "one" : "list";
    document.title = `${this.say("title")} – Pointsman`;
    this.drawHead();
    this.drawList(matter);
    sync(document.getElementById("main"), [
      element("p", { key: "back", class: "back" }, element("a", { href: "#" }, this.say("back"))),
      matter ? this.matterTree(matter) : this.toolTree(),
    ]);
    for (const menu of document.querySelectorAll("select[data-value]")) {
      menu.value = menu.dataset.value;
    }
    this.speak();
  }

  drawHead() {
    const { state, say } = this;
    const line = status(state, { lost: this.live.isLost() }, say);
    sync(document.getElementById("head"), [
      element("p", { key: "where", class: "where" }, where(state, say)),
      element("p", { key: "status", class: "status-line" }, statusLine(this.live.isSilent() ? { well: false, text: say("last_heard", { seconds: Math.floor(this.live.silence() / 1000) }) } : line)),
    ]);
  }

  drawList(chosen) {
    const { state, say } = this;
    const needs = state.needs ?? [];
    const now = Date.now() - this.offset;
    const tool = chosen ? null : this.view || "table";
    sync(document.getElementById("list"), [
      element("h2", { key: "heading" }, say("needs"), element("span", { key: "count", class: "count" }, needs.length)),
      needs.length ? element("ul", { key: "needs", class: "needs" }, needs.map((need) => element("li", { key: need.id },
        element("a", { href: `#need/${encodeURIComponent(need.id)}`, "aria-current": need === chosen ? "true" : null, class: need.kind },
          matterSign(need.kind),
          element("b", { key: "table" }, say(`kind.${need.kind}`)),
          element("span", { key: "age", class: "age" }, ageText(need.since_ms, now, say)),
          element("span", { key: "what", class: "what" }, need.heading),
          need.text ? element("span", { key: "why", class: "why" }, need.text) : null)))) : element("p", { key: "none", class: "none" }, say("nothing")),
      element("ul", { key: "tools", class: "tools" }, TOOLS.map((name) => element("li", { key: name },
        element("a", { href: `#${name}`, "aria-current": name === tool ? "true" : null }, say(`tool.${name}`))))),
      element("ul", { key: "pages", class: "tools small" }, ["", "setup", "see", "watch"].map((page) => element("li", { key: page },
        element("a", { href: `/${page}` }, say(`to_page.${page || "table"}`))))),
    ]);
  }

  // --- one matter ------------------------------------------------------------------------------------------------

  matterTree(matter) {
    const { state, say } = this;
    const turn = matter.turn;
    const marks = marksOf(turn);
    const live = !turn && ["unsure", "dispute"].includes(matter.kind) && state.position;
    const thrown = state.dice && !state.dice.played && matter.kind !== "illegal";
    return element("article", { key: `matter-${matter.id}`, class: "matter" },
      element("div", { key: "head", class: "matter-head" },
        element("div", { key: "words" },
          element("p", { key: "kicker", class: "kicker" }, this.kicker(turn)),
          element("h2", { key: "heading" }, matter.heading)),
        turn || live ? this.diceTree(thrown ? null : turn) : null),
      turn ? element("div", { key: "figures", class: "figures" },
        figure(this.figureOf(turn, "before", matter.before, marks.before, matter.recorded), state),
        figure(this.figureOf(turn, "after", matter.after, marks.after, matter.recorded), state)) : null,
      live ? element("div", { key: "figures", class: "figures" }, element("figure", { key: "now", class: state.seen ? "with-picture" : null },
        state.seen ? element("img", { key: "picture", src: this.newestPicture(), alt: say("picture_now") }) : null,
        element("div", { key: "board", class: "board-holder" }, this.liveBoard("matter-board")))) : null,
      element("section", { key: "reason", class: "reason" },
        turn ? element("p", { key: "verdict", class: "verdict" }, turn.text) : null,
        matter.text && !turn?.text.includes(matter.text) ? element("p", { key: "text", class: "text" }, matter.text) : null,
        likelyList(matter.likely),
        turn?.unsure ? element("p", { key: "unsure" }, say("play_unsure")) : null),
      this.noticeLine(),
      this.pending?.place === matter.id ? this.sureTree() : element("div", { key: "rulings", class: "rulings", role: "group", "aria-label": say("rulings") },
        matter.rulings.map((ruling, index) => this.rulingTree(matter, ruling, index))),
      matter.kind === "unsure" || matter.kind === "time" ? this.choicesTree(["pressed", "played", "roll_stands", "roll_void", "go_on", "rebuild"]) : null,
      element("p", { key: "more", class: "ways" },
        element("a", { key: "rule", class: "button", href: "#rule" }, say("another_ruling")),
        element("a", { key: "plays", class: "button", href: matter.kind === "time" ? "#score" : "#plays" }, say(matter.kind === "time" ? "tool.score" : "tool.plays")),
        turn && matter.recorded ? element("a", { key: "dispute", class: "button", href: this.turnAddress(turn, "dispute.html"), download: "" }, say("dispute_page")) : null),
      element("p", { key: "note", class: "small" }, say("written")),
      courseList(state.course, say));
  }

  kicker(turn) {
    const { state, say } = this;
    const match = state.match;
    if (!match) {
      return "";
    }
    const score = `${match.score?.light ?? 0}–${match.score?.dark ?? 0}`;
    const parts = [
      say("score_is", { score }),
      turn ? say("play_of", { game: turn.game, ply: turn.ply + 1 }) : say("game", { game: match.game }),
    ];
    return parts.filter(Boolean).join(" · ");
  }

  diceTree(turn) {
    const { state, say } = this;
    const dice = turn ? { side: turn.player, values: turn.dice, played: false, sure: !turn.unsure } : state.dice;
    if (!dice) {
      return null;
    }
    const crop = state.seen?.dice?.length ? element("img", { key: "crop", class: "crop", src: `/api/v1/dice.jpg?${state.seen.t}`, alt: say("dice_crop") }) : null;
    return element("div", { key: "dice", class: "dice-read" }, diceRow(dice, "medium", say), crop,
      element("span", { key: "words", class: "small" }, say(dice.sure ? "dice_sure" : "dice_doubtful")));
  }

  /** A board before or after a turn: with the picture that was kept, or while it is not final with the newest one. */
  figureOf(turn, role, position, more, recorded = true) {
    const kept = recorded ? this.picturesOf(turn).find((each) => each.role === role) : null;
    const title = this.say(role);
    const now = !recorded && role === "after" && this.state.seen;
    return {
      name: `board-${role}`, title, position, more,
      picture: now ? { src: this.newestPicture(), alt: this.say("picture_now"), note: this.say("now") } : kept ? { src: `${this.turnAddress(turn, `${role}.jpg`)}?straight=true`, alt: this.say(`picture_${role}`), note: this.say("picture_note", { number: kept.number, seconds: kept.t_s.toFixed(1) }) } : null,
    };
  }

  newestPicture() {
    return `/api/v1/picture?straight=true&t=${this.state.seen.t}`;
  }

  turnAddress(turn, name = "") {
    const base = `/api/v1/matches/${encodeURIComponent(this.state.match.id)}/turns/${turn.game}/${turn.ply}`;
    return name ? `${base}/${name}` : base;
  }

  picturesOf(turn) {
    const address = this.turnAddress(turn);
    this.fetchInto(this.pictures, address, ({ pictures }) => pictures);
    return this.pictures.get(address) ?? [];
  }

  /** Ask the table, once after each turn. */
  async fetchInto(map, address, pick) {
    const { asked } = this;
    if (asked.has(address)) {
      return;
    }
    asked.add(address);
    try {
      const response = await fetch(address, { credentials: "same-origin" });
      const said = response.ok ? pick(await response.json()) : null;
      if (said && asked === this.asked) {
        map.set(address, said);
        this.draw();
      }
    } catch {
      // Without it the page shows what it has; the next news ask again.
    }
  }

  rulingTree(matter, ruling, index) {
    const settle = ruling.what === "settle" ? matter.id : null;
    const why = ruling.what === "change_play" || ruling.what === "undo_ply";
    return element("button", {
      key: `${ruling.what}-${index}`, type: "button", class: "ruling",
      on: { click: () => this.ask({ what: ruling.what, ...ruling.keys }, { sure: ruling.sure, text: ruling.text, why, settle, place: matter.id }) },
    },
    ruling.position ? element("span", { key: "board", class: "small-board", "aria-hidden": "true" }, boardOf(`ruling-${index}`, ruling.position, this.state)) : null,
    element("span", { key: "text", class: "text" }, ruling.text));
  }

  /** The question that is asked before anything is written. */
  sureTree() {
    const { pending, say } = this;
    return element("form", {
      key: "sure", class: "sure", role: "group", "aria-label": pending.sure,
      on: { submit: (event) => { event.preventDefault(); this.carryOut(); } },
    },
    pending.news ? element("div", { key: "news", class: "news" }, element("p", { key: "head" }, say("meanwhile")),
      element("ul", { key: "lines" }, pending.news.map((line, index) => element("li", { key: index }, line.text)))) : null,
    element("p", { key: "ask", class: "ask" }, pending.sure),
    pending.why ? element("label", { key: "why" }, say("why"), element("input", {
      key: "field", type: "text", maxlength: 500, autocomplete: "off", value: pending.reason, on: { input: (event) => { this.pending = { ...this.pending, reason: event.target.value }; } },
    })) : null,
    element("div", { key: "buttons", class: "buttons" },
      element("button", { key: "no", id: "safe", type: "button", on: { click: () => this.close() } }, say("no")),
      element("button", { key: "yes", type: "submit", "aria-disabled": this.sending ? "true" : null }, pending.text)));
  }

  noticeLine() {
    return element("p", { key: "notice", class: "notice", role: "status" }, this.notice ?? "");
  }

  // --- tools -----------------------------------------------------------------------------------------------------

  toolTree() {
    const trees = { plays: () => this.playsTree(), rule: () => this.ruleTree(), score: () => this.scoreTree(), files: () => this.filesTree() };
    return (trees[this.view.split("/")[0]] ?? (() => this.tableTree()))();
  }

  section(name, ...children) {
    return element("article", { key: `tool-${name}`, class: `tool tool-${name}` },
      element("div", { key: "head", class: "matter-head" }, element("div", { key: "words" },
        element("p", { key: "kicker", class: "kicker" }, this.kicker(null)),
        element("h2", { key: "heading" }, name === "table" ? this.state.headline : this.say(`tool.${name}`))), name === "table" ? this.diceTree(null) : null),
      this.noticeLine(), ...children);
  }

  clockNow() {
    const clock = this.state.clock;
    return clock ? clockAfter(clock, Date.now() - this.offset - clock.at_ms) : null;
  }

  liveBoard(name, more = {}) {
    const view = boardView(this.state, { upright: false, mirrored: false, silent: this.live.isSilent(), name });
    return boardOf(name, view.position, this.state, { ...view, title: this.say("board_title"), description: describe(this.state, this.say), ...more });
  }

  tableTree() {
    const { state, say } = this;
    const asked = state.question;
    const entering = this.entry?.needs === "play" ? {
      ...onBoard(this.entry, { position: state.position, side: this.entry.choice.side ?? "light", game: gameOf(state) }, (entry) => this.enter(entry)),
      take: [], put: [], arrows: [], last: [], placeName: placeNamer(state, say),
    } : {};
    return this.section("table",
      scoreLine(state, this.clockNow(), say),
      element("div", { key: "side-by-side", class: "beside" },
        element("div", { key: "board", class: "board-holder" }, this.liveBoard("table-board", entering)),
        element("div", { key: "words", class: "talk-side" },
          asked ? element("section", { key: "question", class: `question ${asked.tone}` },
            element("h3", { key: "heading" }, asked.heading), asked.text.map((text, index) => element("p", { key: index }, text)),
            asked.steps.length ? element("ol", { key: "steps" }, asked.steps.map((text, index) => element("li", { key: index }, text))) : null) : null,
          state.plays?.[0] ? element("p", { key: "last", class: "verdict" }, state.plays[0].text) : null,
          courseList(state.course, say))),
      state.position ? element("details", { key: "in-words", class: "in-words" }, element("summary", null, say("board_in_words")), boardTable(state, "light", say)) : null,
      this.choicesTree());
  }

  enter(entry) {
    this.entry = entry;
    this.draw();
  }

  /** The buttons for what is allowed now; those with forms of their own lead there. */
  choicesTree(only = null) {
    const { state, say } = this;
    if (this.entry) {
      return element("div", { key: "entry" }, entryPad(this.entry, {
        say, side: this.entry.choice.side ?? state.on_turn ?? "light", change: (entry) => this.enter(entry), close: () => this.close(),
        send: () => { const keys = keysOf(this.entry); if (keys) { const { choice } = this.entry; this.entry = null; this.take(choice, keys); } },
      }));
    }
    if (this.pending?.place === "choices") {
      return this.sureTree();
    }
    const choices = (state.allowed ?? []).filter(({ what }) => !OWN_FORMS.has(what) && (!only || only.includes(what)));
    const open = choices.find((choice) => choice.options?.length && choice.text === this.options);
    const shown = open ? open.options.map((option) => ({ ...open, ...option, keys: { ...open.keys, ...option.keys }, needs: null, options: null })) : choices;
    return choices.length ? element("section", { key: "choices", class: "choices-now" },
      element("h3", { key: "head" }, open ? open.text : say("allowed")),
      element("div", { key: "buttons", class: "buttons" },
        shown.map((choice, index) => element("button", { key: `${choice.what}-${index}`, type: "button", on: { click: () => this.take(choice) } }, choice.text)),
        open ? element("button", { key: "cancel", type: "button", on: { click: () => this.close() } }, say("cancel")) : null)) : null;
  }

  name(side) {
    return side ? this.state.match?.short?.[side] ?? this.say(`side.${side}`) : "";
  }

  // --- a position to rule ------------------------------------------------------------------------------------------

  ruleTree() {
    const { state, say } = this;
    if (!(state.allowed ?? []).some(({ what }) => what === "ruling")) {
      return this.section("rule", element("p", { key: "none" }, say("no_ruling")));
    }
    const game = gameOf(state);
    if (this.made?.game.variant !== game.variant || this.made?.game.checkers !== game.checkers) {
      // Also where a series goes on with another game.
      this.made = draft(state.position ?? NO_BOARD, state.on_turn, game);
    }
    const { made } = this;
    const front = layoutFor(state.light_home ?? "bottom-right", null).front;
    const edit = (change) => { this.made = change; this.draw(); };
    const counted = made.tool === "none" ? sideAt(made, made.place) ?? "light" : made.tool;
    const starts = [["confirmed", state.position], ["seen", state.seen?.position], ["before_last", this.beforeLast()]].filter(([, position]) => position);
    const command = { what: "ruling", position: positionOf(made), on_roll: made.onRoll };
    return this.section("rule",
      element("p", { key: "hint" }, say("rule_hint")),
      element("div", { key: "starts", class: "buttons starts" }, starts.map(([name, position]) => element("button", {
        key: name, type: "button", on: { click: () => edit(from(made, position)) },
      }, say(`start_from.${name}`)))),
      element("div", { key: "beside", class: "beside" },
        element("div", { key: "board", class: "board-holder editing" }, boardOf("rule-board", positionOf(made), state, {
          title: say("rule_board"), chosen: sidePoint(made.place, front, game), tap: (place) => edit(tapped(made, sidePoint(place, front, game))),
          carry: (start, to, side) => edit(carried(made, side, sidePoint(start, front, game), sidePoint(to, front, game))), placeName: placeNamer(state, say),
        })),
        element("div", { key: "form", class: "form" },
          this.radios("tool", say("tap_does"), [...SIDES, "none"], made.tool, (tool) => edit({ ...made, tool, full: null }), (tool) => (tool === "none" ? say("take_away") : this.name(tool))),
          element("div", { key: "pile", class: "pair" },
            this.menu("place", say("place"), [...Array.from({ length: 24 }, (_, index) => index + 1), BAR].map((place) => [sidePoint(place, front, game), place === BAR ? say("bar") : say("point", { n: place })]), made.place,
              (place) => edit({ ...made, place: Number(place), full: null })),
            this.menu("count", say("checkers_of", { name: this.name(counted) }), Array.from({ length: game.checkers + 1 }, (_, count) => [count, count]), countAt(made, counted, made.place),
              (count) => edit(withCount(made, counted, Number(count))))),
          game.contact === "pin" ? element("label", { key: "pin", class: "check" },
            element("input", { key: "box", type: "checkbox", checked: isPinned(made), disabled: made.place === BAR || !sideAt(made, made.place), on: {
              change: (event) => {
                const turned = pinned(made);
                event.target.checked = isPinned(turned);
                edit(turned);
              },
            } }),
            element("span", { key: "text" }, say("pinned_there"))) : null,
          game.in_hand ? element("div", { key: "hand", class: "pair" }, SIDES.map((side) => this.menu(`hand-${side}`, say("in_hand", { name: this.name(side) }),
            Array.from({ length: game.checkers + 1 }, (_, count) => [count, count]), made.counts.hand[side], (count) => edit(withHand(made, side, Number(count)))))) : null,
          element("p", { key: "off", class: "small", role: "status" }, made.full ? say("all_there", { name: this.name(made.full) })
            : say("off_now", { light: `${this.name("light")} ${made.counts.light[0]}`, dark: `${this.name("dark")} ${made.counts.dark[0]}` })),
          this.radios("on-roll", say("on_roll"), SIDES, made.onRoll, (onRoll) => edit({ ...made, onRoll }), (side) => this.name(side)))),
      this.pending?.place === "rule" ? this.sureTree() : element("div", { key: "send", class: "buttons" },
        element("button", {
          key: "rule", type: "button", class: "main", "aria-disabled": isWhole(made) ? null : "true",
          on: { click: () => isWhole(made) && this.ask(command, { sure: say("sure_ruling", { name: this.name(made.onRoll) }), text: say("rule_now"), place: "rule" }) },
        }, say("rule_now")),
        element("button", { key: "again", type: "button", on: { click: () => this.ask({ what: "rebuild", position: positionOf(made) }, { sure: say("sure_rebuild"), text: say("rebuild_so"), place: "rule" }) } }, say("rebuild_so"))),
      element("p", { key: "note", class: "small" }, say("written")));
  }

  beforeLast() {
    const needs = (this.state.needs ?? []).find(({ before }) => before);
    return needs?.before ?? null;
  }

  radios(name, legend, values, chosen, change, text) {
    return element("fieldset", { key: name, class: "radios" }, element("legend", { key: "legend" }, legend),
      values.map((value) => element("label", { key: value }, element("input", { key: "box", type: "radio", name, value, checked: value === chosen, on: { change: () => change(value) } }),
        value === "none" ? null : sign(value), element("span", { key: "text" }, text(value)))));
  }

  menu(name, label, options, chosen, change) {
    return element("label", { key: name, class: "field" }, element("span", { key: "label" }, label),
      element("select", { key: "menu", "data-value": chosen, on: { change: (event) => change(event.target.value) } },
        options.map(([value, text]) => element("option", { key: value, value }, text))));
  }

  field(name, label, { value = "", mode = "text", ...more } = {}) {
    const shown = this.fields[name] ?? value;
    return element("label", { key: name, class: "field" }, element("span", { key: "label" }, label),
      element("input", { key: "field", type: "text", inputmode: mode, autocomplete: "off", spellcheck: "false", value: String(shown), on: { input: (event) => { this.fields[name] = event.target.value; } }, ...more }));
  }

  valueOf(name, standard = "") {
    return String(this.fields[name] ?? standard).trim();
  }

  /** A form of a few fields with one button; it asks once more in its own place. */
  form(name, heading, fields, text, build) {
    const { say } = this;
    if (this.pending?.place === name) {
      return element("section", { key: name, class: "one-form" }, element("h3", { key: "head" }, heading), this.sureTree());
    }
    return element("form", {
      key: name, class: "one-form", on: {
        submit: (event) => {
          event.preventDefault();
          const made = build();
          if (made) {
            this.ask(made.command, { sure: made.sure, text, why: made.why ?? false, place: name });
          } else {
            this.notice = say("form_open");
            this.draw();
          }
        },
      },
    }, element("h3", { key: "head" }, heading), element("div", { key: "fields", class: "fields" }, fields),
    element("div", { key: "buttons", class: "buttons" }, element("button", { key: "send", type: "submit" }, text)));
  }

  // --- plays -------------------------------------------------------------------------------------------------------

  playsTree() {
    const { state, say } = this;
    if (!state.match) {
      return this.section("plays", element("p", { key: "none" }, say("no_match")));
    }
    const game = this.game ?? state.match.game;
    const listed = this.pliesOf(game);
    const chosen = listed.find(({ ply }) => `plays/${game}/${ply}` === this.view);
    return this.section("plays",
      this.menu("game", say("game_of"), Array.from({ length: listed.games ?? state.match.game }, (_, index) => [index + 1, index + 1]), game, (value) => { this.game = Number(value); this.draw(); }),
      chosen ? this.plyTree(game, chosen, chosen === listed.at(-1)) : null,
      element("ol", { key: "plies", class: "plies" }, listed.map((turn) => element("li", { key: turn.ply },
        element("a", { href: `#plays/${game}/${turn.ply}`, "aria-current": turn === chosen ? "true" : null },
          element("span", { key: "ply", class: "ply" }, turn.ply + 1), sign(turn.player), element("span", { key: "roll", class: "roll" }, turn.dice.join("-")),
          element("span", { key: "move" }, turn.words),
          turn.legal !== false ? null : element("span", { key: "legal", class: "not-legal" }, say(turn.stands ? "stands" : "not_legal")))))),
      listed.length ? null : element("p", { key: "none" }, say("no_plays")));
  }

  pliesOf(game) {
    const address = `/api/v1/matches/${encodeURIComponent(this.state.match.id)}/plies?game=${game}`;
    this.fetchInto(this.plies, address, ({ plies, games }) => Object.assign(latest(plies), { games }));
    return this.plies.get(address) ?? [];
  }

  plyTree(game, turn, last) {
    const { state, say } = this;
    const shown = { ...turn, game, steps: [] };
    const place = `ply-${game}-${turn.ply}`;
    const name = (field) => `${place}-${field}`;
    const label = say("play_of", { game, ply: turn.ply + 1 });
    return element("section", { key: place, class: "ply-open" },
      element("div", { key: "figures", class: "figures" },
        turn.before ? figure(this.figureOf(shown, "before", turn.before, {}), state) : null,
        turn.position ? figure(this.figureOf(shown, "after", turn.position, {}), state) : null),
      element("div", { key: "forms", class: "forms" },
        this.form(`${place}-play`, say("change_play"), [this.field(name("play"), say("play_was"), { value: turn.move ?? "" })], say("change"), () => {
          const play = this.valueOf(name("play"), turn.move ?? "");
          return play ? { command: { what: "change_play", game, ply: turn.ply, play }, sure: say("sure_play", { label, play }), why: true } : null;
        }),
        this.form(`${place}-roll`, say("change_roll"), [this.field(name("roll"), say("roll_was"), { value: turn.dice.join("-"), mode: "numeric" })], say("change"), () => {
          const dice = (this.valueOf(name("roll"), turn.dice.join("-")).match(/[1-6]/g) ?? []).map(Number);
          return dice.length === 2 ? { command: { what: "change_roll", game, ply: turn.ply, dice }, sure: say("sure_roll", { label, dice: dice.join("-") }), why: true } : null;
        }),
        this.form(`${place}-cube`, say("change_cube"), [this.menu("cube", say("cube_before"), CUBE_TALKS.map((words) => [words, say(`cube_talk.${words.replaceAll(" ", "_") || "none"}`)]), this.valueOf(name("cube")), (words) => { this.fields[name("cube")] = words; this.draw(); })], say("change"), () => {
          const words = this.valueOf(name("cube"));
          return { command: { what: "change_cube", game, ply: turn.ply, words }, sure: say("sure_cube", { label, cube: say(`cube_talk.${words.replaceAll(" ", "_") || "none"}`) }), why: true };
        }),
        this.form(`${place}-undo`, say("undo"), [element("p", { key: "hint" }, say(last ? "undo_last" : "undo_from"))], say("undo_now"), () => ({
          command: { what: "undo_ply", game, ply: turn.ply }, sure: say("sure_undo", { label }), why: true })),
        element("p", { key: "dispute" }, element("a", { class: "button", href: this.turnAddress(shown, "dispute.html"), download: "" }, say("dispute_page")))));
  }

  // --- score, clock, files -------------------------------------------------------------------------------------------

  scoreTree() {
    const { state, say } = this;
    const match = state.match;
    if (!match) {
      return this.section("score", element("p", { key: "none" }, say("no_match")));
    }
    const clock = this.clockNow();
    const whole = (name, standard) => { const value = this.valueOf(name, standard); return /^\d{1,4}$/.test(value) ? Number(value) : null; };
    const allowed = new Set((state.allowed ?? []).map(({ what }) => what));
    const winner = this.fields.winner ?? "light";
    const loser = this.fields.loser ?? "light";
    return this.section("score",
      scoreLine(state, clock, say),
      element("div", { key: "forms", class: "forms" },
        this.form("set-score", say("set_score"), SIDES.map((side) => this.field(`score-${side}`, match[side], { value: match.score[side], mode: "numeric" })), say("change"), () => {
          const [light, dark] = SIDES.map((side) => whole(`score-${side}`, match.score[side]));
          return light === null || dark === null ? null : { command: { what: "change_score", light, dark }, sure: say("sure_score", { light, dark }), why: true };
        }),
        clock ? this.form("set-clock", say("set_clock"), SIDES.map((side) => this.field(`clock-${side}`, match[side], { value: minutes(state.clock[`${side}_s`]) })), say("change"), () => {
          const [light_s, dark_s] = SIDES.map((side) => seconds(this.valueOf(`clock-${side}`, minutes(state.clock[`${side}_s`]))));
          return light_s === null || dark_s === null ? null : { command: { what: "set_clock", light_s, dark_s }, sure: say("sure_clock", { light: minutes(light_s), dark: minutes(dark_s) }) };
        }) : null,
        allowed.has("award") ? this.form("award", say("award"), [
          this.radios("winner", say("winner"), SIDES, winner, (side) => { this.fields.winner = side; this.draw(); }, (side) => this.name(side)),
          this.field("points", say("points"), { mode: "numeric", value: 1 })], say("award_now"), () => {
          const points = whole("points", 1);
          return points ? { command: { what: "award", winner, points }, sure: say("sure_award", { name: this.name(winner), points }) } : null;
        }) : null,
        allowed.has("forfeit") ? this.form("forfeit", say("forfeit"), [
          this.radios("loser", say("loser"), SIDES, loser, (side) => { this.fields.loser = side; this.draw(); }, (side) => this.name(side))], say("forfeit_now"), () => ({
          command: { what: "forfeit", loser }, sure: say("sure_forfeit", { name: this.name(loser), winner: this.name(opponent(loser)) }) })) : null),
      element("p", { key: "note", class: "small" }, say("written")));
  }

  filesTree() {
    const { state, say } = this;
    if (!state.match) {
      return this.section("files", element("p", { key: "none" }, say("no_match")));
    }
    return this.section("files",
      element("ul", { key: "forms", class: "files" }, FORMS.map((form) => element("li", { key: form },
        element("a", { class: "button", href: `/api/v1/matches/${encodeURIComponent(state.match.id)}.${form}`, download: "" }, say(`file.${form}`))))),
      element("p", { key: "packet" }, element("a", { class: "button", href: `/api/v1/matches/${encodeURIComponent(state.match.id)}/packet.zip`, download: "" }, say("packet"))),
      element("p", { key: "dispute" }, say("file_dispute"), " ", element("a", { href: "#plays" }, say("tool.plays"))));
  }

  /** Say what has come up to those who hear the page. */
  speak() {
    const first = this.state.needs?.[0];
    const text = this.pending ? this.pending.sure : first ? `${first.heading}. ${first.text}` : "";
    if (text !== this.spoken) {
      this.spoken = text;
      sync(document.getElementById("live"), [text]);
    }
  }
}

/** The last word on each turn; tries that were put right are left out. */
function latest(plies) {
  const kept = new Map();
  for (const turn of plies) {
    kept.set(turn.ply, turn);
  }
  return [...kept.values()];
}

function minutes(left_s) {
  const whole = Math.round(left_s);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function seconds(text) {
  const found = /^(\d{1,3}):([0-5]\d)$/.exec(text);
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

new DirectorPage().start();
