import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { projectOf } from "../../../support/project-of.ts";

const FILES = {
  "src/server.ts": `import { page } from "./pages/index.js";\nimport * as store from "./store.ts";\napp.get("/a", (req, res) => res.send(page() + store.read()));\n`,
  "src/pages/index.ts": `export { render as page } from "./page.ts";\n`,
  "src/pages/page.ts": `import { readFileSync } from "node:fs";\nconst load = () => readFileSync("a");\nexport const render = () => load();\n`,
  "src/store.ts": `import { readFileSync } from "node:fs";\nexport class Store { read() { return this.one(); } one() { return readFileSync("a"); } }\nexport function read() { return readFileSync("b"); }\n`,
};

test("a call on the way of requests is told by its handler, through imports, re-exports and namespaces", async () => {
  const { findings } = reviewPerformance(await projectOf(FILES));
  expect(
    findings.map(({ path, line, message }) => [path, line, message.includes("GET /a at src/server.ts:3")]),
  ).toEqual([
    ["src/pages/page.ts", 2, true],
    ["src/store.ts", 3, true],
  ]);
});

test("methods of the same object are followed", async () => {
  const text = `import { readFileSync } from "node:fs";\nclass A { show = (req, res) => this.page(); page() { return readFileSync("a"); } }\n`;
  const { findings } = reviewPerformance(await projectOf({ "src/a.ts": text }));
  expect(findings.map(({ severity, line }) => [severity, line])).toEqual([["high", 2]]);
});

test("each file on the way of requests is one hint", async () => {
  const { hints } = reviewPerformance(await projectOf(FILES));
  expect(hints.map(({ topic, path, line, text }) => [topic, path, line, text])).toEqual([
    ["hot_path", "src/server.ts", 3, "serves requests (GET /a)"],
    ["hot_path", "src/pages/page.ts", 3, "runs for every request (GET /a at src/server.ts:3)"],
    ["hot_path", "src/store.ts", 3, "runs for every request (GET /a at src/server.ts:3)"],
  ]);
});
