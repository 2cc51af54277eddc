/** The set-up page: camera, aim, checkers, lights and dice, players. */

import { ANSWER_MS, timeLimit } from "./line.js";
import { RadioDice } from "./setup/dice.js";
import { Faces } from "./setup/faces.js";
import { fillField, nameButton, watchPresses } from "./setup/fields.js";
import { Keys } from "./setup/keys.js";
import { fillSettings, settingsOf } from "./setup/settings.js";
import { Pictures, ask, drawn, figureOf, filled, polygon, ringOf } from "./sight.js";
import { Underway } from "./underway.js";

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.words;
const STEPS = ["camera", "aim", "checkers", "devices", "players"];
/** The place on the page, below one of the steps, that a director comes back to after an update. */
const UPDATES = "updates";
const NUDGE = 1;
const NUDGE_FAR = 12;
const MAGNIFIED = 3;
const POINTS = [1, 12, 13, 24];

const by = (id) => document.getElementById(id);
const main = by("main");
const canvas = by("canvas");
const overlay = by("overlay");
const magnifier = by("magnifier");

let state = null;
let step = "camera";
/** Corners that a person pulled and that were not looked between yet. @type {number[][]|null} */
let pulled = null;
let held = -1;
let seen = null;
let picture = null;
let planned = false;
let flatOf = "";
const passed = new Set();
/** Whether the camera gave pictures already when a code for a phone was shown. */
let readyBefore = false;
/** Whether the page is about to be left: the table is asked nothing more. */
let leaving = false;
// What is still to be read on the step that is gone to.
let told = "";
/** What was to be read before the table was not heard. */
let answered = "";
/** What the table was asked last. @type {Promise<any>} */
let asked = Promise.resolve();
const underway = new Underway();
/** How often something was told, and how often that was answered: what was asked before is old by then. */
let changes = 0;

// --- steps -------------------------------------------------------------------------------------------------

function toStep(name) {
  if (name === UPDATES) {
    by(UPDATES).open = true;
  }
  step = name === UPDATES ? "devices" : STEPS.includes(name) ? name : "camera";
  main.dataset.step = step;
  for (const box of [main, document.querySelector(".side")]) {
    box.scrollTop = 0;
  }
  by("answer").textContent = told;
  told = "";
  seen = null;
  if (state) {
    show();
  }
}

