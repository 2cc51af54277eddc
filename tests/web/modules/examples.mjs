/** The example states that the tests of both languages read. */

import { readFileSync, readdirSync } from "node:fs";

const FOLDER = new URL("../examples/", import.meta.url);

/** The message with the state of that name. */
export function example(name) {
  return JSON.parse(readFileSync(new URL(`state_${name}.json`, FOLDER), "utf-8"));
}

/** The names of all example states. */
export function names() {
  return readdirSync(FOLDER).map((file) => /^state_(.+)\.json$/.exec(file)?.[1]).filter(Boolean).sort();
}

/** All elements in a tree, itself too. */
export function* every(tree) {
  if (typeof tree === "object") {
    yield tree;
    for (const child of tree.children) {
      yield* every(child);
    }
  }
}

/** The elements in a tree that have a class. */
export function withClass(tree, name) {
  return [...every(tree)].filter(({ attributes }) => String(attributes.class ?? "").split(" ").includes(name));
}
