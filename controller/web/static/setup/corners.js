/** The four corners of the board over the camera's picture: pulled by a finger, a mouse or the arrow keys, and seen larger. */

const POINTS = [1, 12, 13, 24];
const NUDGE = 1;
const NUDGE_FAR = 12;
const MAGNIFIED = 3;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const by = (id) => document.getElementById(id);

/** x and y in pixels of the camera's picture. */
/** @typedef {[number, number]} Spot */

export class Corners {
  /**
   * @param {Object} given
   * @param {(point: number) => string} given.label what a corner is called
   * @param {() => void} given.pulled called while a corner is pulled
   * @param {() => void} given.released called when it stays where it is
   */
  constructor({ label, pulled, released }) {
    Object.assign(this, { label, tellPulled: pulled, tellReleased: released });
    /** Corners that a person pulled and that were not looked between yet. @type {Spot[]|null} */
    this.pulled = null;
    /** The one that is held, by its place among the four. */
    this.held = -1;
    /** What the camera shows. @type {ImageBitmap|null} */
    this.picture = null;
    /** Where the corners lie, and how large the picture is to the table. @type {Spot[]} */
    this.spots = [];
    this.about = { width: 1, height: 1 };
  }

  /** Show the corners there, or none. @param {Spot[]|null} spots @param {{width: number, height: number}} [about] the picture */
  show(spots, about) {
    if (!spots) {
      by("corners").replaceChildren();
      this.release();
      return;
    }
    [this.spots, this.about] = [spots, about];
    if (!by("corners").childElementCount) {
      by("corners").append(...POINTS.map((point, number) => this.buttonOf(point, number)));
    }
    [...by("corners").children].forEach((button, number) => {
      button.style.left = `${100 * spots[number][0] / about.width}%`;
      button.style.top = `${100 * spots[number][1] / about.height}%`;
    });
    this.magnify();
  }

  buttonOf(point, number) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "corner";
    button.setAttribute("aria-label", this.label(point));
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      button.focus();
      this.pull(number, this.spotOf(event));
    });
    button.addEventListener("pointermove", (event) => {
      if (this.held === number && button.hasPointerCapture(event.pointerId)) {
        this.pull(number, this.spotOf(event));
      }
    });
    for (const end of ["pointerup", "pointercancel"]) {
      button.addEventListener(end, () => {
        this.release();
        this.tellReleased();
      });
    }
    button.addEventListener("focus", () => {
      if (this.held < 0 && button.matches(":focus-visible")) {
        this.held = number;
        this.tellPulled();
      }
    });
    button.addEventListener("blur", () => this.release());
    button.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (way) {
        event.preventDefault();
        const far = event.shiftKey ? NUDGE_FAR : NUDGE;
        const [x, y] = this.spots[number];
        this.pull(number, [x + way[0] * far, y + way[1] * far]);
        this.tellReleased();
      }
    });
    return button;
  }

  release() {
    this.held = -1;
    by("magnifier").hidden = true;
  }

  /** @returns {Spot} */
  spotOf(event) {
    const box = by("picture").getBoundingClientRect();
    return [(event.clientX - box.left) / box.width * this.about.width, (event.clientY - box.top) / box.height * this.about.height];
  }

  /** @param {number} number @param {Spot} spot */
  pull(number, [x, y]) {
    const { width, height } = this.about;
    this.held = number;
    this.pulled = this.spots.map((spot) => [...spot]);
    this.pulled[number] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
    this.tellPulled();
  }

  /** Draw what lies about the corner that is held three times as large, beside it and never under a finger. */
  magnify() {
    const { picture, about, held } = this;
    if (!picture || held < 0) {
      return;
    }
    const [x, y] = this.spots[held];
    const magnifier = by("magnifier");
    const box = by("picture").getBoundingClientRect();
    const scale = box.width / about.width;
    const size = Math.min(magnifier.width, 0.4 * box.width);
    const away = size * 0.5 + 40;
    magnifier.style.width = `${size}px`;
    magnifier.style.height = `${size}px`;
    const left = x * scale + (x * scale > box.width / 2 ? -away : away) - size / 2;
    const top = Math.min(Math.max(y * scale - away - size / 2, 0), box.height - size);
    magnifier.hidden = false;
    magnifier.style.left = `${Math.min(Math.max(left, 0), box.width - size)}px`;
    magnifier.style.top = `${top}px`;
    const pen = magnifier.getContext("2d");
    const span = size / MAGNIFIED / scale;
    const ratio = picture.width / about.width;
    const wide = magnifier.width;
    const middle = wide / 2;
    pen.fillStyle = "#222";
    pen.fillRect(0, 0, wide, wide);
    pen.drawImage(picture, (x - span / 2) * ratio, (y - span / 2) * ratio, span * ratio, span * ratio, 0, 0, wide, wide);
    pen.strokeStyle = "#fff";
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(middle - 26, middle);
    pen.lineTo(middle + 26, middle);
    pen.moveTo(middle, middle - 26);
    pen.lineTo(middle, middle + 26);
    pen.stroke();
  }
}
