/** A phone as the table's camera. */

import { QUALITY } from "./pace.js";
import { AGAIN_MS, Refused, Sender } from "./sender.js";
import { speaker } from "./words.js";

const page = JSON.parse(document.getElementById("page").textContent);
const say = speaker(page.words, page.language);
const by = (id) => document.getElementById(id);
const video = by("video");
const canvas = document.createElement("canvas");
const small = document.createElement("canvas");

/** Where the phone keeps what it shows to the table. */
const KEPT = "pointsman-camera";
/** And how it lay when it became the camera, in degrees: the table knows its board by that. */
const LAY = "pointsman-camera-lay";
/** The whole sensor is asked for up to this size: the table makes larger pictures smaller before it reads them. */
const WISHED = { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } };
/** While something moves, pictures of this width are enough, and come faster. */
const MOVING_WIDTH = 1280;
/** Between two pictures at least: the table looks at fifteen a second. */
const LEAST_MS = 1000 / 15;
/** A picture is not waited for longer than that: with what sending takes, the table still gets eight a second. */
const FRESH_MS = 80;
/** A picture rests when its smallest copy has changed by no more than this on average (of 255) for this long. */
const REST = { width: 64, height: 36, change: 2.5, ms: 400 };
/** After the exposure was changed, the camera gives pictures that are exposed so after this time. */
const EXPOSED_MS = 400;
/** How long a still may take: later, nobody wants it any more. */
const STILL_MS = 8000;
/** Focus, exposure and white balance are fixed after the camera has had this time to find them. */
const SETTLE_MS = 2000;
/** Between two tries to open a camera that another program has. */
const REOPEN_MS = 1000;

let sender = null;
let wanted = null;
let locked = null;
let seen = null;
let before = null;
let movedAt = 0;
let failing = false;
/** The number of the still that the table wants; null where it wants none. A table that starts again counts anew. */
let asked = null;
/** Whether the camera is exposed otherwise than for the pictures that go on: none are sent meanwhile. */
let exposed = false;
const sentAt = [];

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// --- coming in ---------------------------------------------------------------------------------------------

/** Show one part of the page, `entry`, `begin` or `video`, or none of them. */
function show(part) {
  for (const name of ["entry", "begin", "video"]) {
    by(name).hidden = name !== part;
  }
}

async function claim(code) {
  try {
    const answer = await fetch("/api/v1/camera/claim", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
    });
    if (answer.ok) {
      localStorage.setItem(KEPT, (await answer.json()).token);
      localStorage.removeItem(LAY);
      return true;
    }
    by("status").textContent = say(answer.status === 403 ? "wrong_code" : "not_here");
  } catch {
    by("status").textContent = say("lost");
  }
  return false;
}

async function enter() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code) {
    history.replaceState(null, "", location.pathname + location.search);
    if (!(await claim(code))) {
      show("entry");
      return;
    }
  }
  if (!localStorage.getItem(KEPT)) {
    show("entry");
  } else if (await mayLook()) {
    await begin();
  } else {
    show("begin");
  }
}

/** Whether the browser gives the camera without asking, as after a page was lost and came back. */
async function mayLook() {
  try {
    return (await navigator.permissions.query({ name: "camera" })).state === "granted";
  } catch {
    return false;
  }
}

// --- the camera --------------------------------------------------------------------------------------------

async function begin() {
  by("status").textContent = say("starting");
  if (!navigator.mediaDevices) {
    by("status").textContent = say("needs_https");
    return;
  }
  // Opening takes a while, and is begun once.
  show("");
  try {
    await openCamera();
  } catch {
    show("begin");
    by("status").textContent = say("no_camera");
    return;
  }
  show("video");
  sender = new Sender({ token: localStorage.getItem(KEPT), language: page.language }, tellStatus);
  stayAwake();
  watchBattery();
  tellStill();
  lie();
  await follow();
}

async function openCamera() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, ...WISHED } });
  const [track] = stream.getVideoTracks();
  track.onended = openAgain;
  video.srcObject = stream;
  locked = null;
  await video.play();
}

/** Another program took the camera, or the page slept: it is opened as soon as it can be, and nobody has to press anything. */
async function openAgain() {
  for (let opened = false; !opened && video.srcObject;) {
    await pause(REOPEN_MS);
    try {
      await openCamera();
      opened = true;
    } catch (error) {
      if (error.name === "NotAllowedError") {
        // Asked again by itself, the browser might ask the person again and again.
        leave("begin", "no_camera");
        return;
      }
    }
  }
}

/** Whether the camera gives pictures: without it the last one would be sent for ever, as if nothing moved on the board. */
function films() {
  const [track] = video.srcObject?.getVideoTracks() ?? [];
  return track?.readyState === "live" && !track.muted;
}

