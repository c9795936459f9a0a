import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { saidAbout } from "../../../support/review-of.ts";

const fs = `import { readFileSync as read, existsSync } from "node:fs"; `;
const cp = `import { execSync } from "node:child_process"; `;

test.each([
  [`${fs}app.get("/", (req, res) => res.send(read("a")));`, "high blocking-call 1"],
  [`${fs}app.get("/", (req, res) => res.send(existsSync("a")));`, "medium blocking-call 1"],
  [`${fs}app.get("/", (req, res) => res.send(page())); function page() { return read("a"); }`, "high blocking-call 1"],
  [
    `import crypto from "crypto"; router.post("/login", async (req) => crypto.pbkdf2Sync(a, b, 1, 2, c));`,
    "high blocking-call 1",
  ],
  [`const zlib = require("zlib"); http.createServer((req, res) => res.end(zlib.gzipSync(a)));`, "high blocking-call 1"],
  [`${fs}export async function load() { return read("a"); }`, "low blocking-call 1"],
  [`${cp}export async function load() { return execSync("git status"); }`, "medium blocking-call 1"],
  [`${fs}export async function load(all) { for (const a of all) read(a); }`, "medium blocking-call 1"],
  [`${fs}export function load(all) { for (const a of all) read(a); }`, "low blocking-call 1"],
  [`export async function f() { Atomics.wait(a, 0, 0); }`, "medium blocking-call 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([expected]);
});

test.each([
  `${fs}const config = read("a");`,
  `${fs}export function load() { return read("a"); }`,
  `import { readFile } from "node:fs/promises"; app.get("/", async (req, res) => res.send(await readFile("a")));`,
  `app.get("/", (req, res) => store.readFileSync("a"));`,
  `const readFileSync = (a) => a; app.get("/", (req, res) => readFileSync("a"));`,
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([]);
});

test("a command line tool may block, but for a program per element", async () => {
  const text = `${fs}${cp}\nasync function main() { read("a"); }\nfor (const a of all) execSync(a);`;
  expect(await saidAbout(reviewPerformance, text, "scripts/build.ts")).toEqual(["low blocking-call 3"]);
});
