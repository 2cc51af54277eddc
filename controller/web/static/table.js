/** The page of a table: shows what the table tells, and tells it what people decide. */

import { BoardOnPage } from "./board.js";
import { send } from "./commands.js";
import { element, sync } from "./elements.js";
import { begin, entryPad, keysOf, onBoard, withDie, withoutLast } from "./entry.js";
import { fit } from "./fit.js";
import { hintsTree, hintView } from "./hints.js";
import { Live, channelAddress } from "./live.js";
import { heading, pageData, player, question, saying, status, statusLine, strips, where, wordLine } from "./page.js";
import { differences, sidePoint } from "./position.js";
import { ReadingAloud } from "./aloud.js";
import { boardView, clockAfter, hasRows, NOTHING, numberingOf, offsetAfter, reduce, seats, stepsOf, toneOf } from "./state.js";
import { keepWishes, readWishes, wearWishes } from "./wishes.js";
import { announcement, boardTable, describe, placeNamer, speaker } from "./words.js";

/** A button that has just changed or was pressed takes no press, and none changes under a finger. */
const SETTLE_MS = 300;
const TICK_MS = 250;
/** A word line of more letters is set smaller, so that it stays one line. */
const LONG = 64;
const BOARDS = ["walnut", "felt", "blue", "oxblood"];
const GROUNDS = ["auto", "light", "dark"];
const UPRIGHT = "(orientation: portrait) and (max-width: 640px)";
/** Answers of the same weight: none of them may look like the one to choose. */
const EQUALS = new Set(["take", "pass", "beaver", "raccoon", "accept", "refuse"]);
const ALWAYS = new Set(["pause", "dispute"]);
const SELDOM = new Set(["undo", "resign", "rebuild", "forfeit", "award", "stop"]);
const PAGES = ["setup", "see", "director", "learn", "watch"];

/**
 * The choices by how near at hand they lie: what is to be answered or done now, the main one first; what can always
 * be called for; what is seldom wanted. What a question asks for is not seldom.
 */
function groupsOf(choices, asked, learning = false) {
  const isSeldom = ({ what }) => SELDOM.has(what) && what !== asked?.kind && !(learning && what === "undo");
  const [main, rest] = [choices.filter((choice) => choice.main), choices.filter((choice) => !choice.main)];
  return {
    answers: [...main, ...rest.filter((choice) => !ALWAYS.has(choice.what) && !isSeldom(choice))],
    always: rest.filter(({ what }) => ALWAYS.has(what)),
    seldom: rest.filter(isSeldom),
  };
}

/** A table on a page. */
export class TablePage {
  /**
   * @param {Object} how
   * @param {boolean} how.controls whether people may tell the table something here
   * @param {boolean} [how.far] whether it is read from afar
   * @param {() => import("./elements.js").Tree} [how.links] the links of the panel, if not those to the other pages
   */
  constructor({ controls, far = false, links = () => this.pageLinks() }) {
    const data = pageData();
    this.controls = controls;
    this.far = far;
    this.links = links;
    this.token = data.token ?? null;
    this.say = speaker(data.words, data.language);
    this.wishes = readWishes();
    this.board = new BoardOnPage(document.getElementById("board"));
    this.entry = null;
    this.picked = null;
    this.sure = null;
    this.options = null;
    this.list = false;
    /** The place of the lamps that was tapped for where its checker may land, and which of the best plays is shown. */
    this.hint = { lifted: null, chosen: 0 };
    /** How much help was just asked for: it is shown until the table has told how much there is. */
    this.level = null;
    this.notice = null;
    /** The newest event that the notice knows of, and of which match: the notice stays until something comes after that. */
    this.noticed = { event: -1, match: null };
    /** The last of what hands were told: a command goes when they have all been heard. */
    this.carried = Promise.resolve();
    this.sending = false;
    this.offered = { key: "", choices: [], since: -Infinity };
    this.touched = -Infinity;
    this.clockOffset = null;
    this.stopped = null;
    this.spoken = "";
    this.aloud = new ReadingAloud();
    const known = data.snapshot ? reduce(NOTHING, { ...data.snapshot, kind: "snapshot" }) : NOTHING;
    this.setOffset(known.state.clock, true);
    this.live = new Live({
      address: channelAddress(data.language, !controls),
      known,
      hear: (_, message) => this.hear(message),
      tell: () => this.draw(),
      hearTime: (at_ms) => { this.clockOffset = offsetAfter(this.clockOffset, at_ms); },
      speak: (message) => this.aloud.say(message),
    });
  }

