/** The strip for streams: names, score, clocks, dice and cube of one table, and its board above it where that is wanted. */

import { BoardOnPage, cubeFace } from "./board.js";
import { element, sync } from "./elements.js";
import { diceRow, sign } from "./page.js";
import { boardView, clockAfter, clockText, nameOf, offsetAfter, playedText, seats } from "./state.js";
import { cubeText } from "./words.js";

const TAB_MS = 8_000;
const TICK_MS = 250;
/** How many letters fit across the board. */
const LONGEST_LINE = 26;

/** Draws the strip of one table on a ground that lets the picture through. */
export class StreamStrip {
  /**
   * @param {(path: string, values?: Object) => string} say
   * @param {URLSearchParams} wanted `place`, `board`, `scale`
   * @param {() => string|null} trouble why what is shown may be old; null while it is not
   */
  constructor(say, wanted, trouble) {
    Object.assign(this, { say, trouble });
    this.holder = document.getElementById("strip");
    this.board = wanted.get("board") === "1" ? new BoardOnPage(document.getElementById("board")) : null;
    this.state = {};
    this.tab = { play: null, until: 0 };
    this.offset = null;
    this.stopped = null;
    document.body.dataset.place = wanted.get("place") === "top" ? "top" : "bottom";
    document.body.dataset.with = this.board ? "board" : "strip";
    const scale = Number(wanted.get("scale"));
    if (scale > 0 && scale <= 4) {
      document.documentElement.style.setProperty("--scale", String(scale));
    }
    setInterval(() => this.tick(), TICK_MS);
  }

  /** The table's clock was heard, at its own time; `anew` if nothing before it counts. */
  hearClock(clock, anew) {
    if (clock) {
      const now = Date.now() - clock.at_ms;
      this.offset = anew || this.offset === null ? now : Math.min(now, this.offset);
    }
  }

  /** What time it is at the table. @param {number} at_ms */
  hearTime(at_ms) {
    this.offset = offsetAfter(this.offset, at_ms);
  }

  /** A play is over: it is told for a while. */
  tell(play) {
    this.tab = { play: play ?? null, until: performance.now() + TAB_MS };
  }

  tick() {
    const old = this.trouble() !== null;
    if (old !== (this.stopped !== null)) {
      this.stopped = old ? Date.now() : null;
      this.show(this.state);
    } else {
      this.drawStrip();
    }
  }

  /** Show a state, moving to it by steps. */
  show(state, steps = []) {
    this.state = state;
    document.body.dataset.match = state.match ? "yes" : "no";
    this.drawStrip();
    if (this.board) {
      const seen = boardView(state, { upright: false, mirrored: false, silent: this.stopped !== null, name: "overlay-board" });
      const line = seen.line && seen.line.length <= LONGEST_LINE ? seen.line : null;
      const view = { ...seen, line, title: this.say("board_title") };
      steps.length ? this.board.move(view, steps) : this.board.renew(view);
    }
  }

  drawStrip() {
    const { holder, say, state } = this;
    const trouble = this.stopped === null ? null : this.trouble();
    const lost = trouble ? element("p", { key: "lost", class: "tab lost" }, trouble) : null;
    if (!state.match) {
      sync(holder, [lost]);
      return;
    }
    const { far, near } = seats(state);
    const clock = state.clock ? clockAfter(state.clock, (this.stopped ?? Date.now()) - state.clock.at_ms - (this.offset ?? 0)) : null;
    const name = (side) => nameOf(state, side);
    const cube = state.cube;
    const shown = cube?.offer?.value ?? (cube ? cubeFace(cube) : null);
    const play = this.tab.play && performance.now() < this.tab.until ? this.tab.play : null;
    const seat = (side, place) => element("div", { key: place, class: `seat ${place}${state.on_turn === side ? " at-turn" : ""}` },
      sign(side), element("span", { key: "name", class: "name" }, name(side)),
      clock ? element("span", { key: "clock", class: clock.runs === side ? "clock runs" : "clock" }, clockText(clock[`${side}_s`])) : null,
      element("span", { key: "score", class: "score" }, state.match.score?.[side] ?? 0));
    sync(holder, [
      lost,
      play && !lost ? element("p", { key: "tab", class: "tab" }, sign(play.player), element("span", { key: "text" }, `${(play.dice ?? []).join("-")}: ${playedText(play)}`)) : null,
      element("div", { key: "bar", class: lost ? "strip old" : "strip" }, seat(far, "far"),
        element("div", { key: "middle", class: "middle" },
          state.dice ? diceRow(state.dice, "small", say) : element("span", { key: "no-dice", class: "dice small" }),
          cube?.in_play ? element("span", { key: "cube", class: cube.offer ? "cube offered" : cube.owner ? "cube" : "cube centred", role: "img", "aria-label": cubeText(cube, name, say) }, shown) : null,
          element("span", { key: "length", class: "length" }, state.match.length ? say("match_to", { length: state.match.length }) : say("money"))),
        seat(near, "near")),
    ]);
  }
}
