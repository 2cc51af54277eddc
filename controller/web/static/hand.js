/** A hand at a drawn board: it drags checkers with mouse, pen or finger, and goes from place to place by keys. */

const SVG = "http://www.w3.org/2000/svg";
/** So far a pointer goes before a press is no tap any more, px: a finger rolls a little, a mouse does not. */
const STILL = { mouse: 4, pen: 8, touch: 10 };
/** So far beside a place a checker may be let go of, px. */
const NEAR = 60;
/** How much larger than it lies a checker is in the hand: a finger covers most of it. */
const LARGER = { mouse: 1.1, pen: 1.1, touch: 1.6 };
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** A place straight on is nearer than one to the side. */
const ASIDE = 3;

/**
 * What is in the hand.
 * @typedef {Object} Held
 * @property {number} pointer
 * @property {SVGSVGElement} board
 * @property {number} from a place, as the rim counts
 * @property {string} pile the key of the checkers that it is taken from
 * @property {number} x
 * @property {number} y
 * @property {SVGSVGElement|null} checker the one that follows the pointer, once it has gone far enough
 */

/** @type {Held|null} */
let held = null;
/** Whether the click that follows belongs to a checker that was carried. */
let carried = false;

/**
 * What a place of a board listens to.
 * @param {{tap: (place: number, side: string|null) => void, carry?: ((from: number, to: number, side: string) => void)|null}} view
 * @param {number} place as the rim counts
 * @param {string|null} side whose checkers lie there and may be moved
 * @returns {Object<string, (event: any) => void>}
 */
export function listeners(view, place, side) {
  return {
    click: () => {
      if (!carried) {
        view.tap(place, side);
      }
      carried = false;
    },
    pointerdown: (event) => {
      carried = false;
      if (view.carry && side && !held && event.button === 0) {
        touch(event, place);
      }
    },
    pointermove: (event) => event.pointerId === held?.pointer && follow(event),
    // The page does not scroll while a checker is held. The style sheet cannot say so: within drawings it is not heeded.
    touchmove: (event) => held && event.cancelable && event.preventDefault(),
    pointerup: (event) => {
      if (event.pointerId === held?.pointer) {
        const [from, to] = [held.from, held.checker && placeAt(held.board, event.clientX, event.clientY)];
        carried = Boolean(held.checker);
        letGo();
        if (to !== null && to !== from) {
          view.carry?.(from, to, side ?? "");
        }
      }
    },
    pointercancel: (event) => event.pointerId === held?.pointer && letGo(),
    keydown: (event) => press(event, () => view.tap(place, side)),
    focus: (event) => makeStop(event.currentTarget),
  };
}

function touch(event, place) {
  const area = event.currentTarget;
  area.setPointerCapture(event.pointerId);
  // The document is told, too, where the board has gone meanwhile.
  document.addEventListener("lostpointercapture", letGo, { once: true });
  held = { pointer: event.pointerId, board: area.ownerSVGElement, from: place, pile: area.dataset.pile, x: event.clientX, y: event.clientY, checker: null };
}

function follow(event) {
  const kind = event.pointerType in STILL ? event.pointerType : "mouse";
  if (!held.checker && Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL[kind]) {
    lift(LARGER[kind]);
  }
  if (held.checker) {
    held.checker.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    const to = placeAt(held.board, event.clientX, event.clientY);
    areasOf(held.board).forEach((area) => area.classList.toggle("over", Number(area.dataset.place) === to && to !== held.from));
  }
}

/** Take the uppermost checker of the pile: it follows the pointer, and is gone from where it lay. */
function lift(larger) {
  const top = [...held.board.querySelectorAll(`.checker[data-pile="${held.pile}"]`)].at(-1);
  if (!top) {
    letGo();
    return;
  }
  const size = top.getBoundingClientRect().width * larger;
  const copy = top.cloneNode(true);
  copy.removeAttribute("transform");
  const checker = document.createElementNS(SVG, "svg");
  checker.setAttribute("class", "board in-hand");
  checker.setAttribute("viewBox", "-48 -48 96 96");
  checker.setAttribute("aria-hidden", "true");
  checker.style.width = checker.style.height = `${size}px`;
  checker.append(copy);
  document.body.append(checker);
  top.classList.add("lifted");
  held.checker = checker;
}

function letGo() {
  held?.checker?.remove();
  held?.board.querySelectorAll(".lifted").forEach((each) => each.classList.remove("lifted"));
  if (held) {
    areasOf(held.board).forEach((area) => area.classList.remove("over"));
  }
  held = null;
}

function areasOf(board) {
  return [...board.querySelectorAll("[data-place]")];
}

/** The place under a spot of the window, or the nearest one; null where none is near. */
function placeAt(board, x, y) {
  let [best, least] = [null, NEAR];
  for (const area of areasOf(board)) {
    const box = area.getBoundingClientRect();
    const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (away < least) {
      [best, least] = [Number(area.dataset.place), away];
    }
  }
  return best;
}

function press(event, tap) {
  const way = WAYS[event.key];
  if (event.ctrlKey || event.altKey || event.metaKey || !(way || event.key === "Enter" || event.key === " ")) {
    return;
  }
  event.preventDefault();
  // The keys of the page have other meanings beside the board.
  event.stopPropagation();
  if (way) {
    nextArea(event.currentTarget, way)?.focus();
  } else {
    tap();
  }
}

function nextArea(area, [dx, dy]) {
  const middle = (each) => {
    const box = each.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(area);
  const ahead = areasOf(area.ownerSVGElement).map((each) => {
    const [across, down] = [middle(each)[0] - x, middle(each)[1] - y];
    const on = across * dx + down * dy;
    return { each, on, far: on + ASIDE * Math.abs(across * dy + down * dx) };
  }).filter(({ each, on }) => each !== area && on > 1);
  return ahead.sort((one, two) => one.far - two.far)[0]?.each;
}

/** Whoever comes back by the tab key comes back to this place. */
function makeStop(area) {
  areasOf(area.ownerSVGElement).forEach((each) => each.setAttribute("tabindex", each === area ? "0" : "-1"));
}
