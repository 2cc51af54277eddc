// Lays the pictures before and after a turn over each other, with a slider between them.
"use strict";
for (const pair of document.querySelectorAll(".pair")) {
  const [before, after] = [".before .photo", ".after .photo"].map((name) => pair.querySelector(name));
  if (!before || !after) continue;
  const stage = document.createElement("div"), slider = document.createElement("input"), swap = document.createElement("button");
  stage.className = "stage";
  stage.append(before.cloneNode(true), after.cloneNode(true));
  const above = stage.lastElementChild;
  Object.assign(slider, { type: "range", min: "0", max: "100", value: "0" });
  slider.setAttribute("aria-label", pair.dataset.slide);
  Object.assign(swap, { type: "button", textContent: pair.dataset.swap });
  const show = () => { above.style.opacity = String(slider.value / 100); };
  slider.addEventListener("input", show);
  swap.addEventListener("click", () => { slider.value = slider.value > 50 ? "0" : "100"; show(); });
  show();
  const compare = document.createElement("div"), controls = document.createElement("p");
  compare.className = "compare";
  controls.append(slider, swap);
  compare.append(stage, controls);
  pair.before(compare);
}