function showSteps() {
  for (const link of document.querySelectorAll("#steps a")) {
    const name = link.dataset.step;
    const done = passed.has(name) && name !== step;
    link.classList.toggle("done", done);
    link.querySelector(".number").textContent = done ? "✓" : String(STEPS.indexOf(name) + 1);
    link.querySelector(".done-word").hidden = !done;
    if (name === step) {
      link.setAttribute("aria-current", "step");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

function go(name) {
  passed.add(step);
  location.hash = name;
  scrollTo(0, 0);
  by("heading").focus({ preventScroll: true });
}

// --- talking to the table ----------------------------------------------------------------------------------

/** Tell the table something; whether it did so. */
async function tell(what, body = null) {
  return (await underway.once(`${what} ${JSON.stringify(body)}`, () => tellOnce(what, body))) ?? false;
}

async function tellOnce(what, body) {
  changes += 1;
  const headers = { "Content-Type": "application/json", ...(page.token ? { "X-Token": page.token } : {}) };
  try {
    const answer = await fetch(`/api/v1/setup/${what}`, {
      method: "POST", headers, body: body === null ? null : JSON.stringify(body), credentials: "same-origin", signal: timeLimit(ANSWER_MS),
    });
    if (!answer.ok) {
      by("answer").textContent = words.refused;
      return false;
    }
    const said = await answer.json();
    state = said.state;
    by("answer").textContent = said.text;
    show();
    return said.answer === "done";
  } catch {
    // It is not told again, and stays to be read once the table is heard.
    by("answer").textContent = words.refused;
    return false;
  } finally {
    changes += 1;
  }
}

/** How set-up stands and what is read, null where nothing is heard. */
async function askState() {
  const told = await ask("/api/v1/setup");
  if (!told && state && !leaving && (await isLoggedOut())) {
    // The table has started anew, and a director logs in again; or a match is on, whoever began it.
    leaving = true;
    location.assign(state.updates.state === "running" ? `/login?next=${encodeURIComponent("/setup#updates")}` : "/");
  }
  return told && [told, step === "checkers" ? await ask("/api/v1/setup/seen") : null];
}

/** Whether the table answers, and does not know who asks. */
async function isLoggedOut() {
  try {
    return (await fetch("/api/v1/setup", { credentials: "same-origin" })).status === 403;
  } catch {
    return false;
  }
}

async function follow() {
  for (;;) {
    if (!document.hidden && !leaving) {
      const before = changes;
      asked = askState();
      const told = await asked;
      if (told) {
        [state, seen] = state === null || before === changes ? told : [state, seen];
        if (by("answer").textContent === words.offline) {
          by("answer").textContent = answered;
        }
        show();
      } else {
        answered = by("answer").textContent === words.offline ? answered : by("answer").textContent;
        by("answer").textContent = words.offline;
      }
    }
    await new Promise((done) => setTimeout(done, state?.aim.search.state === "running" ? 300 : 700));
  }
}

// --- what is shown -----------------------------------------------------------------------------------------

function show() {
  showSteps();
  by("which-table").textContent = state.heading;
  by("heading").textContent = words.heading[step];
  by("text").textContent = step === "aim" ? state.aim.advice : words.text[step];
  fillChoices(by("camera"), state.camera);
  fillChoices(by("port"), state.port);
  by("camera-text").textContent = state.camera.text;
  by("port-text").textContent = state.port.text;
  by("phone").hidden = state.camera.key !== "phone";
  if (by("phone-shown").open && state.camera.ready && !readyBefore) {
    by("phone-shown").close();
  }
  state.aim.measures.forEach(showMeasure);
  for (const kind of ["lights", "dice"]) {
    const trial = state[kind];
    by(`${kind}-text`).textContent = [trial.text, words[`${kind}_${trial.state}`]].filter(Boolean).join(" ");
    by(`try-${kind}`).disabled = trial.state === "absent" || trial.state === "running";
  }
  fillLamps();
  fillRolls();
  faces.fill(state.faces);
  keys.fill(state.keys);
  fillVoice();
  document.querySelectorAll("form.settings").forEach((form) => fillSettings(form, state.settings));
  showUpdates();
  fillPlan();
  showSaid();
  showPicture();
  showButtons();
  // Only now is there something to choose: what is typed into a form before it is filled in would be mixed with that.
  main.removeAttribute("aria-busy");
}

/** Have a phone shown a new code: whichever phone scans it is the camera from then on. */
async function showCode() {
  try {
    const answer = await fetch("/api/v1/setup/phone", { method: "POST", credentials: "same-origin" });
    const { code, address } = answer.ok ? await answer.json() : { code: "", address: "" };
    by("phone-text").textContent = address ? "" : words.phone_closed;
    by("phone-square").src = address ? `/api/v1/setup/phone.svg?${code}` : "";
    by("phone-address").href = by("phone-address").textContent = address;
    readyBefore = Boolean(state?.camera.ready);
    if (address) {
      by("phone-shown").showModal();
    }
  } catch {
    by("answer").textContent = words.refused;
  }
}

function fillChoices(select, chosen) {
  const wanted = JSON.stringify(chosen.choices);
  if (select.dataset.choices !== wanted) {
    select.dataset.choices = wanted;
    select.replaceChildren(...chosen.choices.map((one) => new Option(one.name, one.key)));
  }
  if (document.activeElement !== select) {
    select.value = chosen.key;
  }
}

function showMeasure({ name, level, mark, enough, text }) {
  const box = by(`measure-${name}`);
  box.querySelector(".measure-word").textContent = text;
  box.classList.toggle("short", level !== null && !enough);
  box.querySelector(".level").setAttribute("width", String(332 * (level ?? 0)));
  box.querySelector(".mark").setAttribute("x", String(332 * (mark ?? 0)));
  box.querySelector(".mark").toggleAttribute("hidden", mark === null);
  const told = mark === null ? text : `${text}; ${filled(words.mark, { percent: Math.round(100 * mark) })}`;
  box.querySelector("title").textContent = `${words[name]}: ${told}`;
}

function showSaid() {
  const search = state.aim.search;
  const said = by("said");
  let heading = "";
  let text = "";
  if (step === "aim") {
    ({ heading, text } = search);
  } else if (step === "checkers") {
    text = seen ? seen.text : "";
  }
  const told = `${heading}|${text}`;
  if (said.dataset.told !== told) {
    said.dataset.told = told;
    const strong = document.createElement("strong");
    strong.textContent = heading;
    said.replaceChildren(strong, heading && text ? " " : "", text);
  }
  by("read-text").textContent = "";
  const progress = by("progress");
  progress.hidden = step !== "aim" || search.state !== "running";
  progress.value = search.done;
  by("about").textContent = state.aim.picture ? state.aim.picture.text : "";
  showStraight();
}

async function showStraight() {
  const image = by("straight");
  const wanted = (step === "aim" || step === "checkers") && state.aim.placed && state.aim.search.state !== "running";
  if (!wanted) {
    image.hidden = true;
    flatOf = "";
    return;
  }
  const now = JSON.stringify(state.aim.corners);
  if (flatOf === now) {
    return;
  }
  flatOf = now;
  try {
    const answer = await fetch("/api/v1/setup/flat", { credentials: "same-origin" });
    const flat = answer.status === 200 ? await answer.blob() : null;
    // The outline may have gone, or lie otherwise, by now.
    if (flat && flatOf === now) {
      URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(flat);
      image.hidden = false;
    }
  } catch {
    flatOf = flatOf === now ? "" : flatOf;
  }
}

function showPicture() {
  const about = state.aim.picture;
  by("no-picture").hidden = Boolean(about && picture);
  overlay.replaceChildren();
  if (!about) {
    showCorners(null);
    return;
  }
  by("picture").style.setProperty("--shape", String(about.width / about.height));
  overlay.setAttribute("viewBox", `0 0 ${about.width} ${about.height}`);
  if (step === "aim") {
    drawAim(about);
  } else {
    showCorners(null);
    if (step === "checkers" && seen && seen.seen) {
      drawRead(seen.seen);
    }
  }
}

function drawAim({ width, height }) {
  const [left, top, across, down] = state.aim.frame;
  const right = left + across;
  const bottom = top + down;
  const reach = across * 0.085;
  const px = width / Math.max(1, overlay.clientWidth);
  const outer = `M0 0H${width}V${height}H0Z`;
  overlay.append(drawn("path", {
    class: "frame-shade", "fill-rule": "evenodd", d: `${outer}M${left} ${top}H${right}V${bottom}H${left}Z`,
  }));
  for (const [x, y, dx, dy] of [[left, top, 1, 1], [right, top, -1, 1], [right, bottom, -1, -1], [left, bottom, 1, -1]]) {
    overlay.append(drawn("path", {
      class: "frame-corner", "stroke-width": 4 * px, d: `M${x} ${y + dy * reach}V${y}H${x + dx * reach}`,
    }));
  }
  const corners = pulled ?? state.aim.corners;
  const known = pulled !== null || state.aim.placed || state.aim.search.state === "failed";
  if (!corners || !known || state.aim.search.state === "running") {
    showCorners(null);
    return;
  }
  const guess = state.aim.search.state !== "found" || pulled !== null;
  overlay.append(
    drawn("polygon", { class: "outline-under", points: polygon(corners), "stroke-width": 5 * px }),
    drawn("polygon", { class: guess ? "outline guess" : "outline", points: polygon(corners), "stroke-width": 2.5 * px }),
  );
  showCorners(corners);
}

function drawRead(sight) {
  for (const point of sight.points) {
    for (const ring of point.rings) {
      overlay.append(ringOf(ring, "seen-under"), ringOf(ring, "seen-ring"));
    }
    if (point.count || point.unsure) {
      overlay.append(...figureOf(point, sight.picture, overlay.clientWidth));
    }
  }
}

// --- corners -----------------------------------------------------------------------------------------------

function showCorners(corners) {
  const box = by("corners");
  if (!corners) {
    box.replaceChildren();
    magnifier.hidden = true;
    return;
  }
  if (!box.childElementCount) {
    box.append(...POINTS.map(makeCorner));
  }
  const { width, height } = state.aim.picture;
  [...box.children].forEach((button, number) => {
    button.style.left = `${100 * corners[number][0] / width}%`;
    button.style.top = `${100 * corners[number][1] / height}%`;
  });
  if (held >= 0) {
    magnify(corners[held]);
  }
}

function makeCorner(point, number) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "corner";
  button.setAttribute("aria-label", filled(words.corner, { point }));
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    button.focus();
    held = number;
    pull(number, spotOf(event));
  });
  button.addEventListener("pointermove", (event) => {
    if (held === number && button.hasPointerCapture(event.pointerId)) {
      pull(number, spotOf(event));
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    button.addEventListener(end, () => {
      held = -1;
      magnifier.hidden = true;
      showPicture();
      showButtons();
    });
  }
  button.addEventListener("focus", () => {
    if (held < 0 && button.matches(":focus-visible")) {
      held = number;
      showPicture();
    }
  });
  button.addEventListener("blur", () => {
    held = -1;
    magnifier.hidden = true;
  });
  button.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      event.preventDefault();
      const far = event.shiftKey ? NUDGE_FAR : NUDGE;
      const [x, y] = (pulled ?? state.aim.corners)[number];
      held = number;
      pull(number, [x + way[0] * far, y + way[1] * far]);
      showButtons();
    }
  });
  return button;
}

