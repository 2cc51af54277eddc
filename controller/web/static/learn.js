/** The page to learn from: hints where the rules allow them, positions to practise, and what could have been better. */

import { layoutFor } from "./board.js";
import { send } from "./commands.js";
import { CourseView } from "./course.js";
import { element, sync } from "./elements.js";
import { begin, onBoard, withoutLast } from "./entry.js";
import { Live } from "./live.js";
import { boardOf } from "./matters.js";
import { BoardQuestionView } from "./question.js";
import { diceRow, pageData, status, statusLine, where } from "./page.js";
import { BACKGAMMON, gameOf, sidePoint } from "./position.js";
import { NOTHING, reduce } from "./state.js";
import { readWishes, wearWishes } from "./wishes.js";
import { placeNamer, speaker } from "./words.js";

const VIEWS = ["exercise", "course", "last", "mistakes", "hints"];
const TEACHERS = ["class"];
const POLL_MS = 2000;
/** The address at which the board under the camera is asked about at once. */
const ASKING = "#exercise/board";
const LEVELS = [0, 1, 2, 3, 4];
const OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:0:7:10";

class LearnPage {
  constructor() {
    const data = pageData();
    this.say = speaker(data.words, data.language);
    this.token = data.token ?? null;
    this.wishes = readWishes();
    wearWishes(this.wishes);
    this.aids = null;
    this.xgid = "";
    this.place = null;
    this.entry = null;
    this.landings = [];
    this.answer = null;
    this.asked = new BoardQuestionView(this);
    this.shown = null;
    this.last = null;
    this.found = null;
    /** How much help was just asked for: it is shown until the table has answered. */
    this.level = null;
    this.notice = null;
    this.working = false;
    /** How often something was begun: answers to what was begun before are for nobody. */
    this.begun = 0;
    /** How often the aids were asked for, and which answer is shown. */
    this.aidsAsked = this.aidsShown = 0;
    this.course = new CourseView(this);
    const known = data.snapshot ? reduce(NOTHING, { ...data.snapshot, kind: "snapshot" }) : NOTHING;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.live = new Live({ address: `${scheme}://${location.host}/api/v1/live`, known, hear: () => this.hear(), tell: () => this.draw() });
  }

  get state() {
    return this.live.known.state;
  }

  get view() {
    const name = location.hash.slice(1).split("/")[0];
    return this.views.includes(name) ? name : "exercise";
  }

  /** What there is to learn from; the class is for the director. */
  get views() {
    return this.state.viewer?.role === "director" ? [...VIEWS, ...TEACHERS] : VIEWS;
  }

  start() {
    this.draw();
    this.hear();
    this.live.open();
    this.turnTo();
    window.addEventListener("hashchange", () => this.turnTo());
    document.addEventListener("visibilitychange", () => document.hidden || this.live.open());
  }

  async hear() {
    if (this.state.viewer?.role === "viewer") {
      // The session ended with the program that knew it: the server leads to where the PIN is entered.
      location.reload();
      return;
    }
    this.last = null;
    const asked = this.aidsAsked += 1;
    const aids = await this.ask("/api/v1/learn");
    if (aids && asked > this.aidsShown) {
      this.aidsShown = asked;
      const begins = aids.allowed && !this.aids?.allowed;
      this.aids = aids;
      if (begins) {
        this.askForView();
      }
    }
    this.draw();
  }

