/** Pictures of the camera on a page, and what is drawn over them. */

import { ANSWER_MS, timeLimit } from "./line.js";

const SVG = "http://www.w3.org/2000/svg";
const LEAST_RADIUS = 7;

/** An SVG element with its attributes. @param {string} tag @param {Object<string, any>} attributes */
export function drawn(tag, attributes, text = null) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, String(value));
  }
  if (text !== null) {
    node.textContent = String(text);
  }
  return node;
}

/** Corners as SVG wants them. @param {number[][]} spots */
export function polygon(spots) {
  return spots.map((spot) => spot.join(",")).join(" ");
}

/** A text with values in the places of its braces. @param {string} text @param {Object<string, any>} values */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The ring round one checker. @param {number[]} ring x, y, half axes, turn in degrees */
export function ringOf([x, y, long, short, turn], name) {
  return drawn("ellipse", { cx: x, cy: y, rx: long, ry: short, transform: `rotate(${turn} ${x} ${y})`, class: name });
}

/**
 * The number of checkers on a point, outside the rim; a question mark where it is not sure.
 * @param {{label: number[], count: number, side: string|null, unsure: boolean}} point
 * @param {{width: number, height: number}} about the picture
 * @param {number} shown its width on the screen
 */
export function figureOf(point, about, shown) {
  const radius = Math.max(about.width / 72, LEAST_RADIUS * about.width / Math.max(shown, 1));
  const [x, y] = [
    Math.min(Math.max(point.label[0], radius * 1.2), about.width - radius * 1.2),
    Math.min(Math.max(point.label[1], radius * 1.2), about.height - radius * 1.2),
  ];
  const kind = point.unsure ? "unsure" : point.side ?? "empty";
  return [
    drawn("circle", { cx: x, cy: y, r: radius, class: `figure ${kind}` }),
    drawn("text", { x, y, "font-size": radius * 1.25, class: `figure-text ${kind}` }, point.unsure ? "?" : point.count),
  ];
}

/** Fetches newest pictures one after the other, the next one only after the last one was drawn. */
export class Pictures {
  /**
   * @param {string} address
   * @param {(picture: ImageBitmap, number: number) => void} draw
   */
  constructor(address, draw) {
    this.address = address;
    this.draw = draw;
    this.number = -1;
    this.wanted = true;
    this.asked = Promise.resolve();
  }

  /** Ask for no more pictures; the one that was asked for comes first. */
  rest() {
    this.wanted = false;
    return this.asked;
  }

  /** Begin; pictures come until the page is left, and rest while nobody can see them. */
  async run() {
    for (;;) {
      let pause = 250;
      if (this.wanted && !document.hidden) {
        try {
          this.asked = fetch(`${this.address}?after=${this.number}`, { credentials: "same-origin", signal: timeLimit(ANSWER_MS) }).catch(() => null);
          const answer = await this.asked;
          if (answer.status === 200) {
            const number = Number(answer.headers.get("X-Picture"));
            const picture = await createImageBitmap(await answer.blob());
            this.number = number;
            this.draw(picture, number);
            pause = 120;
          }
        } catch {
          pause = 2000;
        }
      }
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}

/** What a page is told by the server; null where it cannot be reached or refuses. @param {string} address */
export async function ask(address) {
  try {
    const answer = await fetch(address, { credentials: "same-origin", signal: timeLimit(ANSWER_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
