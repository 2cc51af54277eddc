/** "What I see": the picture that was read last, what was read in it, and the last minute. */

import { Pictures, ask, drawn, figureOf, filled, polygon, ringOf } from "./sight.js";

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.words;
const MINUTE_S = 60;
const CROWDED = 0.1;
const EVERY_MS = 700;
const SIGNS = { unsure: "?", play: "✓" };

const by = (id) => document.getElementById(id);
const overlay = by("overlay");
const canvas = by("canvas");

let sight = null;
/** The point that was chosen, 1 to 24; 0 while the one in doubt is shown. */
let chosen = 0;

async function follow() {
  for (;;) {
    if (!document.hidden) {
      const told = await ask("/api/v1/seen");
      if (told) {
        sight = told.seen;
        by("where").replaceChildren(...whereOf(told));
        show();
      } else {
        by("about").textContent = words.offline;
      }
    }
    await new Promise((done) => setTimeout(done, EVERY_MS));
  }
}

function whereOf({ table, names }) {
  const title = document.createElement("strong");
  title.textContent = words.title;
  const more = [table && filled(words.table_number, { table }), names && names.join(" – ")].filter(Boolean);
  return [title, more.map((text) => ` · ${text}`).join("")];
}

function show() {
  by("nothing").hidden = sight !== null;
  overlay.replaceChildren();
  if (!sight) {
    by("points").replaceChildren();
    return;
  }
  const { width, height, text } = sight.picture;
  by("picture").style.aspectRatio = `${width} / ${height}`;
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  by("about").textContent = sight.fault ?? text;
  drawSight();
  showButtons();
  showPoint();
  showLines();
  showMinute();
}

/** The point to be told about: the chosen one, else the first that is not sure. */
function pointNow() {
  const wanted = chosen || sight.points.find((point) => point.unsure)?.point;
  return sight.points.find((point) => point.point === wanted) ?? null;
}

function drawSight() {
  const now = pointNow();
  for (const point of sight.points) {
    if (point.covered) {
      overlay.append(drawn("polygon", { points: polygon(point.area), class: "hidden-point" }));
    }
    for (const ring of point.covered ? [] : point.rings) {
      overlay.append(ringOf(ring, "seen-under"), ringOf(ring, "seen-ring"));
    }
    if (point.unsure && !point.covered) {
      overlay.append(
        drawn("polygon", { points: polygon(point.area), class: "doubt-under" }),
        drawn("polygon", { points: polygon(point.area), class: "doubt" }),
      );
    } else if (point === now) {
      overlay.append(drawn("polygon", { points: polygon(point.area), class: "chosen" }));
    }
    if (point.count || point.unsure || point === now) {
      overlay.append(...figureOf(point, sight.picture, overlay.clientWidth));
    }
    const strip = drawn("polygon", { points: polygon(point.area), class: "strip" });
    strip.addEventListener("click", () => choose(point.point));
    overlay.append(strip);
  }
  for (const die of sight.dice) {
    overlay.append(...boxOf(die));
  }
}

/** A box round a die, and the number that was read beside it. */
function boxOf({ x, y, size, value, cocked }) {
  const half = size * 0.85;
  const box = { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: half / 4 };
  const beside = x + half * 2.05;
  return [
    drawn("rect", { ...box, class: "die-under" }),
    drawn("rect", { ...box, class: "die-box" }),
    drawn("rect", {
      x: beside - half * 0.8, y: y - half, width: half * 1.6, height: 2 * half, rx: half / 4, class: "die-number",
    }),
    drawn("text", { x: beside, y, "font-size": half * 1.6, class: "die-text" }, cocked ? `${value}?` : value),
  ];
}

function choose(point) {
  chosen = chosen === point ? 0 : point;
  show();
}

/** A button over each figure, so that every point can be reached by keyboard. */
function showButtons() {
  const box = by("points");
  if (box.childElementCount !== sight.points.length) {
    box.replaceChildren(...sight.points.map(({ point }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => choose(point));
      return button;
    }));
  }
  const { width, height } = sight.picture;
  [...box.children].forEach((button, number) => {
    const point = sight.points[number];
    button.setAttribute("aria-label", `${point.heading}. ${point.text}`);
    button.setAttribute("aria-pressed", String(chosen === point.point));
    button.style.left = `${100 * point.label[0] / width}%`;
    button.style.top = `${100 * point.label[1] / height}%`;
  });
}

function showPoint() {
  const point = pointNow();
  by("heading").textContent = point ? point.heading : words.title;
  by("text").textContent = point ? point.text : sight.fault ?? words.choose;
  const likely = point ? point.likely : [];
  by("likely").replaceChildren(...likely.map(({ text, share }, place) => {
    const row = document.createElement("li");
    row.className = place === 0 && point.unsure ? "first doubtful" : place === 0 ? "first" : "";
    const name = document.createElement("span");
    name.textContent = text;
    const bar = document.createElement("meter");
    bar.max = 1;
    bar.value = share;
    bar.setAttribute("aria-hidden", "true");
    const percent = document.createElement("span");
    percent.textContent = `${Math.round(100 * share)} %`;
    row.append(name, bar, percent);
    return row;
  }));
  const why = point ? point.why : [];
  by("why").replaceChildren(...why.map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }));
  by("why").hidden = !why.length;
}

function showLines() {
  by("lines").replaceChildren(...sight.lines.flatMap(({ name, text, note }) => {
    const term = document.createElement("dt");
    term.textContent = name;
    const value = document.createElement("dd");
    value.textContent = text;
    const more = document.createElement("dd");
    more.className = "note";
    more.textContent = note;
    return note ? [term, value, more] : [term, value];
  }));
}

/** The last minute from left to right; texts that would lie on one another are left to the dots. */
function showMinute() {
  by("quiet").hidden = sight.minute.length > 0;
  let free = -1;
  by("minute").replaceChildren(...sight.minute.map((one) => {
    const [from, to] = [one.since_s, one.until_s].map((ago) => 1 - Math.min(ago, MINUTE_S) / MINUTE_S);
    const item = document.createElement("li");
    item.className = one.kind === "play" && one.legal === false ? "play illegal" : one.kind;
    item.style.left = `${100 * from}%`;
    item.style.width = `${100 * (to - from)}%`;
    const sign = document.createElement("span");
    sign.className = "sign";
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = item.className === "play illegal" ? "!" : SIGNS[one.kind === "play" && one.legal === null ? "unsure" : one.kind] ?? "";
    const text = document.createElement("span");
    text.className = "what";
    text.textContent = one.text;
    const when = document.createElement("span");
    when.className = "when";
    when.textContent = one.when;
    item.append(sign, text, when);
    const middle = (from + to) / 2;
    item.classList.toggle("crowded", middle - free < CROWDED);
    if (middle - free >= CROWDED) {
      free = middle;
    }
    return item;
  }));
}

new Pictures("/api/v1/seen/picture", (picture) => {
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  picture.close();
}).run();
follow();