  get state() {
    return this.live.known.state;
  }

  /** Show the page and listen. */
  start() {
    wearWishes(this.wishes);
    this.draw();
    this.live.open();
    setInterval(() => this.tick(), TICK_MS);
    window.matchMedia(UPRIGHT).addEventListener("change", () => this.draw());
    window.addEventListener("resize", () => this.fit());
    document.addEventListener("visibilitychange", () => document.hidden || this.live.open());
    document.addEventListener("pointerdown", (event) => {
      this.touched = performance.now();
      if (!event.target.closest?.("details")) {
        document.querySelector("details[open]")?.removeAttribute("open");
      }
    }, true);
    if (this.controls) {
      document.addEventListener("keydown", (event) => this.press(event));
    }
    return this;
  }

  hear(message) {
    this.stopped = null;
    this.setOffset(message.kind === "snapshot" ? message.state.clock : message.set?.clock, message.kind === "snapshot");
    const late = this.noticed.match && this.noticed.match === this.state.match?.id && message.event <= this.noticed.event;
    if (message.kind !== "clock" && message.kind !== "device" && !late) {
      this.notice = null;
    }
    this.draw(stepsOf(message));
  }

  /** The table's clock against ours: only how much later than the quickest message another one comes counts. */
  setOffset(clock, fresh) {
    if (clock) {
      const offset = Date.now() - clock.at_ms;
      this.clockOffset = fresh || this.clockOffset === null ? offset : Math.min(offset, this.clockOffset);
    }
  }

  tick() {
    const silent = this.live.isSilent();
    if (silent !== (this.stopped !== null)) {
      this.stopped = silent ? Date.now() : null;
      this.draw();
    } else if (silent || this.state.clock?.runs) {
      this.drawPlayers();
      this.drawWord();
    }
  }

  clockNow() {
    const clock = this.state.clock;
    return clock ? clockAfter(clock, (this.stopped ?? Date.now()) - clock.at_ms - (this.clockOffset ?? 0)) : null;
  }

  silence() {
    return { silent: this.stopped !== null, ms: this.live.silence(), lost: this.live.isLost() };
  }

  get upright() {
    return !this.far && !this.wishes.lying && window.matchMedia(UPRIGHT).matches;
  }

  /** Show everything anew; only what has changed is touched. */
  draw(steps = []) {
    this.choose();
    document.title = this.state.match ? `${heading(this.state, this.say)} – Pointsman` : "Pointsman";
    document.body.dataset.upright = this.upright ? "yes" : "no";
    document.body.dataset.room = this.state.room ?? "";
    document.body.dataset.match = this.state.match ? "yes" : "no";
    sync(document.getElementById("heading"), [heading(this.state, this.say)]);
    this.drawTalk();
    this.drawBoard(steps);
    this.drawPlayers();
    this.drawWord();
    this.drawHead();
    this.fit();
    this.speak();
  }

  /** Have everything that is needed inside the window. */
  fit() {
    fit(document.body, document.getElementById("talk"));
  }

