/** The page for streams: the strip of one table of the hall, `?table=` names it. */

import { pageData } from "../page.js";
import { StreamStrip } from "../strip.js";
import { speaker } from "../words.js";
import { Hall, numberOf, titleOf } from "./hall.js";

const data = pageData();
const wanted = new URLSearchParams(location.search);
const chosen = wanted.get("table") ?? "";
const say = speaker(data.words, data.language);
const strip = new StreamStrip(say, wanted, () => trouble());
let last = null;

const hall = new Hall({ language: data.language, asViewer: true, hear: (names) => draw(names), hearTime: () => { strip.offset = hall.offset; } });

/** The table of this name, or of this number. */
function found() {
  return hall.tables.get(chosen) ?? hall.inOrder().find((table) => String(numberOf(table)) === chosen) ?? null;
}

/** Why the strip may show what is no longer so. */
function trouble() {
  const table = found();
  return hall.isSilent() ? say("not_connected") : table && !table.up ? `${titleOf(table)}: ${say("away")}` : null;
}

function draw(names) {
  const table = found();
  if (!table || names && !names.has(table.name)) {
    return;
  }
  const state = table.screen ?? {};
  const play = state.plays?.[0] ?? null;
  const isNew = play && last && (play.game !== last.game || play.ply !== last.ply);
  if (isNew) {
    strip.tell(play);
  }
  last = play;
  strip.show(state, isNew && play.legal !== false ? play.steps ?? [] : []);
}

hall.open();
document.addEventListener("visibilitychange", () => document.hidden || hall.open());
