import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { budgetKiB, pageFaults, type PageFile } from "../../scripts/check-page/page-faults.ts";

const worker = Buffer.from("the worker");
const file = (path: string, bytes: string | Uint8Array): PageFile => ({ path, bytes: Buffer.from(bytes) });
const html = `<!doctype html><script type="module" src="./assets/a.js"></script><link rel="stylesheet" href="./assets/a.css">`;
const good = [
  file("index.html", html),
  file("assets/a.js", "run()"),
  file("assets/a.css", "p {}"),
  file("assets/elk-worker.min-x.js", worker),
  file("third-party-licenses.txt", "MIT"),
];
const withFile = (path: string, bytes: string | Uint8Array) => [
  ...good.filter((each) => each.path !== path),
  file(path, bytes),
];

test("a page within its budget, all of whose parts are files of its own, has no fault", () => {
  expect(pageFaults(good, worker)).toEqual([]);
});

test.each([
  [
    "a script over its budget",
    withFile("assets/a.js", randomBytes(budgetKiB.script * 1024 + 1024)),
    /^script: 21\d\.\d KiB packed, of at most 210$/,
  ],
  ["a style over its budget", withFile("assets/a.css", randomBytes(budgetKiB.style * 1024 + 1024)), /^style: /],
  ["a changed worker", withFile("assets/elk-worker.min-x.js", "another"), /worker of elkjs/],
  ["missing licences", good.filter(({ path }) => path !== "third-party-licenses.txt"), /licences/],
  ["an inline script", withFile("index.html", `${html}<script>run()</script>`), /an inline script/],
  ["an inline style", withFile("index.html", `${html}<p style="color: red">`), /an inline style/],
  ["a foreign address", withFile("index.html", `${html}<img src="https://a.example/x.png">`), /not its own/],
])("the check finds %s", (_, files, fault) => {
  expect(pageFaults(files, worker)).toEqual([expect.stringMatching(fault)]);
});