  drawBoard(steps) {
    const view = boardView(this.state, {
      upright: this.upright, mirrored: this.wishes.mirrored, silent: this.stopped !== null, name: "table-board",
    });
    const whole = {
      ...view,
      title: this.say("board_title"),
      description: describe(this.state, this.say),
      placeName: placeNamer(this.state, this.say),
      ...(this.state.question ? {} : hintView(this.state, this.hintPage())),
      ...(this.entry?.needs === "play" ? {
        ...onBoard(this.entry, { position: this.state.position, side: this.entry.choice.side ?? view.numbering, game: view.game }, (entry) => this.enter(entry)),
        take: [], put: [], arrows: [], last: [],
      } : this.handsView(view)),
    };
    if (steps.length) {
      this.board.move(whole, steps);
    } else {
      this.board.renew(whole);
    }
    sync(document.getElementById("board-words"), this.state.position ? [boardTable(this.state, view.layout.front, this.say)] : []);
  }

  /** What the board needs so that simulated hands do what is done on it; nothing where there are none. */
  handsView(view) {
    const hands = this.controls && this.state.viewer?.role !== "viewer" ? this.state.demo?.hands : null;
    if (!hands) {
      this.picked = null;
      return {};
    }
    const marks = hands.position === view.position ? {} : {
      last: [], take: [], put: [], arrows: [],
      ...(this.state.question?.moves?.length ? differences(this.state.position, hands.position, view.game) : {}),
    };
    return {
      ...marks,
      position: hands.position,
      chosen: this.picked?.place ?? null,
      tap: (place, side) => this.pick(place, side, view),
      carry: (from, to, side) => this.moveHands(side, from, to, view),
    };
  }

  /** A place was tapped where hands follow the page: the first tap says which checker, the second where it goes. */
  pick(place, side, view) {
    const { picked } = this;
    this.picked = picked || !side ? null : { place, side };
    if (picked && picked.place !== place) {
      this.moveHands(picked.side, picked.place, place, view);
    }
    this.draw();
  }

  async moveHands(side, from, to, { numbering, game }) {
    const own = (place) => sidePoint(sidePoint(place, numbering, game), side, game);
    const command = { what: "hands", side, from: own(from), to: own(to) };
    this.carried = this.carried.then(() => send(command, { token: this.token }));
    this.note(await this.carried);
    this.draw();
  }

  /** Show what became of a command, if there is anything to say. */
  note(reply) {
    this.notice = reply.answer === "done" ? null : reply.text || this.say(`answer.${reply.answer}`);
    this.noticed = { event: reply.event ?? -1, match: this.state.match?.id };
  }

  drawPlayers() {
    const clock = this.clockNow();
    for (const [place, side] of strips(this.state)) {
      sync(document.getElementById(place), player(this.state, side, clock, { upright: this.upright, say: this.say, far: this.far }));
    }
  }

  drawWord() {
    const { near } = seats(this.state);
    const numbering = numberingOf(this.state, near);
    const word = document.getElementById("word");
    sync(word, wordLine(this.state, this.silence(), this.say, numbering === near ? null : numbering));
    if (word.classList.toggle("long", word.textContent.length > LONG)) {
      // It may have more lines than its place as soon as the board gives way.
      word.tabIndex = 0;
    } else {
      word.removeAttribute("tabindex");
    }
  }

  drawTalk() {
    const talk = document.getElementById("talk");
    const { state, say } = this;
    const asked = state.question && !this.entry;
    talk.className = `talk${asked ? ` asked ${toneOf(state.question)}` : ""}${this.entry ? " entering" : ""}`;
    if (this.entry) {
      sync(talk, [entryPad(this.entry, {
        say, side: this.entry.choice.side ?? state.on_turn ?? "light", change: (entry) => this.enter(entry),
        send: () => this.sendEntry(), close: () => this.close(),
      }), this.noticeLine()]);
      return;
    }
    sync(talk, [
      state.demo?.text ? element("p", { key: "demo", class: "demo-note", role: "status" }, state.demo.text) : null,
      element("div", { key: asked ? `question-${state.question.kind}` : "saying", class: "words" }, asked ? question(state, say) : saying(state, say, this.list ? this.keyList() : this.controls ? hintsTree(state, this.hintPage()) : null)),
      this.roomLink(),
      this.noticeLine(),
      ...(this.controls ? [this.choicesTree()].flat() : []),
      asked && this.list ? this.keyList() : null,
    ]);
  }

