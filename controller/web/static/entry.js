/** What people type or tap because no device reads it: a roll, a play, a number. */

import { die } from "./board.js";
import { element } from "./elements.js";
import { BAR, OFF } from "./position.js";

/**
 * An entry that is open on the page.
 * @typedef {Object} Entry
 * @property {Object} choice the one of `allowed` that it is for
 * @property {"dice"|"play"|"amount"|"number"} needs
 * @property {number[]} dice
 * @property {string} text a play in notation, or a number
 * @property {number|null} from the place tapped first
 */

/** An entry for a choice, empty. @returns {Entry} */
export function begin(choice) {
  return { choice, needs: choice.needs, dice: [], text: "", from: null };
}

/** The entry with a die more; a third one begins again. */
export function withDie(entry, value) {
  return { ...entry, dice: entry.dice.length >= 2 ? [value] : [...entry.dice, value] };
}

/** The entry without what was entered last. */
export function withoutLast(entry) {
  if (entry.needs === "dice") {
    return { ...entry, dice: entry.dice.slice(0, -1) };
  }
  return entry.from === null ? { ...entry, text: entry.text.trim().split(/\s+/).slice(0, -1).join(" ") } : { ...entry, from: null };
}

/** The entry after a place was tapped: the first tap says where a checker comes from, the second where it goes. */
export function withPlace(entry, place) {
  if (entry.from === null) {
    return place === OFF ? entry : { ...entry, from: place };
  }
  if (place === entry.from) {
    return { ...entry, from: null };
  }
  const move = `${placeName(entry.from)}/${placeName(place)}`;
  return { ...entry, from: null, text: `${entry.text.trim()} ${move}`.trim() };
}

function placeName(place) {
  return place === BAR ? "bar" : place === OFF ? "off" : String(place);
}

/** The keys that the entry adds to its command, or null while something is missing. */
export function keysOf(entry) {
  if (entry.needs === "dice") {
    if (entry.dice.length < 2) {
      return null;
    }
    const [light, dark] = entry.dice;
    return entry.choice.what === "opening_roll" ? { light, dark } : { dice: [light, dark] };
  }
  if (entry.needs === "play") {
    const play = entry.text.trim().replace(/\s+/g, " ");
    return play && entry.from === null ? { play } : null;
  }
  const number = Number(entry.text);
  return entry.text.trim() && Number.isInteger(number) && number > 0 ? { [entry.needs === "amount" ? "amount" : "value"]: number } : null;
}

/**
 * The entry on the page.
 * @param {Entry} entry
 * @param {{say: (path: string, values?: Object) => string, change: (entry: Entry) => void, send: () => void, close: () => void, side: string}} page
 */
export function entryPad(entry, { say, change, send, close, side }) {
  const whole = keysOf(entry) !== null;
  const opening = entry.choice.what === "opening_roll";
  const heads = { dice: opening ? "enter_opening" : "enter_dice", play: "enter_play", amount: "enter_amount", number: "enter_number" };
  return element("form", {
    key: "entry", class: "entry", on: {
      submit: (event) => {
        event.preventDefault();
        send();
      },
    },
  },
  element("h2", { key: "heading", class: "heading", id: "question", tabindex: -1 }, say(heads[entry.needs])),
  entry.needs === "dice" ? dicePad(entry, { say, change, side, opening }) : null,
  entry.needs === "play" ? playField(entry, { say, change }) : null,
  entry.needs === "amount" || entry.needs === "number" ? numberField(entry, { say, change }) : null,
  element("div", { key: "buttons", class: "buttons" },
    element("button", { key: "close", type: "button", on: { click: close } }, say("cancel")),
    element("button", { key: "send", class: "main", type: "submit", "aria-disabled": whole ? null : "true" }, say("send"))));
}

function dicePad(entry, { say, change, side, opening }) {
  const row = (values, name, pick) => element("div", { key: name, class: "pad", role: "group", "aria-label": name },
    values.map((value) => element("button", {
      key: value, type: "button", class: "face", "aria-label": say("die", { value }), "aria-pressed": pick(value) ? "true" : "false",
      on: { click: () => change(withDie(entry, value)) },
    }, element("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, die({ key: "die", side: opening ? (entry.dice.length === 1 ? "dark" : "light") : side, value })))));
  const chosen = [0, 1].map((index) => element("svg", { key: `chosen-${index}`, class: entry.dice[index] ? "chosen" : "chosen empty", viewBox: "-2 -2 104 104", "aria-hidden": "true" },
    entry.dice[index] ? die({ key: "die", side: opening ? (index ? "dark" : "light") : side, value: entry.dice[index] })
      : element("rect", { key: "empty", class: "hole", x: 4, y: 4, width: 92, height: 92, rx: 17 })));
  return [
    element("div", { key: "chosen", class: "dice large" }, chosen,
      element("span", { key: "text", class: "hidden", role: "status" }, entry.dice.length ? say("dice_chosen", { dice: entry.dice.join("-") }) : "")),
    row([1, 2, 3, 4, 5, 6], say("dice"), (value) => entry.dice.includes(value)),
  ];
}

function playField(entry, { say, change }) {
  return [
    element("label", { key: "label", class: "small", for: "play-field" }, say("play_hint")),
    element("div", { key: "line", class: "line" },
      element("input", {
        key: "field", id: "play-field", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", inputmode: "text", value: entry.text,
        on: { input: (event) => change({ ...entry, text: event.target.value }) },
      }),
      element("button", { key: "back", type: "button", on: { click: () => change(withoutLast(entry)) } }, say("take_back"))),
    element("p", { key: "from", class: "small", role: "status" }, entry.from === null ? "" : say("tapped_from", { place: placeName(entry.from) })),
    element("div", { key: "places", class: "buttons" },
      element("button", { key: "bar", type: "button", on: { click: () => change(withPlace(entry, BAR)) } }, say("from_bar")),
      element("button", { key: "off", type: "button", "aria-disabled": entry.from === null ? "true" : null, on: { click: () => change(withPlace(entry, OFF)) } }, say("bear_off"))),
  ];
}

function numberField(entry, { say, change }) {
  return element("div", { key: "line", class: "line" },
    element("label", { key: "label", class: "hidden", for: "number-field" }, say("enter_number")),
    element("input", {
      key: "field", id: "number-field", type: "text", inputmode: "numeric", autocomplete: "off", value: entry.text,
      on: { input: (event) => change({ ...entry, text: event.target.value }) },
    }));
}
