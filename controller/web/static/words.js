/** Texts of the catalogue filled in, and the board in words for those who hear it. */

import { element } from "./elements.js";
import { BAR, OFF, gameOf, opponent, pinsOf, read, sidePoint } from "./position.js";

/**
 * A text of the catalogue, or the plural form that its number asks for, with the places in braces filled.
 * @param {Object<string, any>} words
 * @param {string} path such as `device.camera`
 * @param {Object<string, string|number>} [values]
 * @param {string} [language]
 * @returns {string}
 */
export function fill(words, path, values = {}, language = "en") {
  let entry = path.split(".").reduce((table, name) => table?.[name], words);
  if (entry && typeof entry === "object") {
    const form = new Intl.PluralRules(language).select(Number(values[entry.count]));
    entry = entry[form] ?? entry.other;
  }
  return String(entry ?? "").replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}

/** A function that fills the texts of one page. @returns {(path: string, values?: Object) => string} */
export function speaker(words, language) {
  return (path, values = {}) => fill(words, path, values, language);
}

/** Whose checkers lie where, as short sentences. */
export function describe(state, say) {
  if (!state.position) {
    return "";
  }
  const game = gameOf(state);
  const counts = read(state.position, game);
  const piles = (side) => {
    const places = [];
    for (let place = 24; place >= 1; place -= 1) {
      if (counts[side][place]) {
        places.push(`${place}: ${counts[side][place]}`);
      }
    }
    return places.join(", ");
  };
  return ["light", "dark"].map((side) => [
    say("pile.points", { name: state.match?.[side] || say(`side.${side}`), piles: piles(side) }),
    counts[side][BAR] ? say("pile.bar", { count: counts[side][BAR] }) : "",
    pinsOf(counts, side, game).length ? say("pile.pinned", { points: pinsOf(counts, side, game).join(", ") }) : "",
    counts.hand[side] ? say("pile.hand", { count: counts.hand[side] }) : "",
    counts[side][OFF] ? say("pile.off", { count: counts[side][OFF] }) : "",
  ].filter(Boolean).join(" ")).concat(state.cube?.in_play
    ? `${say("cube")}: ${cubeText(state.cube, (side) => state.match?.[side] || say(`side.${side}`), say)}.` : []).join(" ");
}

/** What a place that can be tapped is called, with what lies there. @returns {(place: number, side: import("./position.js").Side|null, count: number) => string} */
export function placeNamer(state, say) {
  const name = (side) => state.match?.[side] || say(`side.${side}`);
  return (place, side, count) => {
    const where = place === BAR ? say("bar") : place === OFF ? say("off") : say("point", { n: place });
    return `${where}: ${side && count ? say("pile.of", { name: name(side), count }) : say("pile.none")}`;
  };
}

/**
 * The board as a table: a row for each point from the reader's side, then bar, off and the cube.
 * @param {Object<string, any>} state
 * @param {"light"|"dark"} reader
 * @param {(path: string, values?: Object) => string} say
 */
export function boardTable(state, reader, say) {
  const game = gameOf(state);
  const counts = read(state.position, game);
  const name = (side) => state.match?.[side] || say(`side.${side}`);
  const on = (own) => {
    const point = sidePoint(own, reader, game);
    const side = ["light", "dark"].find((each) => counts[each][sidePoint(point, each, game)]);
    if (!side) {
      return say("pile.none");
    }
    const pile = say("pile.of", { name: name(side), count: counts[side][sidePoint(point, side, game)] });
    return counts.pinned.includes(point) ? say("pile.over", { pile, name: name(opponent(side)) }) : pile;
  };
  const both = (place) => ["light", "dark"].filter((side) => counts[side][place])
    .map((side) => say("pile.of", { name: name(side), count: counts[side][place] })).join("; ") || say("pile.none");
  const inHand = ["light", "dark"].filter((side) => counts.hand[side])
    .map((side) => say("pile.of", { name: name(side), count: counts.hand[side] })).join("; ");
  const row = (key, head, text) => element("tr", { key }, element("th", { scope: "row" }, head), element("td", null, text));
  const cube = state.cube;
  return element("table", { key: "board-table" },
    element("caption", null, say("board_caption", { name: name(reader) })),
    element("tbody", null,
      Array.from({ length: 24 }, (_, index) => row(`point-${index + 1}`, say("point", { n: index + 1 }), on(index + 1))),
      row("bar", say("bar"), both(BAR)), row("off", say("off"), both(OFF)),
      counts.hand.light || counts.hand.dark ? row("hand", say("hand"), inHand) : null,
      cube ? row("cube", say("cube"), cubeText(cube, name, say)) : null));
}

/** Where the cube is, in words. */
export function cubeText(cube, name, say) {
  if (!cube.in_play) {
    return say("cube_out");
  }
  return cube.owner ? say("cube_owned", { value: cube.value, name: name(cube.owner) }) : say("cube_centred", { value: cube.value });
}

/**
 * What a live region says of a state: the play with its number, the question, or whose turn it is.
 * A reader says a text again only if it is another one, hence game and ply.
 * @param {Object<string, any>} state
 * @param {(path: string, values?: Object) => string} say
 */
export function announcement(state, say) {
  const play = state.plays?.[0];
  const parts = [];
  if (play) {
    parts.push(say("spoken_play", { game: play.game, ply: play.ply + 1, text: play.text }));
  }
  const question = state.question;
  if (question) {
    parts.push(question.heading, ...(question.text ?? []), ...(question.steps ?? []));
  } else if (state.headline) {
    parts.push(state.headline);
  }
  return parts.filter(Boolean).join(" ");
}