  /** What the hints need of the page. */
  hintPage() {
    const turn = `${this.state.match?.game}-${this.state.plays?.[0]?.ply}-${this.state.on_turn}-${this.state.dice?.values}`;
    if (this.hint.turn !== turn) {
      this.hint = { lifted: null, chosen: 0, turn };
    }
    this.level = this.level === this.state.hints?.level ? null : this.level;
    const change = (what) => {
      this.hint = { ...this.hint, ...what };
      this.draw();
    };
    return {
      ...this.hint, say: this.say, lift: (lifted) => change({ lifted }), choose: (chosen) => change({ chosen, lifted: null }),
      level: this.level, setLevel: (level) => this.setLevel(level),
    };
  }

  async setLevel(level) {
    this.level = level;
    if (!(await this.carryOut({ what: "hint", keys: { level } }))) {
      this.level = null;
      this.draw();
    }
  }

  noticeLine() {
    return element("p", { key: "notice", class: "notice", role: "status" }, this.notice ?? "");
  }

  /** Where there is no match: the way to one. */
  roomLink() {
    const without = ["no_camera", "no_board", "calibrating", "ready", "over"].includes(this.state.room);
    return this.controls && without && this.state.viewer?.role !== "viewer"
      ? element("p", { key: "link" }, element("a", { class: "button main", href: "/setup" }, this.state.room === "over" ? this.say("next_match") : this.say("to_setup")))
      : null;
  }

  choicesTree() {
    const { say } = this;
    if (this.sure) {
      return element("div", { key: "sure", class: "choices sure", role: "group", "aria-label": this.sure.sure },
        element("p", { key: "ask", class: "ask" }, this.sure.sure),
        element("div", { key: "buttons", class: "buttons" },
          element("button", { key: "no", id: "safe", type: "button", on: { click: () => this.close() } }, say("no")),
          element("button", { key: "yes", type: "button", on: { click: () => this.carryOut(this.sure) } }, this.sure.text)));
    }
    if (this.options) {
      return element("div", { key: "options", class: "choices rows", role: "group", "aria-label": this.options.text },
        this.options.options.map((option, index) => this.button({ ...this.options, ...option, keys: { ...this.options.keys, ...option.keys }, needs: null, options: null, key: String(index + 1), main: false }, index)),
        element("button", { key: "close", id: "safe", type: "button", on: { click: () => this.close() } }, say("cancel"), this.cap("Esc")));
    }
    const rows = hasRows(this.state);
    const { answers, always, seldom } = groupsOf(this.offered.choices, this.state.question, Boolean(this.state.hints));
    return [
      element("div", { key: "choices", class: `choices${rows ? " rows" : ""}`, role: "group", "aria-label": say("choices") },
        answers.map((choice, index) => this.button(rows && !choice.key ? { ...choice, key: String(index + 1) } : choice, index))),
      element("div", { key: "always", class: "choices always", role: "group", "aria-label": say("always") },
        always.map((choice, index) => this.button(choice, index)),
        seldom.length ? element("details", { key: "more", class: "more" }, element("summary", { key: "summary", on: { click: (event) => this.isSettling() && event.preventDefault() } }, say("more")),
          element("div", { key: "seldom", class: "choices" }, seldom.map((choice, index) => this.button(choice, index)))) : null),
    ];
  }

  button(choice, index) {
    return element("button", {
      key: `${choice.what}-${JSON.stringify(choice.keys ?? {})}-${index}`, type: "button", class: choice.main ? "main" : EQUALS.has(choice.what) ? "equal" : null,
      "aria-disabled": this.sending ? "true" : null, "aria-keyshortcuts": this.wishes.keys ? choice.key ?? null : null,
      on: { click: () => this.take(choice) },
    }, element("span", { key: "text", class: "text" }, choice.text), choice.detail ? element("small", { key: "detail" }, choice.detail) : null, this.cap(choice.key));
  }

