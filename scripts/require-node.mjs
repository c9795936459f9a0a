// Stops with one sentence when the scripts would run on a Node that is too old, or not on the pinned one.
// Plain JavaScript of 2019 without dependencies, so that every Node from 12.17 on can say it.
import { existsSync, readFileSync } from "fs";
import { dirname, join } from "path";
import { fileURLToPath } from "url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The lowest Node that package.json allows, as [major, minor]. */
function floor() {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return engines.node.replace(">=", "").split(".").map(Number);
}

/** What is wrong with this Node and how to repair it, or null. */
function problem() {
  if (!existsSync(join(root, "node_modules"))) return "The dependencies are missing; run: npm ci";
  // `npm ci --ignore-scripts` leaves it out, and then every script would silently run on the system's Node.
  if (!existsSync(join(root, "node_modules", ".bin", "node"))) {
    return "The pinned Node is missing (node_modules/.bin/node); run: npm rebuild node --ignore-scripts=false";
  }
  const [major, minor] = floor();
  const [runningMajor, runningMinor] = process.versions.node.split(".").map(Number);
  if (runningMajor > major || (runningMajor === major && runningMinor >= minor)) return null;
  const running = process.versions.node;
  return `Teamchart needs Node ${major}.${minor} or newer and this is ${running}; use the npm scripts, which bring their own.`;
}

const found = problem();
if (found !== null) {
  console.error(found);
  process.exitCode = 2;
}
