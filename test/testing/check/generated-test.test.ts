import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkModel, teamModel, type Counterexample } from "../../../src/testing/index.ts";
import { faultyKernel } from "./faulty-kernel.ts";

const root = join(import.meta.dirname, "../../..");
mkdirSync(join(root, ".teamchart"), { recursive: true });
// Inside the project, where the package's own name leads to its sources, and vitest is found.
const folder = mkdtempSync(join(root, ".teamchart/generated-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(
  join(folder, "vitest.config.mjs"),
  `const conditions = ["@teamchart/source"];
   export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ["*.test.ts"] } };\n`,
);

const members = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];

function violationOf(
  options: Parameters<typeof checkModel>[1],
  kernel = teamModel({ members }).kernel,
): Counterexample {
  const { violation } = checkModel(teamModel({ members, kernel }), options);
  if (violation === null) throw new Error("there is no violation");
  return violation;
}

const generated = {
  there: violationOf({
    always: { "no team stalls": ({ team }) => !team.is("stalled") },
    budgets: { outcomes: 1 },
  }),
  gone: violationOf({}, faultyKernel("startsEarly")),
  never: violationOf({
    alwaysPossible: { "the team finishes": ({ team }) => team.is("finished") },
    budgets: { outcomes: 1 },
  }),
  method: violationOf({
    budgets: { outcomes: Infinity },
    interventionsMax: 1,
    onStep: {
      'a "method" of\n`two` lines \u2028 ${that} */ is written down'(_before, _step, after, failed) {
        return failed !== 0 || !after.team.is("stalled");
      },
    },
    ghost: {
      initial: 0,
      next(_past, _before, _step, after) {
        return after.members.filter((member) => member.is("failed")).length;
      },
    },
  }),
};

/** What vitest says of each generated test: what it failed with, or null. */
const said = new Map<string, string | null>();

beforeAll(async () => {
  for (const [name, violation] of Object.entries(generated))
    writeFileSync(join(folder, `${name}.test.ts`), violation.toTest());
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", folder, "--reporter=json", "--outputFile.json=report.json"];
  // A run with failures ends with a code; what it reports is what counts.
  await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(() => {});
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as {
    testResults: { name: string; assertionResults: { status: string; failureMessages: string[] }[] }[];
  };
  for (const { name, assertionResults } of report.testResults)
    for (const { status, failureMessages } of assertionResults)
      said.set(basename(name, ".test.ts"), status === "passed" ? null : failureMessages.join("\n"));
}, 300_000);

test("in vitest, the test that a counterexample writes fails while the fault is there", () => {
  expect(said.get("there")).toContain("violated: no team stalls");
  expect(said.get("there")).toContain("1. A fails");
});

test("in vitest, it passes once the fault is gone", () => {
  expect(generated.gone.property).toBe("G1 no member works before its upstreams completed");
  expect(said.get("gone")).toBeNull();
});

test("in vitest, a check of the whole model fails while something can never be made true", () => {
  expect(said.get("never")).toContain("from here it can never be made true");
});

test("in vitest, properties that are written as methods and have odd names are tests like any other", () => {
  expect(generated.method.moves).toEqual(["A fails"]);
  expect(said.get("method")).toContain("is written down");
  expect(said.get("method")).toContain("it does not hold");
});