  cap(key) {
    return key && this.wishes.keys ? element("kbd", { key: "cap", "aria-hidden": "true" }, { Escape: "Esc", Enter: "⏎" }[key] ?? key) : null;
  }

  keyList() {
    const { say } = this;
    const lines = [...this.offered.choices.filter(({ key }) => key).map(({ key, text }) => [key, text]), ["?", say("key_question")], ["k", say("key_list")], ["Esc", say("key_close")]];
    return element("dl", { key: "keys", class: "keys" }, lines.map(([key, text], index) => [
      element("dt", { key: `key-${index}` }, element("kbd", null, key)), element("dd", { key: `text-${index}` }, text)]));
  }

  drawHead() {
    const { state, say } = this;
    const line = status(state, this.silence(), say);
    const panel = element("div", { key: "panel", class: "panel" },
      state.devices?.length ? element("ul", { key: "devices", class: "devices" }, state.devices.map((device) =>
        element("li", { key: device.name, class: "status" }, statusLine({ well: device.ready, text: device.text || say(`device.${device.name}`) })))) : null,
      this.wishesTree(),
      this.links());
    sync(document.getElementById("head"), [
      element("p", { key: "where", class: "where" }, where(state, say)),
      element("details", { key: "status", class: "status" }, element("summary", { key: "summary" }, statusLine(line)), panel),
    ]);
  }

  pageLinks() {
    const { say } = this;
    return element("nav", { key: "pages", "aria-label": say("pages") }, this.pages().map((page) => element("a", { key: page, href: `/${page}` }, say(`link.${page}`))));
  }

  pages() {
    return this.controls && this.state.viewer?.role !== "viewer" ? PAGES : this.controls ? ["watch", "login"] : [];
  }

  wishesTree() {
    const { say, wishes } = this;
    const box = (name) => element("label", { key: name }, element("input", { key: "box", type: "checkbox", checked: wishes[name], on: { change: (event) => this.wish(name, event.target.checked) } }), say(`wish.${name}`));
    const menu = (name, values) => element("label", { key: name }, say(`wish.${name}`),
      element("select", { key: "menu", on: { change: (event) => this.wish(name, event.target.value) } },
        values.map((value) => element("option", { key: value, value, selected: value === wishes[name] }, say(`${name}.${value}`)))));
    return element("div", { key: "wishes", class: "wishes" }, box("lying"), box("mirrored"), this.controls ? box("keys") : null, this.aloud.can ? box("aloud") : null, menu("board", BOARDS), menu("ground", GROUNDS));
  }

  wish(name, value) {
    this.wishes = { ...this.wishes, [name]: value };
    keepWishes(this.wishes);
    if (name === "aloud") {
      this.aloud.turn(value, this.say("wish.aloud"), document.documentElement.lang);
    }
    wearWishes(this.wishes);
    this.draw();
  }

  /** Say what has happened to those who hear the page. */
  speak() {
    const text = announcement(this.state, this.say);
    if (text !== this.spoken) {
      this.spoken = text;
      sync(document.getElementById("live"), [text]);
    }
  }

  /** Take over what is allowed now, but not under a finger; what is open for something gone closes. */
  choose() {
    const choices = this.controls && this.state.viewer?.role !== "viewer" ? this.state.allowed ?? [] : [];
    const key = JSON.stringify(choices);
    const now = performance.now();
    if (key === this.offered.key) {
      return;
    }
    if (now - this.touched < SETTLE_MS) {
      setTimeout(() => this.draw(), SETTLE_MS);
      return;
    }
    this.offered = { key, choices, since: now };
    const still = (open) => open && choices.some((choice) => choice.what === open.what && choice.side === open.side);
    if (!still(this.entry?.choice)) {
      this.entry = null;
    }
    this.sure = still(this.sure) ? this.sure : null;
    this.options = still(this.options) ? this.options : null;
  }

  /** Whether what is offered has just changed, or was answered just now: a press may be meant for what was there. */
  isSettling() {
    return this.sending || performance.now() - this.offered.since < SETTLE_MS;
  }