  /** What the table's program says; what it refuses is told and gives nothing. */
  async ask(address, body = null, tell = (text) => { this.notice = text; }) {
    try {
      const response = await fetch(address, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), credentials: "same-origin" } : { credentials: "same-origin" });
      const said = await response.json();
      if (response.ok) {
        return said;
      }
      tell(typeof said.detail === "string" ? said.detail : this.say("answer.refused"));
    } catch {
      tell(this.say("answer.unsent"));
    }
    return null;
  }

  turnTo() {
    this.notice = null;
    this.shown = null;
    this.draw();
    if (this.aids?.allowed) {
      this.askForView();
    }
    if (this.view === "class") {
      this.course.turnToClass();
    }
  }

  /** Ask for what the view shows, once it is known that the rules allow it. */
  askForView() {
    if (location.hash === ASKING) {
      this.asked.ask();
    } else if (this.view === "mistakes") {
      this.search();
    } else if (this.view === "course") {
      this.course.turnTo();
    }
  }

  /** Do something that takes a while; `task` is given what tells whether nothing else was begun meanwhile. */
  async work(task, what = "thinking") {
    const number = this.begun += 1;
    const isNewest = () => number === this.begun;
    this.working = what;
    this.notice = null;
    this.draw();
    await task(isNewest);
    this.working = isNewest() ? false : this.working;
    this.draw();
  }

  // --- what is drawn -------------------------------------------------------------------------------------------

  draw() {
    const { state, say } = this;
    document.body.dataset.view = location.hash ? "one" : "list";
    const open = this.view === "course" ? this.course.open : this.view === "exercise" && location.hash && (this.place || this.asked.waits && this.asked.found.position);
    document.body.dataset.open = open && this.aids?.allowed !== false ? "exercise" : "";
    sync(document.getElementById("head"), [
      element("p", { key: "where", class: "where" }, where(state, say)),
      element("p", { key: "status", class: "status-line" }, statusLine(status(state, { lost: this.live.isLost() }, say))),
    ]);
    sync(document.getElementById("list"), [
      element("h2", { key: "heading" }, say("title")),
      element("ul", { key: "tools", class: "tools" }, this.views.map((name) => element("li", { key: name },
        element("a", { href: `#${name}`, "aria-current": name === this.view ? "true" : null }, say(`tool.${name}`))))),
      element("ul", { key: "pages", class: "tools small" }, element("li", { key: "table" }, element("a", { href: "/" }, say("to_table")))),
    ]);
    const barred = this.aids && !this.aids.allowed;
    const trees = { exercise: () => this.exerciseTree(), last: () => this.lastTree(), mistakes: () => this.mistakesTree(), hints: () => this.hintsTree(), course: () => this.course.tree(), class: () => this.course.classTree() };
    sync(document.getElementById("main"), [
      element("p", { key: "back", class: "back" }, element("a", { href: "#" }, say("back"))),
      element("article", { key: this.view, class: "tool" },
        element("div", { key: "head", class: "matter-head" }, element("h2", { key: "heading" }, say(`tool.${this.view}`))),
        element("p", { key: "notice", class: "notice", role: "status" }, this.working ? say(this.working) : this.notice ?? ""),
        barred ? element("p", { key: "barred", class: "verdict" }, say("barred")) : trees[this.view]()),
    ]);
  }

  board(name, position, more = {}) {
    const layout = layoutFor(this.state.light_home ?? "bottom-right", null, { mirrored: this.wishes.mirrored });
    return element("div", { key: "board", class: "board-holder" }, boardOf(name, position, this.state, { layout, title: this.say("board_title"), ...more }));
  }

  candidates(said) {
    const { say } = this;
    if (!said) {
      return null;
    }
    if (!said.legal) {
      return element("section", { key: "said", class: "reason" }, element("h3", { key: "head" }, say("not_a_play")),
        said.reasons.map((text, index) => element("p", { key: index }, text)));
    }
    const mine = said.played;
    const listed = said.plays.some(({ position }) => position === mine.position) ? said.plays : [...said.plays, mine];
    return element("section", { key: "said" },
      element("p", { key: "verdict", class: "verdict" }, mine.loss === null ? say("not_weighed") : mine.loss < 0.0005 ? say("as_good") : say("loses", { loss: mine.loss.toFixed(3) })),
      element("ol", { key: "plays", class: "candidates" }, listed.map((each, index) => element("li", { key: each.position },
        element("button", { type: "button", "aria-pressed": this.shown === each.position ? "true" : "false", on: { click: () => { this.shown = this.shown === each.position ? null : each.position; this.draw(); } } },
          element("span", { key: "rank" }, index < said.plays.length ? index + 1 : "…"),
          element("span", { key: "text" }, each.text, each.position === mine.position ? ` – ${say("yours")}` : ""),
          element("span", { key: "equity" }, each.equity === null ? "" : signed(each.equity)),
          element("span", { key: "gap", class: "gap" }, each.loss ? `−${each.loss.toFixed(3)}` : ""))))),
      said.why ? element("p", { key: "why", class: "why" }, said.why) : null,
      element("p", { key: "engine", class: "small" }, say("engine", { engine: said.engine })));
  }

  exerciseTree() {
    const { say, place } = this;
    const text = this.entry?.text ?? "";
    const entering = place && !this.answer ? {
      ...onBoard(this.entry, { position: place.position, side: place.side, game: BACKGAMMON }, (entry) => this.enter(entry)),
      landings: this.landings.filter(({ from }) => from === this.entry.from).map(({ to }) => to), placeName: placeNamer({}, say),
    } : {};
    const form = element("form", { key: "open", class: "one-form", on: { submit: (event) => { event.preventDefault(); this.open(this.xgid); } } },
      element("label", { key: "xgid", class: "field" }, element("span", { key: "label" }, say("xgid")), element("input", {
        key: "field", type: "text", autocomplete: "off", spellcheck: "false", value: this.xgid, on: { input: (event) => { this.xgid = event.target.value; } } })),
      element("div", { key: "buttons", class: "buttons" }, element("button", { key: "show", type: "submit" }, say("show")),
        element("button", { key: "opening", type: "button", on: { click: () => this.open(openingRoll()) } }, say("opening_roll")),
        element("button", { key: "board", type: "button", on: { click: () => this.asked.ask() } }, say("ask_board"))));
    if (this.asked.waits) {
      return [this.asked.tree(), element("details", { key: "another", class: "another" }, element("summary", { key: "summary" }, say("another")), form)];
    }
    return [
      place ? null : form,
      place ? element("div", { key: "beside", class: "beside" },
        this.board("exercise-board", this.shown ?? place.position, { dice: { side: place.side, values: place.dice, played: Boolean(this.shown), sure: true }, cube: place.cube, numbering: place.side, game: BACKGAMMON, ...entering }),
        element("div", { key: "words", class: "talk-side" },
          diceRow({ side: place.side, values: place.dice, played: false, sure: true }, "medium", say),
          element("p", { key: "who" }, say("to_play", { side: say(`side.${place.side}`), score: place.text })),
          this.answer ? this.candidates(this.answer) : element("form", { key: "play", class: "one-form", on: { submit: (event) => { event.preventDefault(); this.send(); } } },
            element("label", { key: "label", class: "field" }, element("span", { key: "label" }, say("play_hint")), element("input", {
              key: "field", type: "text", autocomplete: "off", spellcheck: "false", value: text, on: { input: (event) => this.enter({ ...this.entry, text: event.target.value }) } })),
            element("div", { key: "buttons", class: "buttons" },
              element("button", { key: "undo", type: "button", on: { click: () => this.enter(withoutLast(this.entry)) } }, say("take_back")),
              element("button", { key: "send", type: "submit", class: "main" }, say("weigh")))),
          this.answer ? element("div", { key: "after", class: "buttons" },
            element("button", { key: "again", type: "button", on: { click: () => this.open(this.xgid) } }, say("again")),
            this.answer.legal ? element("button", { key: "keep", type: "button", on: { click: () => this.asked.keep() } }, say("keep")) : null) : null,
          this.asked.shareTree())) : null,
      place ? element("details", { key: "another", class: "another" }, element("summary", { key: "summary" }, say("another")), form) : null,
    ];
  }

  /** Show the play as far as it is entered, and ask where the next checker may land. */
  async enter(entry) {
    const text = entry.text.trim();
    const asked = text !== this.entry?.text.trim() || !this.landings.length;
    this.entry = entry;
    this.landings = asked ? [] : this.landings;
    this.draw();
    if (asked) {
      // What is half typed is no play yet, and nothing to be told of.
      const found = await this.ask(`/api/v1/learn/landings?xgid=${encodeURIComponent(this.xgid.trim())}&play=${encodeURIComponent(text)}`, null, () => {});
      if (found && this.entry?.text.trim() === text) {
        this.landings = found.moves;
        this.draw();
      }
    }
  }

  open(xgid, picture = null) {
    return this.work(async (isNewest) => {
      this.asked.close(picture);
      const place = await this.ask(`/api/v1/learn/position?xgid=${encodeURIComponent(xgid.trim())}`);
      if (place && isNewest()) {
        this.xgid = xgid;
        this.place = place;
        // Where the list has gone, the way back to it has an address of its own.
        location.hash ||= "exercise";
        this.answer = this.shown = null;
        this.enter(begin({ what: "played", needs: "play", side: place.side }));
      }
    });
  }

  send() {
    const play = this.entry.text.trim();
    return play ? this.work(async (isNewest) => {
      const answer = await this.ask("/api/v1/learn/answer", { xgid: this.xgid.trim(), play });
      this.answer = isNewest() ? answer : this.answer;
    }) : null;
  }

  lastTree() {
    const { say, last } = this;
    return [
      element("p", { key: "hint" }, say("last_hint")),
      element("div", { key: "buttons", class: "buttons" }, element("button", { key: "ask", type: "button", class: "main", on: { click: () => this.work(async () => { this.last = await this.ask("/api/v1/learn/last"); }) } }, say("best_plays"))),
      last ? element("div", { key: "beside", class: "beside" },
        this.board("last-board", this.shown ?? last.position, { dice: { side: last.side, values: last.dice, played: Boolean(this.shown), sure: true }, cube: last.cube, numbering: last.side }),
        element("div", { key: "words", class: "talk-side" }, this.candidates(last))) : null,
    ];
  }

  async search() {
    const match = this.state.match?.id;
    if (!match || this.view !== "mistakes") {
      return;
    }
    const found = await this.ask(`/api/v1/learn/mistakes?match=${encodeURIComponent(match)}`);
    this.found = found ?? this.found;
    this.draw();
    if (found?.state === "working") {
      setTimeout(() => this.search(), POLL_MS);
    }
  }

  mistakesTree() {
    const { say, found } = this;
    if (!this.state.match) {
      return element("p", { key: "none" }, say("no_match"));
    }
    if (!found) {
      return null;
    }
    if (found.state === "working") {
      return element("p", { key: "working", role: "status" }, say("working", { done: found.done, of: found.of }));
    }
    const chosen = found.mistakes[Number(location.hash.split("/")[1] ?? 0)] ?? found.mistakes[0];
    return [
      found.notes.map((text, index) => element("p", { key: `note-${index}`, class: "small" }, text)),
      found.mistakes.length ? element("div", { key: "beside", class: "beside" },
        element("div", { key: "one", class: "talk-side" },
          this.board("mistake-board", chosen.position, { numbering: chosen.player, dice: chosen.dice ? { side: chosen.player, values: chosen.dice, played: false, sure: true } : null, bold: [] }),
          element("ol", { key: "options", class: "candidates" }, chosen.options.map((line, index) => element("li", { key: index, class: "option" },
            element("span", { key: "text" }, line.text), " ", element("b", { key: "equity" }, line.equity), " ", element("span", { key: "gap", class: "gap" }, line.gap), " ", element("span", { key: "mark", class: "small" }, line.mark))))),
        element("ol", { key: "list", class: "mistakes" }, found.mistakes.map((each, index) => element("li", { key: index },
          element("a", { href: `#mistakes/${index}`, "aria-current": each === chosen ? "true" : null, class: each.blunder ? "blunder" : null },
            element("span", { key: "loss", class: "loss" }, `−${each.loss.toFixed(3)}`),
            element("span", { key: "where", class: "where-made" }, `${each.name}, ${each.where}`),
            element("span", { key: "made", class: "made" }, `${each.what}: ${each.made}`)))))) : element("p", { key: "none" }, say("no_mistakes")),
    ];
  }

  hintsTree() {
    const { state, say, aids } = this;
    if (!state.position || !aids) {
      return element("p", { key: "none" }, say("no_match"));
    }
    const front = layoutFor(state.light_home ?? "bottom-right", null).front;
    return element("div", { key: "beside", class: "beside" },
      this.board("hint-board", state.position, { dice: state.dice, cube: state.cube, bold: aids.points.map((point) => sidePoint(point, front, gameOf(state))), hints: aids.points }),
      element("div", { key: "words", class: "talk-side" },
        element("p", { key: "headline", class: "verdict" }, state.headline),
        element("fieldset", { key: "levels", class: "radios column" }, element("legend", { key: "legend" }, say("hint_level")),
          LEVELS.map((level) => element("label", { key: level }, element("input", { key: "box", type: "radio", name: "level", value: level, checked: level === (this.level ?? aids.level), on: { change: () => this.setLevel(level) } }), element("span", { key: "text" }, say(`level_${level}`))))),
        aids.text.length ? element("ul", { key: "lamps", class: "lamps", role: "status" }, aids.text.map((text, index) => element("li", { key: index }, text))) : null));
  }

  async setLevel(level) {
    this.level = level;
    this.draw();
    const reply = await send({ what: "hint", level }, { token: this.token });
    this.notice = reply.answer === "done" ? null : reply.text || this.say(`answer.${reply.answer}`);
    await this.hear();
    this.level = this.level === level ? null : this.level;
    this.draw();
  }
}

/** One of the fifteen rolls that a game may begin with. */
function openingRoll() {
  const [high, low] = [1, 2].map(() => 1 + Math.floor(Math.random() * 6));
  return high === low ? openingRoll() : OPENING.replace("{dice}", `${Math.max(high, low)}${Math.min(high, low)}`);
}

function signed(equity) {
  return `${equity < 0 ? "−" : "+"}${Math.abs(equity).toFixed(3)}`;
}

new LearnPage().start();
