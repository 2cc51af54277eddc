/** The page for spectators: the table without any control, in the size that they choose. */

import { element } from "./elements.js";
import { pageData } from "./page.js";
import { TablePage } from "./table.js";
import { speaker } from "./words.js";

const SIZES = ["fit", "hall", "overlay"];
const chosen = new URLSearchParams(location.search).get("size");
/** From here on a screen is taken for one on a wall. */
const HALL = "(min-width: 1920px)";
const hall = window.matchMedia(HALL);

function isFar() {
  return chosen === "hall" || (chosen !== "fit" && hall.matches);
}

const data = pageData();
const say = speaker(data.words, data.language);
const places = { fit: "/watch?size=fit", hall: "/watch?size=hall", overlay: "/overlay" };
const page = new TablePage({ controls: false, far: isFar(), links: sizes });

function sizes() {
  return element("nav", { key: "sizes", class: "sizes", "aria-label": say("sizes") },
    element("span", { key: "head" }, say("sizes")),
    SIZES.map((size) => element("a", { key: size, href: places[size], "aria-current": size === chosen ? "page" : null }, say(`size.${size}`))));
}

function show() {
  page.far = isFar();
  document.body.dataset.size = page.far ? "far" : "fit";
  page.draw();
}

page.start();
show();
hall.addEventListener("change", show);
