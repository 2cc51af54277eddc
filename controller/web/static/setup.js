/** The set-up page: camera, aim, checkers, lights and dice, players. */

import { ANSWER_MS, timeLimit } from "./line.js";
import { Corners } from "./setup/corners.js";
import { RadioDice } from "./setup/dice.js";
import { Faces } from "./setup/faces.js";
import { fillField, nameButton, watchPresses } from "./setup/fields.js";
import { Keys } from "./setup/keys.js";
import { PlanForm } from "./setup/plan.js";
import { fillSettings, settingsOf } from "./setup/settings.js";
import { Pictures, ask, drawn, figureOf, filled, polygon, ringOf } from "./sight.js";
import { Underway } from "./underway.js";

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.words;
const STEPS = ["camera", "aim", "checkers", "devices", "players"];
/** The place on the page, below one of the steps, that a director comes back to after an update. */
const UPDATES = "updates";

const by = (id) => document.getElementById(id);
const main = by("main");
const canvas = by("canvas");
const overlay = by("overlay");

let state = null;
let step = "camera";
let seen = null;
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
  planForm.fill(state);
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
  by("no-picture").hidden = Boolean(about && corners.picture);
  overlay.replaceChildren();
  if (!about) {
    corners.show(null);
    return;
  }
  by("picture").style.setProperty("--shape", String(about.width / about.height));
  overlay.setAttribute("viewBox", `0 0 ${about.width} ${about.height}`);
  if (step === "aim") {
    drawAim(about);
  } else {
    corners.show(null);
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
  const spots = corners.pulled ?? state.aim.corners;
  const known = corners.pulled !== null || state.aim.placed || state.aim.search.state === "failed";
  if (!spots || !known || state.aim.search.state === "running") {
    corners.show(null);
    return;
  }
  const guess = state.aim.search.state !== "found" || corners.pulled !== null;
  overlay.append(
    drawn("polygon", { class: "outline-under", points: polygon(spots), "stroke-width": 5 * px }),
    drawn("polygon", { class: guess ? "outline guess" : "outline", points: polygon(spots), "stroke-width": 2.5 * px }),
  );
  corners.show(spots, state.aim.picture);
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

// --- buttons -----------------------------------------------------------------------------------------------

/** The main button and the one beside it: text, whether they can be pressed, what they do. */
function choices() {
  const search = state.aim.search.state;
  const home = by("home").value === "auto" ? null : by("home").value;
  const look = (spots) => async () => {
    const before = corners.pulled;
    if (await tell("find", { corners: spots, light_home: home }) && corners.pulled === before) {
      corners.pulled = null;
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
      if (corners.pulled) {
        return {
          main: [words.find_here, true, look(corners.pulled)],
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
  const plan = planForm.plan();
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

// --- beginning ---------------------------------------------------------------------------------------------

by("camera").addEventListener("change", (event) => tell("camera", { key: event.target.value }));
by("port").addEventListener("change", (event) => tell("port", { key: event.target.value }));
by("home").addEventListener("change", (event) => {
  const search = state.aim.search.state;
  if (search === "found" || search === "failed") {
    const home = event.target.value === "auto" ? null : event.target.value;
    tell("find", { corners: corners.pulled, light_home: home });
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

const corners = new Corners({
  label: (point) => filled(words.corner, { point }),
  pulled: showPicture,
  released: () => {
    showPicture();
    showButtons();
  },
});
const pictures = new Pictures("/api/v1/setup/picture", (newest) => {
  corners.picture?.close();
  corners.picture = newest;
  if (canvas.width !== newest.width || canvas.height !== newest.height) {
    canvas.width = newest.width;
    canvas.height = newest.height;
  }
  canvas.getContext("2d").drawImage(newest, 0, 0);
  by("no-picture").hidden = true;
  corners.magnify();
});

const radioDice = new RadioDice(tell, words);
const faces = new Faces(tell);
const keys = new Keys(tell, words.keys_none);
const planForm = new PlanForm(words, askTableCode);
watchPresses();
toStep(location.hash.slice(1));
pictures.run();
follow();