function spotOf(event) {
  const box = by("picture").getBoundingClientRect();
  const { width, height } = state.aim.picture;
  return [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height];
}

function pull(number, [x, y]) {
  const { width, height } = state.aim.picture;
  pulled = (pulled ?? state.aim.corners).map((spot) => [...spot]);
  pulled[number] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  showPicture();
}

/** Draw what lies about a place three times as large, beside it and never under a finger. */
function magnify([x, y]) {
  if (!picture) {
    return;
  }
  const about = state.aim.picture;
  const box = by("picture").getBoundingClientRect();
  const scale = box.width / about.width;
  const size = Math.min(magnifier.width, 0.4 * box.width);
  const away = size * 0.5 + 40;
  magnifier.style.width = `${size}px`;
  magnifier.style.height = `${size}px`;
  const left = x * scale + (x * scale > box.width / 2 ? -away : away) - size / 2;
  const top = Math.min(Math.max(y * scale - away - size / 2, 0), box.height - size);
  magnifier.hidden = false;
  magnifier.style.left = `${Math.min(Math.max(left, 0), box.width - size)}px`;
  magnifier.style.top = `${top}px`;
  const pen = magnifier.getContext("2d");
  const span = size / MAGNIFIED / scale;
  const ratio = picture.width / about.width;
  const wide = magnifier.width;
  const middle = wide / 2;
  pen.fillStyle = "#222";
  pen.fillRect(0, 0, wide, wide);
  pen.drawImage(picture, (x - span / 2) * ratio, (y - span / 2) * ratio, span * ratio, span * ratio, 0, 0, wide, wide);
  pen.strokeStyle = "#fff";
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(middle - 26, middle);
  pen.lineTo(middle + 26, middle);
  pen.moveTo(middle, middle - 26);
  pen.lineTo(middle, middle + 26);
  pen.stroke();
}

