/** The board under the camera as an exercise: what is still to be told, what stands against it, and how it is shared. */

import { element } from "./elements.js";

const SIDES = ["light", "dark"];
const FACES = [1, 2, 3, 4, 5, 6];
const DRAWING_WIDTH = 1200;

export class BoardQuestionView {
  /** @param {Object} page the page to learn from: it asks the table's program, knows the words, and draws */
  constructor(page) {
    this.page = page;
    this.found = null;
    this.side = null;
    this.dice = null;
    this.picture = null;
  }

  /** Whether the board was looked at and is no question yet. */
  get waits() {
    return this.found !== null;
  }

  /** Look at the board; open what lies there as an exercise, once everything is known. */
  ask(told = {}) {
    const { page } = this;
    return page.work(async (isNewest) => {
      const query = new URLSearchParams(told).toString();
      const found = await page.ask(`/api/v1/learn/board${query ? `?${query}` : ""}`);
      if (!found || !isNewest()) {
        return;
      }
      location.hash ||= "exercise";
      if (found.xgid) {
        await page.open(found.xgid, found.picture);
        return;
      }
      this.found = found;
      this.side = found.side ?? this.side;
      this.dice = found.dice ?? this.dice ?? [1, 1];
      page.place = null;
    }, "looking");
  }

  /** An exercise is opened; ``picture`` is the one that it was read from, if it was. */
  close(picture) {
    this.found = null;
    this.picture = picture;
  }

  tree() {
    const { page, found } = this;
    const { say } = page;
    const again = element("button", { key: "again", type: "button", class: found.doubts.length ? "main" : null, on: { click: () => this.ask() } }, say("ask_again"));
    return element("div", { key: "asked", class: found.position ? "beside" : "asked-board" },
      found.position ? page.board("asked-board", found.position) : null,
      element("div", { key: "words", class: "talk-side" }, found.doubts.length ? [
        element("ul", { key: "doubts", class: "reason", role: "status" }, found.doubts.map((text, index) => element("li", { key: index }, text))),
        element("div", { key: "buttons", class: "buttons" }, again),
      ] : this.missingTree(again)));
  }

  /** Whose turn it is and what was rolled, where the board does not tell. */
  missingTree(again) {
    const { say } = this.page;
    const choose = (event) => {
      event.preventDefault();
      if (this.side) {
        this.ask({ side: this.side, dice: this.dice.join("") });
      }
    };
    return element("form", { key: "missing", class: "one-form", on: { submit: choose } },
      element("fieldset", { key: "side", class: "radios" }, element("legend", { key: "legend" }, say("whose_turn")),
        SIDES.map((side) => element("label", { key: side }, element("input", { key: "box", type: "radio", name: "side", required: true, value: side, checked: side === this.side, on: { change: () => { this.side = side; } } }), element("span", { key: "text" }, say(`side.${side}`))))),
      element("fieldset", { key: "dice", class: "radios two-dice" }, element("legend", { key: "legend" }, say("which_roll")),
        [0, 1].map((die) => element("select", { key: die, "aria-label": say(`die_${die + 1}`), on: { change: (event) => { this.dice[die] = Number(event.target.value); } } },
          FACES.map((face) => element("option", { key: face, value: face, selected: face === this.dice[die] }, face))))),
      element("div", { key: "buttons", class: "buttons" }, element("button", { key: "go", type: "submit", class: "main" }, say("show")), again));
  }

  /** The position to be passed on: as text, as a drawing, and as the camera saw it. */
  shareTree() {
    const { say, xgid } = this.page;
    const text = xgid.trim();
    const drawing = `/api/v1/learn/drawing.svg?xgid=${encodeURIComponent(text)}`;
    return element("details", { key: "share", class: "another" }, element("summary", { key: "summary" }, say("share")),
      element("label", { key: "xgid", class: "field" }, element("span", { key: "label" }, say("share_xgid")),
        element("input", { key: "field", type: "text", readonly: true, value: text, on: { focus: (event) => event.target.select() } })),
      element("ul", { key: "files", class: "tools small" },
        element("li", { key: "svg" }, element("a", { href: drawing, download: "position.svg" }, say("share_svg"))),
        element("li", { key: "png" }, element("a", { href: drawing, download: "position.png", on: { click: (event) => savePng(event, drawing) } }, say("share_png"))),
        this.picture === null ? null : element("li", { key: "jpg" }, element("a", { href: `/api/v1/learn/board.jpg?picture=${this.picture}`, download: "board.jpg" }, say("share_picture")))));
  }

  keep() {
    const { page } = this;
    return page.work(async () => {
      const said = await page.ask("/api/v1/learn/keep", { xgid: page.xgid.trim(), play: page.entry.text.trim() || null });
      page.notice = said?.text ?? page.notice;
    });
  }
}

/** Have the browser make a picture of pixels of a drawing, and save it. */
async function savePng(event, address) {
  event.preventDefault();
  const { download } = event.currentTarget;
  const drawn = new Image();
  drawn.src = address;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  canvas.width = DRAWING_WIDTH;
  canvas.height = Math.round(DRAWING_WIDTH * drawn.naturalHeight / drawn.naturalWidth);
  canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.download = download;
  link.href = canvas.toDataURL("image/png");
  link.click();
}
