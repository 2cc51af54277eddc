/** Fields and buttons of set-up: what the table tells anew is shown, and what a person is about to do stays. */

/** A press so soon after a button has changed what it does was meant for what it did before. */
const STILL_MS = 300;

/** What the table told last of each field. @type {WeakMap<Element, any>} */
const told = new WeakMap();
/** When each button changed, in milliseconds. @type {WeakMap<Element, number>} */
const changed = new WeakMap();

/** Show what the table uses, where that is something else than it told last: what somebody has begun to choose stays. */
export function fillField(field, value) {
  if (told.has(field) && told.get(field) === value) {
    return;
  }
  told.set(field, value);
  if (field.type === "checkbox") {
    field.checked = Boolean(value);
  } else {
    field.value = String(value ?? "");
  }
}

/** Name a button by what it does now. @param {HTMLElement} button @param {string} text */
export function nameButton(button, text) {
  if (button.textContent !== text) {
    button.textContent = text;
    changed.set(button, performance.now());
  }
}

/** Drop presses of buttons that have just changed, wherever they are. */
export function watchPresses() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    if (button && performance.now() - (changed.get(button) ?? -Infinity) < STILL_MS) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
  }, true);
}