/** Hold what the camera has found by itself, or let it follow again; phones that cannot do one of them do the others. */
async function lock(fix) {
  const [track] = video.srcObject.getVideoTracks();
  const can = track.getCapabilities?.() ?? {};
  const now = track.getSettings();
  for (const [mode, value] of [["focusMode", "focusDistance"], ["exposureMode", "exposureTime"], ["whiteBalanceMode", "colorTemperature"]]) {
    const way = fix ? "manual" : "continuous";
    if (can[mode]?.includes(way)) {
      const held = fix && now[value] !== undefined ? { [value]: now[value] } : {};
      try {
        await track.applyConstraints({ advanced: [{ [mode]: way, ...held }] });
      } catch {
        // The camera goes on by itself.
      }
    }
  }
}

const angleNow = () => screen.orientation?.angle ?? 0;

/** Keep the page as the phone lies now, where the browser lets a page do so; most do only if it fills the screen. */
function lie() {
  if (localStorage.getItem(LAY) === null) {
    localStorage.setItem(LAY, String(angleNow()));
  }
  screen.orientation?.lock?.(screen.orientation.type).catch(() => {});
}

/** By how many degrees the page has turned since, clockwise. A phone that looks straight down cannot tell where up is. */
function turned() {
  return (angleNow() - Number(localStorage.getItem(LAY)) + 360) % 360;
}

async function stayAwake() {
  try {
    const held = await navigator.wakeLock.request("screen");
    by("awake").textContent = "";
    held.onrelease = () => document.hidden || stayAwake();
  } catch {
    by("awake").textContent = say("may_sleep");
  }
}

async function watchBattery() {
  const battery = await navigator.getBattery?.();
  const tell = () => {
    sender?.tell({ battery: battery.level, charging: battery.charging });
    const percent = Math.round(100 * battery.level);
    by("battery").textContent = say(battery.charging || percent > 20 ? "battery" : "plug_in", { percent });
  };
  if (battery) {
    battery.onlevelchange = battery.onchargingchange = tell;
    tell();
  }
}

// --- pictures ----------------------------------------------------------------------------------------------

/** Whether nothing moves in the picture. */
function rests() {
  const { width, height } = REST;
  [small.width, small.height] = [width, height];
  const drawing = small.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(video, 0, 0, width, height);
  const now = drawing.getImageData(0, 0, width, height).data;
  const change = before ? now.reduce((sum, value, at) => sum + Math.abs(value - before[at]), 0) / (0.75 * now.length) : Infinity;
  before = now;
  if (change > REST.change) {
    movedAt = performance.now();
  }
  return performance.now() - movedAt >= REST.ms;
}

/** Width and height of what the camera gives, as the phone lay when it became the camera. */
function sizeGiven() {
  const given = [video.videoWidth, video.videoHeight];
  return turned() % 180 ? given.reverse() : given;
}

/** The size of the next picture: what the table wants, or the whole sensor; less while something moves. */
function sizeNow(still) {
  const given = sizeGiven();
  const [width, height] = wanted ?? given;
  const scale = Math.min(1, (wanted === null || still ? Infinity : MOVING_WIDTH) / width, given[0] / width);
  return [Math.round(width * scale), Math.round(height * scale)];
}

function picture() {
  const size = sizeNow(rests());
  return drawn(canvas, size, sender.pace.quality(wanted !== null && size[0] < wanted[0]));
}

/** What the camera shows now, as a JPEG of this size. */
function drawn(canvas, [width, height], quality = QUALITY.usual) {
  [canvas.width, canvas.height] = [width, height];
  // What the table wants may be of another shape: the middle is sent then, and nothing is drawn out of shape.
  const given = sizeGiven();
  const scale = Math.max(width / given[0], height / given[1]);
  const drawing = canvas.getContext("2d", { alpha: false });
  drawing.imageSmoothingQuality = "high";
  drawing.translate(width / 2, height / 2);
  drawing.rotate((turned() * Math.PI) / 180);
  drawing.scale(scale, scale);
  drawing.drawImage(video, -video.videoWidth / 2, -video.videoHeight / 2);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
}

// --- stills ----------------------------------------------------------------------------------------

/** The phone's photographs, where its browser takes some: they have more pixels than what it films. */
function photographer() {
  return typeof ImageCapture === "function" ? new ImageCapture(video.srcObject.getVideoTracks()[0]) : null;
}

/** Tell how large a picture the table may ask for. */
async function tellStill() {
  try {
    const can = await photographer().getPhotoCapabilities();
    sender.tell({ still: [can.imageWidth.max, can.imageHeight.max] });
  } catch {
    sender?.tell({ still: sizeGiven() });
  }
}

/** Take the still that the table asks for, and send it as long as the table wants it; what the phone cannot do is answered, too. */
async function takeStill({ number, stops }) {
  const lateAt = performance.now() + STILL_MS;
  let jpeg = null;
  try {
    // Over a slow line the pictures would not come meanwhile.
    jpeg = sender.pace.slow ? null : stops ? await exposedBy(stops) : await photograph();
  } catch {
    // The table does without.
  }
  // Nobody else has it: over a line that was cut, it goes as soon as the line is back.
  while (asked === number && performance.now() < lateAt) {
    try {
      await sender.sendStill(number, jpeg, lateAt - performance.now());
      return;
    } catch {
      await pause(AGAIN_MS);
    }
  }
}

