import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { readTeamFile } from "../../src/cli/read-team-file.ts";
import { compileCache } from "../support/compile-cache.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runPlan, type ChildPlan } from "./killed-child.ts";

const child = join(import.meta.dirname, "killed-child.ts");

/** Runs a plan in a process of its own; resolves with what ended it. */
async function runChild(plan: ChildPlan): Promise<string> {
  const running = spawn(process.execPath, ["--conditions=@teamchart/source", child, JSON.stringify(plan)], {
    env: { PATH: process.env["PATH"] ?? "", ...compileCache },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code, signal] = (await once(running, "exit")) as [number | null, string | null];
  return signal ?? `code ${code}`;
}

interface LoggedRecord {
  readonly type: string;
  readonly actor: string;
  readonly input: { readonly event: { readonly call?: string } };
  readonly body: { readonly position?: number } | null;
}

/** What is in the log of the plan's session. */
function logOf({ path }: ChildPlan): readonly LoggedRecord[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT type, actor, input, body FROM record ORDER BY seq").all();
  database.close();
  return rows.map(({ type, actor, input, body }) => ({
    type: String(type),
    actor: String(actor),
    input: JSON.parse(String(input)),
    body: body === null ? null : JSON.parse(String(body)),
  }));
}

const duplicates = (keys: readonly string[]): readonly string[] => keys.filter((key, at) => keys.indexOf(key) !== at);

/** Nothing whose outcome is in the log was done again: no entry of a script twice, no call that ended twice. */
function expectNothingTwice(plan: ChildPlan): void {
  const log = logOf(plan);
  const played = log.filter(({ type, body }) => /^run\.(?:answered|erred|failed)$/.test(type) && body?.position);
  const moved = played.filter(({ actor, body }, at) => {
    const before = played.slice(0, at).findLast((each) => each.actor === actor);
    // A wait stays at its entry, however often it looks.
    return before?.body?.position !== undefined && (body?.position ?? 0) < before.body.position;
  });
  expect(moved).toEqual([]);
  const ended = log.filter(({ type }) => type === "tool.ended");
  expect(duplicates(ended.map(({ actor, input }) => `${actor} ${input.event.call}`))).toEqual([]);
  const effects = readFileSync(plan.effects, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
  expect(duplicates(effects)).toEqual([]);
}

const outcomeOf = ({ outcome, answer, members }: Awaited<ReturnType<typeof runPlan>>) => ({
  outcome,
  answer,
  members: members.map(({ name, status, attempt, summary }) => [name, status, attempt, summary]),
});

/** The failure-and-replan team of test/cases, with a tool that leaves an effect in the middle of one member's work. */
async function failureAndReplan(folder: string): Promise<ChildPlan> {
  mkdirSync(folder, { recursive: true });
  const { script, lead } = await readTeamFile("test/cases/failure-replan.team.yaml");
  const callOnce = { calls: [{ tool: "once", input: {} }] };
  const entries = [...(script ?? [])].map(([name, own]) => [name, name === "B" ? [callOnce, ...own] : own] as const);
  const text = JSON.stringify(Object.fromEntries(entries), (_key, value: unknown) =>
    value instanceof Map ? Object.fromEntries(value) : value,
  );
  return {
    path: join(folder, "teamchart.db"),
    effects: join(folder, "effects"),
    session: "s",
    script: JSON.parse(text.replaceAll('"agentType":"general"', '"agentType":"worker"')),
    prompt: lead?.prompt ?? "",
    kill: null,
  };
}

/** How often an append is reached depends on how often the lead looks, so the last points may be behind the end. */
const lookAgain = 3;
/** A process takes a second to start: every third append is tried, and each of them with TEAMCHART_TEST_KILLS=all. */
const stride = process.env["TEAMCHART_TEST_KILLS"] === "all" ? 1 : 3;

test("killed at any append of the failure-and-replan team, the next process brings it to the same end", async () => {
  const whole = await failureAndReplan(temporaryFolder());
  const expected = outcomeOf(await runPlan(whole));
  expectNothingTwice(whole);
  expect(expected.outcome).toBe("completed");
  expect(await runChild(await failureAndReplan(temporaryFolder()))).toBe("code 0");
  const appends = logOf(whole).length - 1;
  const folder = temporaryFolder();
  const kills = Array.from({ length: Math.floor((appends - lookAgain) / stride) }, (_, at) => at * stride + 1);
  const differences: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let append = kills.shift(); append !== undefined; append = kills.shift()) {
      const plan = await failureAndReplan(join(folder, String(append)));
      const ended = await runChild({ ...plan, kill: { append, when: append % 2 === 0 ? "before" : "after" } });
      const result = outcomeOf(await runPlan(plan));
      if (ended !== "SIGKILL" || !isDeepStrictEqual(result, expected)) differences.push({ append, ended, result });
      expectNothingTwice(plan);
    }
  };
  await Promise.all([work(), work()]);
  expect(differences).toEqual([]);
});
