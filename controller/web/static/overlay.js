/** The strip for streams: names, score, clocks, dice and cube on a ground that lets the picture through. */

import { BoardOnPage } from "./board.js";
import { element, sync } from "./elements.js";
import { Live, channelAddress } from "./live.js";
import { diceRow, pageData, sign } from "./page.js";
import { boardView, clockAfter, clockText, nameOf, NOTHING, reduce, seats, stepsOf } from "./state.js";
import { cubeText, speaker } from "./words.js";

const TAB_MS = 8_000;
const TICK_MS = 250;

const data = pageData();
const say = speaker(data.words, data.language);
const wanted = new URLSearchParams(location.search);
const holder = document.getElementById("strip");
const board = wanted.get("board") === "1" ? new BoardOnPage(document.getElementById("board")) : null;
document.body.dataset.place = wanted.get("place") === "top" ? "top" : "bottom";
document.body.dataset.with = board ? "board" : "strip";
const scale = Number(wanted.get("scale"));
if (scale > 0 && scale <= 4) {
  document.documentElement.style.setProperty("--scale", String(scale));
}

let tab = { play: null, until: 0 };
let offset = null;

const live = new Live({
  address: channelAddress(data.language, true),
  known: data.snapshot ? reduce(NOTHING, { ...data.snapshot, kind: "snapshot" }) : NOTHING,
  hear: (known, message) => hear(known.state, message),
  tell: () => draw(),
});

function hear(state, message) {
  const clock = message.kind === "snapshot" ? state.clock : message.set?.clock;
  if (clock) {
    const now = Date.now() - clock.at_ms;
    offset = message.kind === "snapshot" || offset === null ? now : Math.min(now, offset);
  }
  if (message.kind === "turn") {
    tab = { play: state.plays?.[0] ?? null, until: performance.now() + TAB_MS };
  }
  draw(stepsOf(message));
}

function draw(steps = []) {
  const state = live.known.state;
  document.body.dataset.match = state.match ? "yes" : "no";
  drawStrip();
  if (board) {
    const view = { ...boardView(state, { upright: false, mirrored: false, silent: false, name: "overlay-board" }), title: say("board_title") };
    steps.length ? board.move(view, steps) : board.renew(view);
  }
}

function drawStrip() {
  const state = live.known.state;
  if (!state.match) {
    sync(holder, []);
    return;
  }
  const { far, near } = seats(state);
  const clock = state.clock ? clockAfter(state.clock, Date.now() - state.clock.at_ms - (offset ?? 0)) : null;
  const name = (side) => nameOf(state, side);
  const cube = state.cube;
  const shown = cube?.offer?.value ?? (cube?.owner === null && cube?.value === 1 ? 64 : cube?.value);
  const play = tab.play && performance.now() < tab.until ? tab.play : null;
  const seat = (side, place) => element("div", { key: place, class: `seat ${place}${state.on_turn === side ? " at-turn" : ""}` },
    sign(side), element("span", { key: "name", class: "name" }, name(side)),
    clock ? element("span", { key: "clock", class: clock.runs === side ? "clock runs" : "clock" }, clockText(clock[`${side}_s`])) : null,
    element("span", { key: "score", class: "score" }, state.match.score?.[side] ?? 0));
  sync(holder, [
    play ? element("p", { key: "tab", class: "tab" }, sign(play.player), element("span", { key: "text" }, `${(play.dice ?? []).join("-")}: ${play.move || say("cannot_move")}`)) : null,
    element("div", { key: "bar", class: "strip" }, seat(far, "far"),
      element("div", { key: "middle", class: "middle" },
        state.dice ? diceRow(state.dice, "small", say) : element("span", { key: "no-dice", class: "dice small" }),
        cube?.in_play ? element("span", { key: "cube", class: cube.offer ? "cube offered" : "cube", role: "img", "aria-label": cubeText(cube, name, say) }, shown) : null,
        element("span", { key: "length", class: "length" }, state.match.length ? say("match_to", { length: state.match.length }) : say("money"))),
      seat(near, "near")),
  ]);
}

draw();
live.open();
setInterval(drawStrip, TICK_MS);
document.addEventListener("visibilitychange", () => document.hidden || live.open());
