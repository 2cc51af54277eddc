/** What somebody wishes to see on this device: kept in the browser, and worn by every page that draws the board for them. */

const WISHES = "pointsman.view";

/** The wishes of this device. Whether it is read aloud is not kept: browsers speak only once they were touched. */
export function readWishes() {
  const standard = { lying: false, mirrored: false, keys: true, aloud: false, board: "walnut", ground: "auto" };
  try {
    return { ...standard, ...JSON.parse(localStorage.getItem(WISHES) ?? "{}"), aloud: false };
  } catch {
    return standard;
  }
}

export function keepWishes(wishes) {
  try {
    localStorage.setItem(WISHES, JSON.stringify(wishes));
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
}

/** Have the page in the colours that are wished. */
export function wearWishes(wishes) {
  const { dataset } = document.documentElement;
  dataset.board = wishes.board;
  if (wishes.ground === "auto") {
    delete dataset.ground;
  } else {
    dataset.ground = wishes.ground;
  }
}
