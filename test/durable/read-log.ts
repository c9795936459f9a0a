import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { readForeign } from "../../src/actors/owner/read-foreign.ts";
import type { Stored } from "../../src/bus/bus.ts";
import { createKernel, type Verdict } from "../../src/machines/index.ts";
import { isPlanned, parsePlan } from "../../src/protocol/plan.ts";
import { busAt } from "../support/bus-at.ts";
import { type ChildPlan, sessionId } from "./killed-child.ts";
import { killedTeams } from "./teams/index.ts";

interface LoggedRecord {
  readonly stored: Stored;
  readonly verdict: Verdict;
}

const key = { namespace: "default", session: sessionId };

/** The log of a plan's session, and what became of each input when a kernel folds all of it. */
export async function logOf({ path }: Pick<ChildPlan, "path">): Promise<readonly LoggedRecord[]> {
  const bus = await busAt(path);
  const records = await bus.read(key, { fromSeq: 0 });
  await bus.close();
  const kernel = createKernel();
  const state = kernel.create();
  return records.map((record) => {
    const { stored, fault } = readForeign(record, () => undefined);
    if (stored === null) throw fault;
    const { seq, input, body } = stored;
    const plan = isPlanned(input.event) ? parsePlan(input.event, record.body) : undefined;
    const { verdict } = kernel.apply(state, plan === undefined ? { seq, input } : { seq, input, plan });
    return { stored: { ...stored, ...(body === undefined ? {} : { body }) }, verdict };
  });
}

const duplicates = (keys: readonly string[]): readonly string[] => keys.filter((each, at) => keys.indexOf(each) !== at);

const positionOf = ({ stored: { body } }: LoggedRecord): number | null => {
  const position = typeof body === "object" && body !== null && "position" in body ? body.position : null;
  return typeof position === "number" ? position : null;
};

/** Outcomes of a script whose entry was used up before: those of a wait stay at their entry, however often it looks. */
function repeatedOutcomes(plan: ChildPlan, log: readonly LoggedRecord[]): readonly string[] {
  const script = new Map(Object.entries(killedTeams[plan.team].script));
  const last = new Map<string, number>();
  const repeated: string[] = [];
  for (const record of log) {
    const position = positionOf(record);
    if (position === null || record.verdict !== "handled") continue;
    const { actor } = record.stored.input;
    const name = actor === "lead" ? "Lead" : actor.replace(/-t\d+$/, "");
    const before = last.get(actor) ?? 0;
    const waits = Object.hasOwn(script.get(name)?.[position] ?? {}, "waitFor");
    if (position < before || (position === before && !waits)) repeated.push(`${name} ${position}`);
    last.set(actor, position);
  }
  return repeated;
}

/** Nothing whose outcome is in the log was done again: no entry of a script, no call, no injected mail, no effect. */
export async function expectNothingTwice(plan: ChildPlan): Promise<void> {
  const log = (await logOf(plan)).filter(({ verdict }) => verdict === "handled");
  deepStrictEqual(repeatedOutcomes(plan, log), []);
  const facts = log.flatMap(({ stored: { input } }) => {
    const { event, actor } = input;
    if (event.type === "tool.ended") return [`end of ${actor} ${event.call}`];
    if (event.type === "permission.answer") return [`answer to ${event.request}`];
    if (event.type === "external.answer") return [`answer from outside to ${event.call}`];
    return event.type === "run.injected" || event.type === "lead.injected"
      ? event.mail.map((id) => `mail ${id} for ${actor}`)
      : [];
  });
  deepStrictEqual(duplicates(facts), []);
  const effects = readFileSync(plan.effects, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
  deepStrictEqual(duplicates(effects), []);
}
