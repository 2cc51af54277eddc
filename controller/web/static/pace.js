/** How long pictures take over a line, and how coarse they are packed for it. */

/** Nothing is heard of a picture for so long, and another way is tried. Over a Wi-Fi that is back, an answer comes within
 * a tenth of a second; a connection that was cut would come back by itself only after many seconds. */
export const PATIENCE_MS = 1200;
/** Where nobody tells how much of a picture has come, each may take longer than the one that was given up, up to this. */
export const LONGEST_MS = 5000;
/** Of the JPEG. A coarse one has two fifths of the bytes, and the table, which sees how coarse it is, is less sure of dice. */
export const QUALITY = { usual: 0.85, coarse: 0.5 };
/** A line over which a picture takes longer than that is slow. */
const LONG_MS = 800;
/** After so many coarse ones in a row that took less than this it is not slow any more: others take up to four times as long. */
const SHORT = { ms: 200, times: 5 };

/** What the line has carried lately. */
export class Pace {
  constructor() {
    this.slow = false;
    this.short = 0;
    this.patienceMs = PATIENCE_MS;
  }

  /** A picture has arrived, and was answered after so many ms. */
  arrived(ms) {
    this.takes(ms);
    this.short = ms < SHORT.ms ? this.short + 1 : 0;
    if (this.short >= SHORT.times) {
      this.slow = false;
    }
    if (ms < PATIENCE_MS) {
      this.patienceMs = PATIENCE_MS;
    }
  }

  /** A picture has been under way for so many ms, and some of it has arrived. */
  takes(ms) {
    this.slow ||= ms > LONG_MS;
  }

  /** A picture was given up of which nobody tells how much has arrived. */
  gaveUp() {
    this.slow = true;
    this.short = 0;
    this.patienceMs = Math.min(2 * this.patienceMs, LONGEST_MS);
  }

  /** The quality of a picture; one that the table makes larger stays as it is, for then the table would not see how coarse it is. */
  quality(enlarged) {
    return this.slow && !enlarged ? QUALITY.coarse : QUALITY.usual;
  }
}