// --- buttons -----------------------------------------------------------------------------------------------

/** The main button and the one beside it: text, whether they can be pressed, what they do. */
function choices() {
  const search = state.aim.search.state;
  const home = by("home").value === "auto" ? null : by("home").value;
  const look = (corners) => async () => {
    const before = pulled;
    if (await tell("find", { corners, light_home: home }) && pulled === before) {
      pulled = null;
      show();
    }
  };
  switch (step) {
    case "camera":
      return { main: [words.go_on, Boolean(state.aim.picture), () => go("aim")] };
    case "aim":
      if (search === "running") {
        return { main: [words.stop, true, () => tell("end")] };
      }
      if (pulled) {
        return {
          main: [words.find_here, true, look(pulled)],
          second: [words.find_again, true, look(null)],
        };
      }
      if (search === "found") {
        return {
          main: [words.outline_right, true, () => go("checkers")],
          second: [words.find_again, true, look(null)],
        };
      }
      return { main: [search === "failed" ? words.find_again : words.find, Boolean(state.aim.picture), look(null)] };
    case "checkers":
      return {
        main: [words.checkers_right, Boolean(seen?.seen?.board), confirm],
        second: [words.checkers_wrong, true, () => go("aim")],
      };
    case "devices":
      return { main: [words.go_on, true, () => go("players")], second: [words.go_back, true, () => go("checkers")] };
    default:
      return { main: [words.start, true, start], second: [words.go_back, true, () => go("devices")] };
  }
}

