/** The modules as the hub serves them: those of the hall lie in a folder among those of a table's pages. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const CONTROLLER = fileURLToPath(new URL("../../../controller/", import.meta.url));

/** Where a module lies for as long as the tests run. @param {string} path below `/static` */
export function served(path) {
  const folder = mkdtempSync(join(tmpdir(), "pointsman-served-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  cpSync(join(CONTROLLER, "web", "static"), folder, { recursive: true });
  cpSync(join(CONTROLLER, "hub", "static"), join(folder, "hub"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  return pathToFileURL(join(folder, path)).href;
}
