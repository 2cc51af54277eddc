/** Keys of keyboards and switches as buttons of the table: learned, forgotten, kept for the table alone. */

import { nameButton } from "./fields.js";

/** What the table tells of one button: its name, and what was learned for it, empty where nothing was. */
/** @typedef {{key: string, name: string, learned: string}} LearnedButton */

const by = (id) => document.getElementById(id);

export class Keys {
  /**
   * @param {(what: string, body?: object) => Promise<boolean>} tell asks the table for something
   * @param {string} none what is said of a button without a key
   */
  constructor(tell, none) {
    this.tell = tell;
    this.none = none;
    /** What became of the last thing that was asked, until there is something else to say. */
    this.said = "";
    this.listening = "";
    by("learn-key").addEventListener("click", () => this.ask(this.listening ? "keys/end" : "keys/learn"));
    by("forget-key").addEventListener("click", () => this.ask("keys/forget"));
    by("keys-grab").addEventListener("change", () => this.ask("keys/grab", { grab: by("keys-grab").checked }));
    by("keys-button").addEventListener("change", () => this.fill(this.state));
  }

  async ask(what, body = { button: by("keys-button").value }) {
    this.said = "";
    if (await this.tell(what, what === "keys/end" ? undefined : body)) {
      this.said = by("answer").textContent;
      by("answer").textContent = "";
      this.fill(this.state);
    }
  }

  /** @param {{buttons: LearnedButton[], listening: string, grab: boolean, text: string}} state */
  fill(state) {
    this.state = state;
    const select = by("keys-button");
    const wanted = JSON.stringify(state.buttons);
    if (select.dataset.buttons !== wanted) {
      const chosen = select.value;
      select.dataset.buttons = wanted;
      select.replaceChildren(
        ...state.buttons.map((one) => new Option(`${one.name}: ${one.learned || this.none}`, one.key)),
      );
      select.value = chosen || state.buttons[0].key;
    }
    if (this.listening && !state.listening) {
      this.said = "";
    }
    this.listening = state.listening;
    const learn = by("learn-key");
    nameButton(learn, state.listening ? learn.dataset.stop : learn.dataset.learn);
    by("forget-key").disabled = !state.buttons.find((one) => one.key === select.value)?.learned;
    by("keys-text").textContent = state.text || this.said;
    if (document.activeElement !== by("keys-grab")) {
      by("keys-grab").checked = state.grab;
    }
  }
}