function showButtons() {
  const { main: [text, ready, act], second = null } = choices();
  setButton(by("main-button"), text, ready && !state.playing, act);
  by("second").hidden = second === null;
  if (second) {
    setButton(by("second"), second[0], second[1] && !state.playing, second[2]);
  }
  by("save").hidden = !["camera", "aim"].includes(step) || !state.aim.picture;
  by("second").parentElement.hidden = by("second").hidden && by("save").hidden;
  if (state.playing) {
    by("answer").textContent = words.playing;
  }
}

function setButton(button, text, ready, act) {
  nameButton(button, text);
  button.disabled = !ready;
  button.onclick = act;
}

async function confirm() {
  if (await tell("confirm")) {
    told = by("answer").textContent;
    go("devices");
  }
}

async function start() {
  const plan = planOf();
  if (!plan.light || !plan.dark) {
    by("answer").textContent = words.names_missing;
    by(plan.light ? "dark" : "light").focus();
    return;
  }
  if (await tell("match", plan)) {
    // Once the match is on, only the director may ask how set-up stands: whatever was asked is answered before.
    leaving = true;
    await Promise.all([asked, pictures.rest()]);
    if (await tell("start")) {
      location.assign("/");
    } else {
      leaving = false;
      pictures.wanted = true;
    }
  }
}

// --- where the rolls come from -----------------------------------------------------------------------------

function rolls() {
  return {
    source: by("rolls-source").value,
    port: by("unit-port").value.trim(),
    baud: Number(by("unit-baud").value),
    dtr: by("unit-dtr").checked,
    pattern: by("unit-pattern").value.trim(),
    ...radioDice.sets(),
  };
}

function fillRolls() {
  const { ports, text, ...used } = state.rolls;
  by("unit-text").textContent = text;
  radioDice.fill(state.found, used);
  const listed = JSON.stringify(ports);
  if (by("unit-ports").dataset.listed !== listed) {
    by("unit-ports").dataset.listed = listed;
    by("unit-ports").replaceChildren(...ports.map((port) => new Option(port, port)));
  }
  fillField(by("rolls-source"), used.source);
  fillField(by("unit-port"), used.port);
  fillField(by("unit-baud"), used.baud);
  fillField(by("unit-dtr"), used.dtr);
  fillField(by("unit-pattern"), used.pattern);
  showUnit();
}

function showUnit() {
  by("unit").hidden = by("rolls-source").value !== "text";
  by("unit-baud").disabled = by("unit").hidden;
  by("radio").hidden = by("rolls-source").value !== "bluetooth";
}

// --- what drives the lights --------------------------------------------------------------------------------

function fillLamps() {
  const { text, source, address } = state.lamps;
  by("wled-text").textContent = text;
  by("search-text").textContent = state.search.text;
  by("find-lamps").disabled = ["absent", "running"].includes(state.search.state);
  by("firmware-text").textContent = state.firmware.text;
  by("write-firmware").disabled = ["absent", "running"].includes(state.firmware.state);
  fillField(by("lamps-source"), source);
  fillField(by("lamps-address"), address);
  showWled();
}

function showWled() {
  by("wled").hidden = by("lamps-source").value !== "wled";
}

// --- what is said aloud ------------------------------------------------------------------------------------

