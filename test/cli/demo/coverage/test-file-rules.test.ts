import { expect, test } from "vitest";
import { reviewTests } from "../../../../src/cli/demo/coverage/review-tests.ts";
import { projectOf } from "../../../support/project-of.ts";
import { saidAbout, shortly } from "../../../support/review-of.ts";

// The words are put together here, so that this file itself is not taken for focused or skipped.
const ONLY = "only";
const SKIP = "skip";

test.each([
  [`it.${ONLY}("a", () => { expect(1).toBe(1); });`, "high focused-test 1"],
  [`describe.${ONLY}("a", () => {});`, "high focused-test 1"],
  [`fit("a", () => { expect(1).toBe(1); });`, "high focused-test 1"],
  [`import test from "node:test"; test("a", { ${ONLY}: true }, () => { assert.ok(1); });`, "high focused-test 1"],
  [`test.${ONLY}.each([1])("a", () => { expect(1).toBe(1); });`, "high focused-test 1"],
  [`it.${SKIP}("a", () => { expect(1).toBe(1); });`, "low skipped-test 1"],
  [`xdescribe("a", () => {});`, "low skipped-test 1"],
  [`it("a", () => {});`, "medium test-without-assertion 1"],
  [`it("a", async () => { await run(); });`, "medium test-without-assertion 1"],
  [`test.each([1])("a %s", (n) => { run(n); });`, "medium test-without-assertion 1"],
  [
    `const check = () => run(); function go() { run(); } test("a", () => { go(); });`,
    "medium test-without-assertion 1",
  ],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewTests, text, "test/a.test.ts")).toEqual([expected]);
});

test.each([
  `it("a", () => { expect(run()).toBe(1); });`,
  `import assert from "node:assert"; it("a", () => { assert.equal(run(), 1); });`,
  `it("a", () => { run().should.equal(1); });`,
  `test("a", (t) => { t.is(run(), 1); });`,
  `it("a", (done) => { on("end", done); });`,
  `it("a", () => { if (run() !== 1) throw new Error("no"); });`,
  `it("a", () => { expectRun(1); });`,
  `const same = (a, b) => expect(a).toBe(b); it("a", () => { same(run(), 1); });`,
  `it("a", () => { cy.get("button").click(); });`,
  `it("a", async () => { await request(app).get("/").expect(200); });`,
  `it("a", () => { fc.assert(fc.property(b, c)); });`,
  `it("does not throw on empty input", () => { run(""); });`,
  `it("a", () => { type _ = Expect<Equal<A, B>>; });`,
  `it.todo("a"); it.each([1]); describe("b", () => { beforeEach(() => run()); });`,
  `it.skipIf(isWindows)("a", () => { expect(run()).toBe(1); });`,
  `function f(it) { it("a", () => {}); }`,
  `pattern.test("a", () => {});`,
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewTests, text, "test/a.test.ts")).toEqual([]);
});

test("a helper of another test file is followed", async () => {
  const files = {
    "test/help.ts": "export const same = (a, b) => { expect(a).toBe(b); };\nexport const go = (a) => run(a);\n",
    "test/a.test.ts": `import { same, go } from "./help.ts";\ntest("a", () => { same(1, 1); });\ntest("b", () => { go(1); });\n`,
  };
  expect(reviewTests(await projectOf(files)).findings.map(shortly)).toEqual(["medium test-without-assertion 3"]);
});
