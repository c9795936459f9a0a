import { EventEmitter } from "node:events";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exploreStage } from "../../../src/cli/check/explore-stage.ts";
import type { Explorer } from "../../../src/cli/check/explorer.ts";
import { runCheck } from "../../../src/cli/check/run-check.ts";
import { createLog } from "../../../src/cli/log.ts";
import { openOutput } from "../../../src/cli/output.ts";
import { commandSettings } from "../../../src/cli/settings/command-settings.ts";
import { resolveSettings, type Flags } from "../../../src/cli/settings/resolve-settings.ts";
import { replay } from "../../../src/testing/index.ts";
import { jsonLines } from "../../support/teamchart.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { faultyKernel, type FaultName } from "../../testing/check/faulty-kernel.ts";

/** Explores in this thread, with a kernel that has a fault, or the true one. */
const explorerWith = (fault: FaultName | null): Explorer => ({
  explore: async (model, options, onProgress) =>
    exploreStage({ model, options, onProgress, ...(fault === null ? {} : { kernel: faultyKernel(fault) }) }),
  close: async () => {},
});

/** Never finds anything; an interrupt ends it. */
const endless: Explorer = { explore: () => new Promise(() => {}), close: async () => {} };

/** A team that is explored at once. */
const single = "team: { name: 独, members: [{ name: 乙, prompt: p }] }";

const team =
  "team:\n  name: 调查 🔍\n  members: [{ name: Änn, prompt: p }, { name: 乙, prompt: p, dependsOn: [Änn] }]\n";

interface Checked {
  readonly folder: string;
  readonly code: Promise<number>;
  readonly stdout: Promise<string>;
  readonly stderr: Promise<string>;
  readonly signals: EventEmitter;
}

/** The command, with everything but its thread. */
function check(
  explorer: Explorer,
  flags: Flags = {},
  { isTTY = false, columns = 80, file = team, link = "" } = {},
): Checked {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "t.yaml"), file);
  if (link !== "") symlinkSync("t.yaml", join(folder, link));
  const signals = new EventEmitter();
  const stdout = Object.assign(new PassThrough(), { isTTY, columns });
  const stderr = new PassThrough();
  // The parts of a process that a check uses; the others are never touched.
  const host = {
    cwd: () => folder,
    env: {},
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
    stdout,
  } as never;
  const output = openOutput({ stdout, stderr } as never);
  const settings = resolveSettings(commandSettings.check, flags, {});
  const log = createLog("warn", { write: () => {} });
  const code = runCheck(join(folder, "t.yaml"), { host, output, log, settings }, explorer).finally(() => {
    stdout.end();
    stderr.end();
  });
  return { folder, code, stdout: text(stdout), stderr: text(stderr), signals };
}

test("a violated guarantee ends with 1, its counterexample above the verdict", async () => {
  const { code, stdout } = check(explorerWith("startsEarly"));
  expect(await code).toBe(1);
  const shown = await stdout;
  expect(shown).toMatch(/^ {2}nothing {8}violated/m);
  const lines = shown.split("\n").filter((line) => line.startsWith("  nothing"));
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(shown).toMatch(/^violated: G1 .*\n.*\n1\. /m);
  expect(shown.trimEnd().split("\n").at(-1)).toMatch(
    /^Violated: G1 .*\. 调查 🔍 gets there in \d+ steps?, shown above\.$/,
  );
});

test("no stage follows a violated one", async () => {
  const { stdout } = check(explorerWith("startsEarly"), { json: true });
  const lines = jsonLines(await stdout);
  expect(lines.map(({ type }) => type)).toEqual(["check", "result"]);
  expect(lines[0]).toMatchObject({ verdict: "violated", violation: { property: expect.stringMatching(/^G1 /) } });
  expect(lines[1]).toMatchObject({ verdict: "violated", property: expect.stringMatching(/^G1 /), written: [] });
});

test("--record writes the counterexample as a recording that a replay takes", async () => {
  const { code, stdout, folder } = check(explorerWith("answersTwice"), { record: "c.ndjson" });
  expect(await code).toBe(1);
  expect(await stdout).toContain("c.ndjson: teamchart replay c.ndjson\n");
  const replayed = await replay(join(folder, "c.ndjson"));
  expect(replayed.inputs).toBeGreaterThan(3);
  expect(replayed.truncated?.problem).toBe("there is no result line");
});

test("--test writes the counterexample as a test", async () => {
  const { code, folder } = check(explorerWith("startsEarly"), { test: "c.test.ts" });
  expect(await code).toBe(1);
  expect(readFileSync(join(folder, "c.test.ts"), "utf8")).toMatch(
    /^import \{ checkPath, teamModel \} from "teamchart\/testing";/,
  );
});

test("a file that can't be written is told, and the verdict stays", async () => {
  const { code, stderr } = check(explorerWith("startsEarly"), { record: "no/c.ndjson", test: "no/c.test.ts" });
  expect(await code).toBe(1);
  expect((await stderr).match(/it cannot be written: .*no/g)).toHaveLength(2);
});