function fillVoice() {
  fillField(by("voice-use"), state.voice.use);
  fillField(by("voice-sounds"), state.voice.sounds);
  fillField(by("voice-volume"), state.voice.volume);
  fillField(by("voice-language"), state.voice.language);
}

function voice() {
  return {
    use: by("voice-use").checked, sounds: by("voice-sounds").checked,
    volume: Number(by("voice-volume").value), language: by("voice-language").value,
  };
}

// --- what else can be chosen -------------------------------------------------------------------------------

async function useSettings(form) {
  const kept = form.querySelector(".kept");
  kept.textContent = "";
  if (await tell("settings", { values: settingsOf(form, state.settings) })) {
    kept.textContent = by("answer").textContent;
    by("answer").textContent = "";
  }
}

// --- updates -----------------------------------------------------------------------------------------------

/** How far an update is. The table starts anew at its end; the page asks on until it answers again. */
function showUpdates() {
  const { state: stands, text, new: newer, before } = state.updates;
  if (by(UPDATES).hidden && stands !== "absent" && location.hash === `#${UPDATES}`) {
    by(UPDATES).hidden = false;
    by(UPDATES).scrollIntoView();
  }
  by(UPDATES).hidden = stands === "absent";
  by("updates-text").textContent = text;
  const offered = { check: true, update: Boolean(newer), back: Boolean(before) };
  for (const button of document.querySelectorAll("[data-update]")) {
    button.hidden = !offered[button.dataset.update];
    button.disabled = stands === "running" || state.playing;
  }
}

// --- players -----------------------------------------------------------------------------------------------

function planOf() {
  const length = by("length").value;
  return {
    light: by("light").value.trim(),
    dark: by("dark").value.trim(),
    length: length === "money" ? null : Number(length),
    profile: by("learning").checked ? "" : by("profile").value,
    consent: by("consent").checked,
    learning: by("learning").checked,
    engine: by("engine").value.startsWith("away-") ? "" : by("engine").value,
    away: by("engine").value.startsWith("away-") ? by("engine").value.slice(5) : "",
    code: by("table-code").value.trim(),
    level: Number(by("level").value),
    external: by("external").value,
  };
}

/** What is played by the rules that are chosen. */
function tellProfile() {
  by("profile-about").textContent = state.profiles.find((one) => one.key === by("profile").value)?.about ?? "";
}

/** An engine has a name like everybody; what somebody has typed stays, names that say nothing do not. */
function nameEngine() {
  for (const side of ["light", "dark"]) {
    const field = by(side);
    if (by("engine").value === side && ["", "Light", "Dark"].includes(field.value.trim())) {
      field.value = words.engine_name;
    } else if (by("engine").value !== side && field.value === words.engine_name) {
      field.value = "";
    }
  }
}

/** How strong it plays is asked where an engine plays, the code of the other table where one side plays there. */
function showLevel() {
  const away = by("engine").value.startsWith("away-");
  for (const id of ["level", "external"]) {
    by(id).closest("p").hidden = away || !by("engine").value;
  }
  for (const id of ["table-code", "show-table-code"]) {
    by(id).closest("p").hidden = !away;
  }
  if (away && !by("own-table-code").textContent && !by("table-code").value) {
    askTableCode();
  }
  const about = by("engine-about");
  about.textContent = away ? about.dataset.away : about.dataset.engine;
}

function askTableCode() {
  return underway.once("table code", showTableCode);
}

/** The code of this table, for the people at the other one. */
async function showTableCode() {
  try {
    const answer = await fetch("/api/v1/setup/partner", { method: "POST", credentials: "same-origin" });
    const { code } = answer.ok ? await answer.json() : { code: "" };
    by("own-table-code").textContent = code;
  } catch {
    by("answer").textContent = words.refused;
  }
}

/** Who learns plays by the usual rules, and is told of illegal plays anyway. */
function showLearning() {
  const learning = by("learning").checked;
  by("profile").disabled = learning;
  by("consent").disabled = learning;
}

