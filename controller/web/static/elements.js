/** Elements as plain values, and the function that makes a document show them without drawing anew what is the same. */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set([
  "svg", "g", "circle", "rect", "line", "path", "polygon", "text", "title", "desc", "defs", "pattern", "marker",
]);

/**
 * @typedef {{tag: string, attributes: Object<string, any>, children: Array<Tree|string>}} Tree
 * `attributes.key` tells brothers apart; `attributes.on` holds listeners by the name of their event.
 */

/** What a node of the document shows now. @type {WeakMap<Node, Tree>} */
const shown = new WeakMap();

/**
 * An element with its children; null, undefined and false among them are left out.
 * @param {string} tag
 * @param {Object<string, any>|null} attributes
 * @returns {Tree}
 */
export function element(tag, attributes, ...children) {
  return {
    tag,
    attributes: attributes ?? {},
    children: children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (typeof child === "object" ? child : PROSE.has(tag) ? unbroken(String(child)) : String(child))),
  };
}

/** What holds sentences. */
const PROSE = new Set(["p", "li", "span", "h1", "h2", "h3", "h4", "td", "dd"]);
/** A roll, a score or a move, with what stands right beside it: browsers end a line after a hyphen, and after some strokes. */
const WHOLE = /(\S{0,8}(?:\d[-–]\d|\w\/\w)\S{0,8})(?=\s|$)/;

/** A sentence in which no roll, score or move is broken over two lines, however large the letters are. */
function unbroken(text) {
  const parts = text.split(WHOLE);
  if (parts.length === 1) {
    return text;
  }
  // One element altogether, so that a row of elements does not set its words apart.
  return { tag: "span", attributes: {}, children: parts.map((part, at) => (at % 2 ? { tag: "span", attributes: { class: "whole" }, children: [part] } : part)).filter((part) => part !== "") };
}

/**
 * Make the children of a node show these trees; nodes whose key and tag fit are kept, so focus and motion live on.
 * @param {Element} parent
 * @param {Array<Tree|string|null|false>} trees
 */
export function sync(parent, trees) {
  const kept = new Map();
  for (const child of parent.childNodes) {
    kept.set(keyOfNode(child, kept), child);
  }
  let place = parent.firstChild;
  const used = new Map();
  for (const tree of trees) {
    if (tree === null || tree === undefined || tree === false) {
      continue;
    }
    const key = uniqueKey(keyOfTree(tree), used);
    used.set(key, true);
    let node = kept.get(key);
    kept.delete(key);
    if (!node) {
      node = make(tree, parent);
    }
    if (node === place) {
      place = place.nextSibling;
    } else {
      parent.insertBefore(node, place);
    }
    fill(node, tree);
  }
  for (const left of kept.values()) {
    left.remove();
  }
}

/** The text of a tree and of everything in it. @param {Tree|string} tree @returns {string} */
export function textOf(tree) {
  return typeof tree === "string" ? tree : tree.children.map(textOf).join("");
}

function keyOfTree(tree) {
  return typeof tree === "string" ? "#text" : `${tree.tag}:${tree.attributes.key ?? ""}`;
}

function keyOfNode(node, taken) {
  const tree = shown.get(node);
  const key = tree ? keyOfTree(tree) : node.nodeType === 3 ? "#text" : `unknown:${taken.size}`;
  return uniqueKey(key, taken);
}

function uniqueKey(key, taken) {
  let number = 0;
  while (taken.has(`${key}|${number}`)) {
    number += 1;
  }
  return `${key}|${number}`;
}

function make(tree, parent) {
  if (typeof tree === "string") {
    return document.createTextNode(tree);
  }
  const drawing = SVG_TAGS.has(tree.tag) && (tree.tag === "svg" || parent.namespaceURI === SVG);
  return drawing ? document.createElementNS(SVG, tree.tag) : document.createElement(tree.tag);
}

function fill(node, tree) {
  if (typeof tree === "string") {
    if (node.data !== tree) {
      node.data = tree;
    }
    return;
  }
  const before = shown.get(node)?.attributes ?? {};
  for (const name of Object.keys(before)) {
    if (!(name in tree.attributes)) {
      setAttribute(node, name, null, before);
    }
  }
  for (const [name, value] of Object.entries(tree.attributes)) {
    setAttribute(node, name, value, before);
  }
  shown.set(node, tree);
  sync(node, tree.children);
}

function setAttribute(node, name, value, before) {
  if (name === "key") {
    return;
  }
  if (name === "on") {
    listen(node, Object.keys(value ?? {}));
  } else if (name === "value" || name === "checked" || name === "selected") {
    if (value !== before[name]) {
      node[name] = value ?? "";
    }
  } else if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
  } else if (before[name] !== value) {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** One listener for each event of a node; it asks the tree shown last, so that listeners may change. */
function listen(node, names) {
  node.heard ??= new Set();
  for (const name of names.filter((each) => !node.heard.has(each))) {
    node.heard.add(name);
    node.addEventListener(name, (event) => shown.get(node)?.attributes.on?.[name]?.(event));
  }
}