  /** A choice was pressed. */
  take(choice) {
    if (this.isSettling()) {
      return;
    }
    this.notice = null;
    if (choice.options?.length) {
      this.options = choice;
      this.draw();
      document.getElementById("safe")?.focus();
    } else if (choice.needs) {
      this.entry = begin(choice);
      this.draw();
      // Not on a die: Enter is to send the roll, not to choose that die.
      document.querySelector("#talk input, #talk h2")?.focus();
    } else if (choice.sure) {
      this.options = null;
      // The answer is about what lay there when it was asked.
      this.sure = { ...choice, run: this.live.known.run, seen: this.live.known.seq };
      this.draw();
      document.getElementById("safe")?.focus();
    } else {
      this.carryOut(choice);
    }
  }

  enter(entry) {
    this.entry = entry;
    this.draw();
  }

  sendEntry() {
    const keys = keysOf(this.entry);
    if (keys) {
      this.carryOut(this.entry.choice, keys);
    }
  }

  /** Close what is open without telling the table anything. */
  close() {
    const open = this.entry || this.sure || this.options || this.list;
    this.entry = this.sure = this.options = null;
    this.list = false;
    this.draw();
    return Boolean(open);
  }

  /** Tell the table what was chosen; whether it did so. */
  async carryOut(choice, keys = {}) {
    if (this.sending) {
      return false;
    }
    this.sending = true;
    this.sure = this.options = null;
    // Left open it would close under the next press, and move what is pressed away.
    document.querySelector(".more[open]")?.removeAttribute("open");
    this.draw();
    const command = { what: choice.what, ...(choice.side ? { side: choice.side } : {}), ...choice.keys, ...keys, run: choice.run ?? this.live.known.run, seen: choice.seen ?? this.live.known.seq };
    await this.carried;
    const reply = await send(command, { token: this.token });
    this.sending = false;
    // The second press of two may come before the table's news.
    this.offered.since = performance.now();
    this.note(reply);
    if (reply.answer === "done" || reply.answer === "stale") {
      this.entry = null;
    }
    this.draw();
    return reply.answer === "done";
  }

  /** Keys: those of the choices, digits for answers and dice. */
  press(event) {
    const typing = event.target.closest?.("input, select, textarea");
    if (event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === "Escape") {
      const head = document.querySelector("details[open]");
      head?.removeAttribute("open");
      if (!this.close() && !head) {
        this.takeByKey("Escape");
      }
      return;
    }
    if (typing || !this.wishes.keys) {
      return;
    }
    if (this.entry?.needs === "dice" && /^[1-6]$/.test(event.key)) {
      this.enter(withDie(this.entry, Number(event.key)));
    } else if (this.entry && event.key === "Backspace") {
      this.enter(withoutLast(this.entry));
    } else if (this.entry) {
      if (event.key === "Enter" && !event.target.closest?.("button, a, summary")) {
        this.sendEntry();
      }
    } else if (event.key === "?") {
      document.getElementById("question")?.focus();
    } else if (event.key === "k") {
      this.list = !this.list;
      this.draw();
    } else if (event.key === "Enter") {
      if (event.target.closest?.("button, a, summary")) {
        return;
      }
      this.takeByKey("Enter");
    } else {
      this.takeByKey(event.key);
    }
  }

  takeByKey(key) {
    if (this.sure) {
      return;
    }
    const digit = /^[1-9]$/.test(key) ? Number(key) - 1 : null;
    const open = this.options;
    if (open && digit !== null && open.options[digit]) {
      const option = open.options[digit];
      this.take({ ...open, ...option, keys: { ...open.keys, ...option.keys }, needs: null, options: null });
      return;
    }
    const choice = this.offered.choices.find((each) => each.key === key)
      ?? (digit !== null && hasRows(this.state) ? groupsOf(this.offered.choices, this.state.question, Boolean(this.state.hints)).answers[digit] : undefined);
    if (choice) {
      this.take(choice);
    }
  }
}

if (document.body.dataset.page === "table") {
  new TablePage({ controls: true }).start();
}
