/** What people type or tap because no device reads it: a roll, a play, a number. */

import { die } from "./board.js";
import { element } from "./elements.js";
import { BAR, OFF, after, opponent, othersPoint, read } from "./position.js";

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
  if (place === BAR) {
    // No move ends there.
    return { ...entry, from: BAR };
  }
  const move = `${placeName(entry.from)}/${placeName(place)}`;
  return { ...entry, from: null, text: `${entry.text.trim()} ${move}`.trim() };
}

/** The entry after a checker was dragged; one that is dragged back the way it came takes back that move. */
export function withMove(entry, from, to) {
  const said = entry.text.trim().split(/\s+/);
  if (said.at(-1)?.replace("*", "") === `${placeName(to)}/${placeName(from)}`) {
    return { ...entry, from: null, text: said.slice(0, -1).join(" ") };
  }
  return to === BAR ? { ...entry, from: null } : withPlace({ ...entry, from }, to);
}

/** The single moves of a play in notation, as whoever makes it counts; what is no move is left out. */
export function movesIn(text) {
  return text.trim().split(/\s+/).flatMap((word) => {
    const [, path, times] = /^([^(]*)(?:\((\d)\))?$/.exec(word) ?? [null, "", undefined];
    const places = path.split("/").map((name) => numberOf(name.replace("*", "")));
    if (places.length < 2 || places.includes(null)) {
      return [];
    }
    const once = places.slice(1).map((to, index) => ({ from: places[index], to }));
    return Array.from({ length: Number(times ?? 1) }, () => once).flat();
  });
}

function numberOf(name) {
  const place = { bar: BAR, off: OFF }[name.toLowerCase()] ?? (/^\d+$/.test(name) ? Number(name) : null);
  return place !== null && place <= BAR ? place : null;
}

/**
 * How the board lies once the moves that were entered are made; those that cannot be made leave it as it is.
 * @param {Entry} entry
 * @param {string} position
 * @param {import("./position.js").Side} side whose play it is
 * @param {import("./position.js").Game} game
 */
export function positionAfter(entry, position, side, game) {
  return movesIn(entry.text).reduce((lies, { from, to }) => {
    const there = to === OFF || to === BAR ? 0 : read(lies, game)[opponent(side)][othersPoint(to, game)];
    return (there > 1 ? null : after(lies, [{ side, from, to, hit: there === 1 && game.contact !== "pin" }], game)) ?? lies;
  }, position);
}

/**
 * What the board of a page needs so that a play is entered on it.
 * @param {Entry} entry
 * @param {{position: string, side: import("./position.js").Side, game: import("./position.js").Game}} play
 * @param {(entry: Entry) => void} change
 */
export function onBoard(entry, { position, side, game }, change) {
  return {
    position: positionAfter(entry, position, side, game),
    numbering: side,
    mover: side,
    chosen: entry.from,
    tap: (place) => change(withPlace(entry, place)),
    carry: (from, to) => change(withMove(entry, from, to)),
  };
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