test.each([
  [{ record: "c", test: "./c" }, "--test", "./c is what --record writes; name another file"],
  [{ test: "t.yaml" }, "--test", "t.yaml is the file that is checked; name another file"],
  [{ record: "link.yaml" }, "--record", "link.yaml is the file that is checked; name another file"],
] as const)(
  "nothing is written over what is needed, which is said before anything is checked: %j",
  async (...given) => {
    const [flags, what, problem] = given;
    const { code, folder } = check(endless, flags, { link: "link.yaml" });
    await expect(code).rejects.toThrow(expect.objectContaining({ code: "bad_input", data: { what, problem } }));
    expect(readFileSync(join(folder, "t.yaml"), "utf8")).toBe(team);
  },
);

test("nothing is written where nothing is violated", async () => {
  const { code, folder } = check(explorerWith(null), { record: "c.ndjson", test: "c.test.ts" }, { file: single });
  expect(await code).toBe(0);
  expect([existsSync(join(folder, "c.ndjson")), existsSync(join(folder, "c.test.ts"))]).toEqual([false, false]);
});

test("an interrupt ends with 130 and tells what holds so far", async () => {
  const inner = explorerWith(null);
  let stages = 0;
  const slow: Explorer = {
    explore: (...asked) => (++stages === 1 ? inner.explore(...asked) : endless.explore(...asked)),
    close: inner.close,
  };
  const { code, stdout, signals } = check(slow);
  await expect.poll(() => stages).toBe(2);
  signals.emit("SIGINT");
  expect(await code).toBe(130);
  expect(await stdout).toMatch(
    /^Interrupted\. G1 to G10 hold in all \d+ states that .* can reach when nobody interferes\. The next check begins anew: it can't be gone on with\.$/m,
  );
});

test("a check whose time is over is inconclusive, and says up to where it holds", async () => {
  const inner = explorerWith(null);
  let stages = 0;
  const cut: Explorer = {
    explore: (model, options, onProgress) =>
      inner.explore(model, { ...options, ...(++stages < 3 ? {} : { limits: { statesMax: 50 } }) }, onProgress),
    close: inner.close,
  };
  const { code, stdout } = check(cut);
  expect(await code).toBe(3);
  expect((await stdout).trimEnd().split("\n").at(-1)).toMatch(
    /^Inconclusive\. G1 to G10 hold in all \d+ states that 调查 🔍 can reach with any one intervention\. For 调查 🔍 the search with any two was ended by the number of its states after \d+ states; nothing was wrong in them, which proves nothing of the others\.$/,
  );
});

test("on a terminal what is at work is drawn on one line, which fits and is gone at the end", async () => {
  const { code, stdout } = check(explorerWith(null), {}, { isTTY: true, columns: 40, file: single });
  expect(await code).toBe(0);
  const drawn = (await stdout).split("\r\u001B[2K").slice(1);
  const lines = drawn.filter((each) => !each.includes("\n") && each !== "");
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.every((line) => line.length < 40)).toBe(true);
  expect(drawn.at(-1)).toContain("  any three      \u001B[32mholds");
});

test("a team that is too large is walked at random, which ends with 3 and says so", async () => {
  const inner = explorerWith(null);
  let stages = 0;
  const small: Explorer = {
    explore: (model, options, onProgress) => {
      const cut = ++stages === 1 ? { limits: { statesMax: 50 } } : { walks: 2 };
      return inner.explore(model, { ...options, ...cut }, onProgress);
    },
    close: inner.close,
  };
  const members = Array.from({ length: 60 }, (_, index) => `{ name: M${index}, prompt: p }`);
  const { code, stdout } = check(small, {}, { file: `team: { name: Wide, members: [${members.join()}] }` });
  expect(await code).toBe(3);
  const shown = await stdout;
  expect(shown).toMatch(/^ {2}nothing {8}inconclusive/m);
  expect(shown.trimEnd().split("\n").at(-1)).toMatch(
    /^Inconclusive\. .*, nor on 333 walks at random through [\d,]+ states, which proves nothing of the others\.$/,
  );
});

test("what a script's call is left out for is told beside the check of the others", async () => {
  const call = (members: string) => `{ calls: [{ tool: team_create, input: { name: T, members: [${members}] } }] }`;
  const file = `lead: { prompt: p }\nscript: { Lead: [${call("")}, ${call("{ name: A, prompt: p }")}] }`;
  const quick: Explorer = {
    explore: async (model, options, onProgress) =>
      explorerWith(null).explore(model, { ...options, budgets: {} }, onProgress),
    close: async () => {},
  };
  const { code, stderr } = check(quick, {}, { file });
  expect(await code).toBe(0);
  expect(await stderr).toMatch(/^A team_create of the script is left out: /);
});

test("the heading names the graph and who leads", async () => {
  const { stdout } = check(explorerWith("startsEarly"));
  expect((await stdout).split("\n")[0]).toBe("调查 🔍, 2 members without a lead: Änn, 乙<-Änn");
});
