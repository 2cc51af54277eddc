/** The course on the page to learn from: its list, a lesson to be answered on the board, and the class. */

import { element } from "./elements.js";
import { begin, onBoard, positionAfter, withoutLast } from "./entry.js";
import { diceRow } from "./page.js";
import { placeNamer } from "./words.js";

const LEARNER = "pointsman.learner";
/** The name of a learner who gave none, as the table keeps it. */
const ME = "me";
const WAIT_MS = 400;
const LOOK_MS = 1500;
/** So often in turn nobody can say what lies on the real board before that is told. */
const HIDDEN = 4;

export class CourseView {
  /** @param {Object} page the page to learn from: it asks the table's program, knows the words, and draws */
  constructor(page) {
    this.page = page;
    this.learner = kept();
    this.list = null;
    this.lesson = null;
    this.entry = null;
    this.landings = [];
    this.hinted = false;
    this.mark = null;
    /** The lesson whose answer is being marked. */
    this.marking = null;
    this.rows = null;
    /** What is said of the real board; null until it is looked at. */
    this.told = null;
    /** Whether the lesson is being set up on the real board, and how often in turn nobody could say what lies there. */
    this.settingUp = false;
    this.hidden = 0;
  }

  /** Whether a lesson is open, so that its board takes the window. */
  get open() {
    return Boolean(this.lesson && this.named);
  }

  get named() {
    const [view, name] = location.hash.slice(1).split("/");
    return view === "course" ? name ?? "" : "";
  }

  /** The address leads here: have the list, and the lesson that it names. */
  async turnTo() {
    await this.refresh();
    if (this.named && this.lesson?.name !== this.named) {
      await this.begin(this.named);
    } else if (!this.named) {
      clearTimeout(this.looking);
      this.lesson = null;
      this.page.draw();
    } else if (this.settingUp) {
      // Somebody comes back to a lesson that was being set up.
      await this.setUp();
    }
  }

  async refresh() {
    const { learner } = this;
    const list = await this.page.ask(`/api/v1/learn/course?learner=${encodeURIComponent(learner || ME)}`);
    this.list = list && learner === this.learner ? list : this.list;
    this.page.draw();
  }

  async begin(name) {
    const lesson = await this.page.ask(`/api/v1/learn/course/lesson?name=${encodeURIComponent(name)}`);
    if (lesson && name === this.named) {
      clearTimeout(this.looking);
      Object.assign(this, { lesson, hinted: false, mark: null, landings: [], told: null, settingUp: false, hidden: 0 });
      await this.enter(begin({ what: "played", needs: lesson.asked === "pips" ? "number" : "play", side: lesson.side }));
    }
  }

  /** Show the play as far as it is entered, and ask where the next checker may land. */
  async enter(entry) {
    const text = entry.text.trim();
    const asked = text !== this.entry?.text.trim() || !this.landings.length;
    this.entry = entry;
    this.landings = asked ? [] : this.landings;
    this.page.draw();
    if (asked && this.lesson.asked === "play") {
      // What is half typed is no play yet, and nothing to be told of.
      const found = await this.page.ask(`/api/v1/learn/course/landings?name=${encodeURIComponent(this.lesson.name)}&play=${encodeURIComponent(text)}`, null, () => {});
      if (found && this.entry?.text.trim() === text) {
        this.landings = found.moves;
        this.page.draw();
      }
    }
  }

  /** Have the lesson set up on the real board: look at it until it lies there, or the lesson is left. */
  async setUp() {
    clearTimeout(this.looking);
    const { lesson } = this;
    this.settingUp = true;
    const found = await this.look();
    if (this.isAsked(lesson) && this.settingUp) {
      this.settingUp = !found?.set_up;
      this.hidden = found?.waits ? this.hidden + 1 : 0;
      // While a checker is carried, what is to be done with it stays to be read.
      this.tell(found && (found.waits && this.hidden < HIDDEN && this.told || found.words));
      if (this.settingUp) {
        // A hand, a movement or a line that is gone for a moment ends nothing.
        clearTimeout(this.looking);
        this.looking = setTimeout(() => this.isAsked(lesson) && this.setUp(), LOOK_MS);
      }
    }
  }

  /** Answer with the position that lies on the board after the play; never with one that was seen before. */
  async answerFromBoard() {
    clearTimeout(this.looking);
    const { lesson } = this;
    this.settingUp = false;
    const found = await this.look();
    if (this.isAsked(lesson)) {
      this.tell(found && (found.position ? found.words : found.doubts));
      if (found?.position) {
        await this.answer(found.position);
      }
    }
  }

