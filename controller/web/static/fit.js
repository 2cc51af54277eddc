/** What is said at a table gives way by steps until it and its buttons have room in the window. */

/** From all that there is to the smallest; static/page.css says what each of them does. */
const STEPS = [0, 1, 2, 3, 4];
/** Where a player's strip is one line anyway, and from which step on it is one everywhere. */
const LOW = "(max-width: 1200px), (max-height: 820px), (orientation: portrait)";
const LINE_STEP = 2;
/** So much higher than its line a letter may be, px. */
const LETTERS = 3;

/**
 * Choose the first step at which nothing of what is said is cut; at the last one the words scroll in their box.
 * @param {HTMLElement} body which is told the step
 * @param {HTMLElement} talk the words and the buttons below them
 */
export function fit(body, talk) {
  const boxes = talk.querySelectorAll(":scope > .words, :scope > .entry");
  const low = window.matchMedia(LOW).matches && body.dataset.size !== "far";
  for (const step of STEPS) {
    body.dataset.step = String(step);
    body.dataset.strips = low || step >= LINE_STEP ? "line" : "tall";
    if (![talk, ...boxes].some(isCut)) {
      break;
    }
  }
  for (const box of boxes) {
    // Whoever has no mouse scrolls it with the keyboard.
    if (isCut(box)) {
      box.tabIndex = 0;
    } else {
      box.removeAttribute("tabindex");
    }
  }
}

function isCut(box) {
  return box.scrollHeight > box.clientHeight + LETTERS;
}