function fillPlan() {
  if (planned) {
    return;
  }
  planned = true;
  const { plan } = state;
  const lengths = [...new Set([...state.lengths, ...(plan.length ? [plan.length] : [])])].sort((a, b) => a - b);
  by("length").replaceChildren(
    ...lengths.map((length) => new Option(String(length), String(length))), new Option(words.money, "money"),
  );
  by("profile").replaceChildren(
    new Option(words.profile_usual, ""),
    ...[...new Set(state.profiles.map((one) => one.family))].map((family) => {
      const group = document.createElement("optgroup");
      group.label = family;
      group.replaceChildren(...state.profiles.filter((one) => one.family === family).map((one) => new Option(one.name, one.key)));
      return group;
    }),
  );
  by("profile").addEventListener("change", tellProfile);
  by("light").value = plan.light;
  by("dark").value = plan.dark;
  by("length").value = plan.length === null ? "money" : String(plan.length);
  by("profile").value = plan.profile;
  tellProfile();
  by("consent").checked = plan.consent;
  by("engine").value = plan.away ? `away-${plan.away}` : plan.engine;
  by("table-code").value = plan.code;
  by("level").value = plan.level;
  by("external").value = plan.external;
  by("engine").addEventListener("change", nameEngine);
  by("engine").addEventListener("change", showLevel);
  showLevel();
  by("learning").checked = plan.learning;
  by("learning").addEventListener("change", showLearning);
  showLearning();
}

// --- beginning ---------------------------------------------------------------------------------------------

by("camera").addEventListener("change", (event) => tell("camera", { key: event.target.value }));
by("port").addEventListener("change", (event) => tell("port", { key: event.target.value }));
by("home").addEventListener("change", (event) => {
  const search = state.aim.search.state;
  if (search === "found" || search === "failed") {
    const home = event.target.value === "auto" ? null : event.target.value;
    tell("find", { corners: pulled, light_home: home });
  }
});
by("phone-code").addEventListener("click", () => underway.once("phone code", showCode));
by("show-table-code").addEventListener("click", askTableCode);
by("lamps-source").addEventListener("change", showWled);
by("lamps").addEventListener("submit", async (event) => {
  event.preventDefault();
  by("lamps-text").textContent = "";
  if (await tell("lamps", { source: by("lamps-source").value, address: by("lamps-address").value.trim() })) {
    by("lamps-text").textContent = by("answer").textContent;
    by("answer").textContent = "";
  }
});
by("find-lamps").addEventListener("click", () => tell("lamps/find"));
by("write-firmware").addEventListener("click", () => tell("firmware"));
by("try-lights").addEventListener("click", () => tell("lights"));
by("try-dice").addEventListener("click", () => tell("dice"));
by("rolls-source").addEventListener("change", showUnit);
by("rolls").addEventListener("submit", async (event) => {
  event.preventDefault();
  by("rolls-text").textContent = "";
  if (await tell("rolls", rolls())) {
    by("rolls-text").textContent = by("answer").textContent;
    by("answer").textContent = "";
  }
});
by("voice").addEventListener("submit", async (event) => {
  event.preventDefault();
  by("voice-text").textContent = "";
  if (await tell("voice", voice())) {
    by("voice-text").textContent = by("answer").textContent;
    by("answer").textContent = "";
  }
});
by("plan").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
for (const button of document.querySelectorAll("[data-update]")) {
  button.addEventListener("click", () => tell("updates", { what: button.dataset.update }));
}
for (const form of document.querySelectorAll("form.settings")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useSettings(form);
  });
}
addEventListener("hashchange", () => toStep(location.hash.slice(1)));
addEventListener("resize", () => state && showPicture());

const pictures = new Pictures("/api/v1/setup/picture", (newest) => {
  picture?.close();
  picture = newest;
  if (canvas.width !== newest.width || canvas.height !== newest.height) {
    canvas.width = newest.width;
    canvas.height = newest.height;
  }
  canvas.getContext("2d").drawImage(newest, 0, 0);
  by("no-picture").hidden = true;
  if (held >= 0 && step === "aim" && state) {
    magnify((pulled ?? state.aim.corners)[held]);
  }
});

const radioDice = new RadioDice(tell, words);
const faces = new Faces(tell);
const keys = new Keys(tell, words.keys_none);
watchPresses();
toStep(location.hash.slice(1));
pictures.run();
follow();