  /** What lies on the real board now; null, and told, where the table's program does not say. */
  look() {
    const { lesson, page } = this;
    return page.ask(`/api/v1/learn/course/board?name=${encodeURIComponent(lesson.name)}`, null, (text) => this.isAsked(lesson) && this.tell([text]));
  }

  /** Say something of the real board; with null what was said before stays. */
  tell(words) {
    this.told = words ?? this.told;
    this.page.draw();
  }

  isAsked(lesson) {
    return this.lesson === lesson && this.open && !this.mark?.legal;
  }

  /** Have an answer marked; pressed again before that, it counts once. */
  async answer(answer) {
    const { lesson, page } = this;
    if (answer && this.marking !== lesson) {
      this.marking = lesson;
      page.notice = null;
      const mark = await page.ask("/api/v1/learn/course/answer", { lesson: lesson.name, learner: this.learner || ME, answer, hinted: this.hinted });
      this.marking = this.marking === lesson ? null : this.marking;
      if (lesson === this.lesson) {
        this.mark = mark ?? this.mark;
      }
      await this.refresh();
      document.querySelector(".talk-side")?.scrollTo(0, 0);
    }
  }

  name(text) {
    this.learner = text.trim();
    keep(this.learner);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.refresh(), WAIT_MS);
  }

  // --- what is drawn -------------------------------------------------------------------------------------------

  tree() {
    return this.named ? this.lesson && this.lessonTree() : this.listTree();
  }

  listTree() {
    const { list, page: { say } } = this;
    return [
      element("label", { key: "learner", class: "field" }, element("span", { key: "label" }, say("course.learner")), element("input", {
        key: "field", type: "text", autocomplete: "off", spellcheck: "false", maxlength: "40", value: this.learner, placeholder: say("course.me"), on: { input: (event) => this.name(event.target.value) } })),
      list ? [
        element("p", { key: "known", class: "verdict", role: "status" }, say("course.known", { known: list.known, all: list.all })),
        list.next ? element("p", { key: "next", class: "next-lesson" }, element("a", { href: `#course/${list.next}` }, say("course.next"))) : element("p", { key: "rest" }, say("course.rest")),
        list.parts.map((part) => element("section", { key: part.name, class: "course-part" }, element("h3", { key: "title" }, part.title),
          element("ol", { key: "lessons", class: "course-lessons" }, part.lessons.map((each) => element("li", { key: each.name },
            element("a", { href: `#course/${each.name}` }, element("span", { key: "title" }, each.title), " ",
              element("span", { key: "state", class: `lesson-state is-${each.state}` }, say(`course.state.${each.state}`)))))))),
      ] : null,
    ];
  }

  lessonTree() {
    const { lesson, entry, mark, page } = this;
    const { say } = page;
    const done = mark?.legal;
    const plays = lesson.asked === "play";
    const entering = plays && !done ? {
      ...onBoard(entry, { position: lesson.position, side: lesson.side, game: lesson.game }, (changed) => this.enter(changed)),
      landings: this.landings.filter(({ from }) => from === entry.from).map(({ to }) => to), placeName: placeNamer({}, say),
    } : {};
    const dice = lesson.dice ? { side: lesson.side, values: lesson.dice, played: Boolean(done), sure: true } : null;
    return element("div", { key: `lesson-${lesson.name}`, class: "beside" },
      page.board("lesson-board", done ? this.shownAfter() : lesson.position, { dice, cube: lesson.cube, numbering: lesson.side, game: lesson.game, ...entering }),
      element("div", { key: "words", class: "talk-side" },
        element("h2", { key: "title", class: "lesson-title" }, lesson.title),
        done ? null : element("p", { key: "idea" }, lesson.idea),
        dice ? diceRow(dice, "medium", say) : null,
        done ? null : element("p", { key: "task", class: "verdict" }, lesson.task),
        lesson.score ? element("p", { key: "score", class: "small" }, lesson.score) : null,
        done ? null : this.asking(),
        done || !lesson.on_board ? null : this.onBoard(),
        mark ? element("section", { key: "mark", class: mark.right ? "lesson-mark is-right" : "lesson-mark", role: "status" }, mark.sentences.map((text, index) => element("p", { key: index }, text))) : null,
        done ? this.onwards() : null));
  }

  /** The learner's own play if it is right, else one that is. */
  shownAfter() {
    const { lesson, entry, mark } = this;
    return mark.right && mark.best ? positionAfter(entry, lesson.position, lesson.side, lesson.game) : mark.best ?? lesson.position;
  }

  asking() {
    const { lesson, entry, page: { say } } = this;
    const hint = this.hinted ? element("p", { key: "hint", class: "hint-text" }, lesson.hint)
      : element("button", { key: "hint", type: "button", on: { click: () => { this.hinted = true; this.page.draw(); } } }, say("course.hint"));
    if (lesson.answers.length) {
      return [element("div", { key: "answers", class: "buttons" }, lesson.answers.map((word) => element("button", { key: word, type: "button", on: { click: () => this.answer(word) } }, say(`course.answer.${word}`)))), hint];
    }
    const plays = lesson.asked === "play";
    return [element("form", { key: "play", class: "one-form", on: { submit: (event) => { event.preventDefault(); this.answer(entry.text.trim()); } } },
      element("label", { key: "label", class: "field" }, element("span", { key: "label" }, plays ? say("play_hint") : say("course.number")), element("input", {
        key: "field", type: "text", inputmode: plays ? null : "numeric", autocomplete: "off", spellcheck: "false", value: entry.text, on: { input: (event) => this.enter({ ...entry, text: event.target.value }) } })),
      element("div", { key: "buttons", class: "buttons" },
        plays ? element("button", { key: "undo", type: "button", on: { click: () => this.enter(withoutLast(entry)) } }, say("take_back")) : null,
        element("button", { key: "send", type: "submit", class: "main" }, say("course.check")))), hint];
  }

  /** The lesson on the real board: what to move there, and the play that was made there. */
  onBoard() {
    const { lesson, told, page: { say } } = this;
    return element("section", { key: "real", class: "real-board" },
      told ? element("ul", { key: "words", class: "lamps", role: "status" }, told.map((text, index) => element("li", { key: index }, text))) : null,
      element("div", { key: "buttons", class: "buttons" },
        element("button", { key: "set_up", type: "button", on: { click: () => this.setUp() } }, say("course.on_board")),
        told && lesson.asked === "play" ? element("button", { key: "read", type: "button", on: { click: () => this.answerFromBoard() } }, say("course.read_board")) : null));
  }

  onwards() {
    const { lesson, mark, list, page: { say } } = this;
    return [
      element("p", { key: "again", class: "small" }, mark.again),
      element("p", { key: "source", class: "small" }, lesson.source),
      element("div", { key: "onwards", class: "buttons" },
        list?.next ? element("button", { key: "next", type: "button", class: "main", on: { click: () => this.goTo(list.next) } }, say("course.next")) : null,
        element("button", { key: "retry", type: "button", on: { click: () => this.begin(lesson.name) } }, say("again")),
        element("button", { key: "all", type: "button", on: { click: () => this.goTo("") } }, say("course.all"))),
    ];
  }

  goTo(name) {
    if (name === this.named) {
      this.begin(name);
    }
    location.hash = name ? `course/${name}` : "course";
  }

  // --- the class -----------------------------------------------------------------------------------------------

  async turnToClass() {
    this.rows = await this.page.ask("/api/v1/learn/course/class") ?? this.rows;
    this.page.draw();
  }

  classTree() {
    const { rows, page: { say } } = this;
    if (!rows?.learners.length) {
      return element("p", { key: "none" }, rows ? say("course.nobody") : "");
    }
    const columns = ["name", "known", "due", "answers", "wrong"];
    return element("div", { key: "scroll", class: "class-table", tabindex: "0", role: "region", "aria-label": say("tool.class") }, element("table", { key: "table" },
      element("thead", { key: "head" }, element("tr", { key: "row" }, columns.map((name) => element("th", { key: name, scope: "col" }, say(`course.column.${name}`))))),
      element("tbody", { key: "body" }, rows.learners.map((each) => element("tr", { key: each.name },
        element("th", { key: "name", scope: "row" }, each.name === ME ? say("course.me") : each.name),
        element("td", { key: "known" }, `${each.known} / ${rows.all}`),
        element("td", { key: "due" }, each.due),
        element("td", { key: "answers" }, `${each.right} / ${each.tries}`),
        element("td", { key: "wrong" }, each.wrong.join("; ")))))));
  }
}

function kept() {
  try {
    const name = localStorage.getItem(LEARNER) ?? "";
    return name === ME ? "" : name;
  } catch {
    return "";
  }
}

function keep(name) {
  try {
    localStorage.setItem(LEARNER, name);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
