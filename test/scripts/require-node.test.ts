import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { afterEach, beforeEach, expect, test } from "vitest";

const script = join(import.meta.dirname, "../../scripts/require-node.mjs");
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "teamchart-node-"));
  mkdirSync(join(project, "scripts"));
  cpSync(script, join(project, "scripts/require-node.mjs"));
});
afterEach(() => rmSync(project, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(join(project, path, ".."), { recursive: true });
  writeFileSync(join(project, path), text);
};

const run = () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/require-node.mjs"], {
    cwd: project,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

test("on a Node that is new enough it says nothing", () => {
  write("package.json", `{ "engines": { "node": ">=22.13" } }`);
  write("node_modules/.bin/node", "");
  expect(run()).toEqual({ status: 0, stdout: "", stderr: "" });
});

test.each([">=99.0", `>=${process.versions.node.split(".")[0]}.999`])(
  "on a Node below %s it says so in one sentence",
  (floor) => {
    write("package.json", JSON.stringify({ engines: { node: floor } }));
    write("node_modules/.bin/node", "");
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe(
      `Teamchart needs Node ${floor.slice(2)} or newer and this is ${process.versions.node}; use the npm scripts, which bring their own.\n`,
    );
  },
);

test("without the pinned Node it names the repair", () => {
  write("package.json", `{ "engines": { "node": ">=22.13" } }`);
  write("node_modules/zod/package.json", "{}");
  const { status, stderr } = run();
  expect(status).toBe(2);
  expect(stderr).toContain("npm rebuild node --ignore-scripts=false\n");
});

test("without dependencies it names npm ci", () => {
  const { status, stderr } = run();
  expect(status).toBe(2);
  expect(stderr).toContain("npm ci\n");
});

test.each(["require-node", "test-summary"])("%s.mjs is written for every Node from 12.17 on", (name) => {
  const path = join(script, "..", `${name}.mjs`);
  const late: string[] = [];
  new Visitor({
    ChainExpression: () => void late.push("?."),
    LogicalExpression: ({ operator }) => void (operator === "??" && late.push("??")),
    AssignmentExpression: ({ operator }) => void (/^(\|\||&&|\?\?)=$/.test(operator) && late.push(operator)),
    AwaitExpression: () => void late.push("await"),
    ImportDeclaration: ({ source }) => void (source.value.startsWith("node:") && late.push(source.value)),
    CallExpression: ({ callee }) =>
      void (
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        ["at", "replaceAll", "hasOwn"].includes(callee.property.name) &&
        late.push(callee.property.name)
      ),
  }).visit(parseSync(path, readFileSync(path, "utf8")).program);
  expect(late).toEqual([]);
});
