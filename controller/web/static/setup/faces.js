/** The table's own dice and cube: one number after the other is laid before the camera, and learned. */

import { drawn, filled } from "../sight.js";
import { nameButton } from "./fields.js";

const LOW = 26;
const MIDDLE = 50;
const HIGH = 74;
/** Where the pips of each number are drawn. */
const PIPS = [
  [],
  [[MIDDLE, MIDDLE]],
  [[LOW, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [MIDDLE, MIDDLE], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, HIGH], [HIGH, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, HIGH], [MIDDLE, MIDDLE], [HIGH, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, MIDDLE], [LOW, HIGH], [HIGH, LOW], [HIGH, MIDDLE], [HIGH, HIGH]],
];

const by = (id) => document.getElementById(id);

/** How far it is, as the table tells it. */
/** @typedef {{state: string, number: number, done: number, known: boolean, more: boolean, doubted: boolean, text: string}} FacesState */

export class Faces {
  /** @param {(what: string, body?: object) => Promise<boolean>} tell asks the table for something */
  constructor(tell) {
    this.tell = tell;
    this.running = false;
    by("faces-begin").addEventListener("click", () => this.ask(...(this.running ? ["end"] : ["begin", this.chosen()])));
    by("faces-more").addEventListener("click", () => this.ask("begin", { ...this.chosen(), more: true }));
    by("faces-right").addEventListener("click", () => this.ask("confirm"));
    by("faces-forget").addEventListener("click", () => this.ask("forget"));
  }

  chosen() {
    return { dice: Number(by("faces-dice").value), cube: by("faces-cube").checked };
  }

  /**
   * @param {string} what
   * @param {object} [body]
   */
  async ask(what, body) {
    by("faces-kept").textContent = "";
    if (await this.tell(`faces/${what}`, body)) {
      by("faces-kept").textContent = by("answer").textContent;
      by("answer").textContent = "";
    }
  }

  /** @param {FacesState} faces */
  fill(faces) {
    this.running = faces.state === "running";
    by("faces").hidden = faces.state === "absent";
    by("faces-about").hidden = by("faces-choice").hidden = this.running;
    by("faces-asked").hidden = !this.running;
    by("faces-right").hidden = !faces.doubted;
    by("faces-more").hidden = this.running || !faces.more;
    by("faces-known").hidden = by("faces-forget").hidden = this.running || !faces.known;
    const button = by("faces-begin");
    nameButton(button, this.running ? button.dataset.stop : button.dataset.begin);
    if (by("faces-text").textContent !== faces.text) {
      by("faces-text").textContent = faces.text;
    }
    by("faces-done").value = faces.done;
    draw(faces.number);
  }
}

/** Draw the face of a die. @param {number} number */
function draw(number) {
  const face = by("faces-face");
  if (face.dataset.number === String(number)) {
    return;
  }
  face.dataset.number = String(number);
  face.setAttribute("aria-label", filled(face.dataset.label, { number }));
  face.replaceChildren(
    drawn("rect", { class: "die-body", x: 4, y: 4, width: 92, height: 92, rx: 16 }),
    ...PIPS[number].map(([cx, cy]) => drawn("circle", { class: "die-pip", cx, cy, r: 9 })),
  );
}
