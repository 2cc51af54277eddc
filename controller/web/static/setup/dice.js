/** Dice with Bluetooth: those that call are listed, and each is given to a side. */

import { filled } from "../sight.js";
import { nameButton } from "./fields.js";

const OWNERS = ["none", "shared", "light", "dark"];
const by = (id) => document.getElementById(id);

/** What the table tells of one die. */
/** @typedef {{name: string, text: string, rolled: boolean}} FoundDie */

export class RadioDice {
  /**
   * @param {(what: string, body?: object) => Promise<boolean>} tell asks the table for something
   * @param {Record<string, any>} words those of the page
   */
  constructor(tell, words) {
    this.words = words;
    /** Whose each die is, as somebody has chosen it here. @type {Map<string, string>} */
    this.owners = new Map();
    /** Whose the table says they are, as it was told last. */
    this.used = "";
    this.running = false;
    by("find-dice").addEventListener("click", () => tell(this.running ? "dice/end" : "dice/find"));
  }

  /** The dice of each set, for the table. */
  sets() {
    const of = (owner) => [...this.owners].filter(([, one]) => one === owner).map(([name]) => name);
    return { light: of("light"), dark: of("dark"), shared: of("shared") };
  }

  /**
   * @param {{running: boolean, text: string, dice: FoundDie[]}} found
   * @param {{light: string[], dark: string[], shared: string[]}} used whose they are for the table
   */
  fill(found, used) {
    const sets = { light: used.light, dark: used.dark, shared: used.shared };
    if (this.used !== JSON.stringify(sets)) {
      this.used = JSON.stringify(sets);
      this.owners = new Map(Object.entries(sets).flatMap(([owner, names]) => names.map((name) => [name, owner])));
    }
    this.running = found.running;
    const button = by("find-dice");
    nameButton(button, found.running ? button.dataset.end : button.dataset.find);
    by("found-text").textContent = found.text || (found.running ? this.words.finding_dice : "");
    const list = by("found");
    const known = [...list.children].map((item) => item.dataset.die);
    if (JSON.stringify(known) !== JSON.stringify(found.dice.map((die) => die.name))) {
      const focused = document.activeElement?.closest("li")?.dataset.die;
      list.replaceChildren(...found.dice.map((die) => this.itemOf(die)));
      [...list.children].find((item) => item.dataset.die === focused)?.querySelector("select").focus();
    }
    found.dice.forEach((die, number) => this.show(list.children[number], die));
  }

  /** @param {FoundDie} die */
  itemOf(die) {
    const item = document.createElement("li");
    item.dataset.die = die.name;
    const name = document.createElement("strong");
    name.textContent = die.name;
    const about = document.createElement("span");
    const select = document.createElement("select");
    select.setAttribute("aria-label", filled(this.words.owner, { die: die.name }));
    select.append(...OWNERS.map((owner) => new Option(this.words.owner_of[owner], owner)));
    select.addEventListener("change", () => this.owners.set(die.name, select.value));
    item.append(name, " ", about, select);
    return item;
  }

  /**
   * @param {HTMLElement} item
   * @param {FoundDie} die
   */
  show(item, die) {
    if (die.rolled && !item.classList.contains("rolled")) {
      item.scrollIntoView({ block: "nearest" });
    }
    item.classList.toggle("rolled", die.rolled);
    const about = item.querySelector("span");
    if (about.textContent !== die.text) {
      about.textContent = die.text;
    }
    const select = item.querySelector("select");
    if (document.activeElement !== select) {
      select.value = this.owners.get(die.name) ?? "none";
    }
  }
}