/** A photograph, or all of what the phone films. */
async function photograph() {
  try {
    const taker = photographer();
    const can = await taker.getPhotoCapabilities();
    const dark = can.fillLightMode?.includes("off") ? { fillLightMode: "off" } : {};
    return await taker.takePhoto({ imageWidth: can.imageWidth.max, imageHeight: can.imageHeight.max, ...dark });
  } catch {
    return drawn(document.createElement("canvas"), sizeGiven());
  }
}

/** What the phone films with so many times as much light, in doublings; null where it cannot be told how to expose. */
async function exposedBy(stops) {
  const [track] = video.srcObject.getVideoTracks();
  const can = track.getCapabilities?.() ?? {};
  const now = track.getSettings();
  const name = now.exposureMode === "manual" && can.exposureTime ? "exposureTime" : "exposureCompensation";
  if (!can[name] || now[name] === undefined) {
    return null;
  }
  const wish = name === "exposureTime" ? now[name] * 2 ** stops : now[name] + stops;
  const value = Math.min(Math.max(wish, can[name].min), can[name].max);
  exposed = true;
  try {
    await track.applyConstraints({ advanced: [{ exposureMode: now.exposureMode, [name]: value }] });
    await pause(EXPOSED_MS);
    return await drawn(document.createElement("canvas"), sizeGiven());
  } finally {
    try {
      await track.applyConstraints({ advanced: [{ exposureMode: now.exposureMode, [name]: now[name] }] });
    } catch {
      locked = null; // it is fixed anew
    }
    await pause(EXPOSED_MS);
    exposed = false;
  }
}

/** A new picture of the camera; or some time, where the browser draws less often than the camera sees, as on a busy machine. */
function fresh() {
  return Promise.race([
    new Promise((done) => (video.requestVideoFrameCallback ?? requestAnimationFrame).call(video.requestVideoFrameCallback ? video : window, done)),
    pause(FRESH_MS),
  ]);
}

async function follow() {
  const openedAt = performance.now();
  const mine = sender;
  for (;;) {
    const began = performance.now();
    await fresh();
    if (sender !== mine) {
      return;
    }
    if (!films()) {
      tellStatus();
      await pause(AGAIN_MS);
      continue;
    }
    const jpeg = video.videoWidth && !exposed ? await picture() : null;
    if (jpeg && !exposed && films()) {
      try {
        hear(await mine.send(jpeg));
      } catch (error) {
        if (error instanceof Refused) {
          localStorage.removeItem(KEPT);
          leave("entry", "other_phone");
          return;
        }
        failing = true;
        tellStatus();
        // Who has waited in vain for an answer has waited long enough: the line may be back.
        await pause(Math.max(0, AGAIN_MS - (performance.now() - began)));
      }
    }
    if (seen && performance.now() - openedAt > SETTLE_MS && locked !== seen.lock) {
      locked = seen.lock;
      await lock(locked);
    }
    await pause(Math.max(0, LEAST_MS - (performance.now() - began)));
  }
}

/** Be the camera no more; show this part of the page, and why. */
function leave(part, why) {
  video.srcObject?.getTracks().forEach((track) => {
    track.onended = null;
    track.stop();
  });
  video.srcObject = null;
  sender = asked = null;
  show(part);
  by("lines").replaceChildren();
  by("rate").textContent = by("link").textContent = "";
  by("status").textContent = say(why);
}

function hear(told) {
  failing = false;
  seen = told;
  wanted = told.size;
  const known = asked;
  asked = told.still?.number ?? null;
  if (asked !== null && asked !== known) {
    takeStill(told.still);
  }
  sentAt.push(performance.now());
  tellStatus();
}

function tellStatus() {
  const since = performance.now() - 3000;
  while (sentAt[0] < since) {
    sentAt.shift();
  }
  const used = seen?.seen?.used;
  const idle = failing || !films();
  put("status", say(!films() ? "starting" : failing ? "lost" : used ? "used" : seen ? "sending" : "starting"));
  put("link", !idle && sender?.pace.slow ? say("slow") : "");
  put("rate", idle ? "" : say("rate", { rate: Math.round(sentAt.length / 3), size: `${canvas.width}×${canvas.height}` }));
  const lines = idle ? [] : seen?.seen?.lines ?? [];
  if (by("lines").dataset.told !== JSON.stringify(lines)) {
    by("lines").dataset.told = JSON.stringify(lines);
    by("lines").replaceChildren(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  }
}

/** Set a text, if it is another one: what is read aloud is not to be read again. */
function put(id, text) {
  if (by(id).textContent !== text) {
    by(id).textContent = text;
  }
}

by("entry").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = by("entry").querySelector("button");
  // A code counts once: sent again before the answer, it would be called wrong.
  button.disabled = true;
  const admitted = await claim(by("code").value);
  button.disabled = false;
  if (admitted) {
    by("status").textContent = "";
    await enter();
  }
});
by("start").addEventListener("click", async () => {
  show("");
  try {
    await document.documentElement.requestFullscreen();
  } catch {
    // It is a camera all the same.
  }
  await begin();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && sender) {
    stayAwake();
    video.play().catch(() => {});
  }
});
enter();
