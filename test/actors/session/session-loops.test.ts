import { expect, test } from "vitest";
import type { FunctionRun, TeamError } from "../../../src/index.ts";
import { one, settle, startSystem, until } from "../../support/sessions.ts";

/** What a member does with each message: to whom it answers. */
type Answers = (name: string, from: string) => readonly string[];

/** A team of idle members that answer every message; how often they were woken, and what stopped them. */
async function play(names: readonly string[], answers: Answers, limits: object = {}) {
  const woken = new Map<string, number>();
  const codes = new Set<string>();
  const run = async ({ name, mail, send }: FunctionRun) => {
    woken.set(name, (woken.get(name) ?? 0) + 1);
    for (const { from } of await mail.take()) {
      for (const to of answers(name, from)) {
        await send(to, "and you?").catch((error: unknown) => void codes.add((error as TeamError).code));
      }
    }
    return {};
  };
  await using tests = await startSystem({ agents: { talker: { run } }, limits });
  const session = await tests.open();
  const members = names.map((name) => one(name, { agentType: "talker", lifetime: "persistent" }));
  await session.createTeam({ name: "T", members });
  await until(() => session.status().members.every(({ presence }) => presence === "idle"));
  woken.clear();
  await session.sendMessage({ to: names[0] ?? "", content: "ball" });
  await settle(100);
  await until(() => session.alive.runs === 0, "the loop to end");
  const counts = session.status().messages;
  return { wakes: [...woken.values()].reduce((sum, each) => sum + each, 0), codes: [...codes], counts };
}

const names = ["A", "B", "C"];
const next: Readonly<Record<string, string>> = { A: "B", B: "C", C: "A" };

test.each<[string, Answers]>([
  ["two that answer each other", (name) => [name === "A" ? "B" : "A"]],
  ["three that pass it round", (name) => [next[name] ?? "A"]],
  ["three that pass it round and back", (name, from) => [next[name] ?? "A", from === "Lead" ? "B" : from]],
  ["one that answers whoever writes, and another who asks again", (name, from) => [from === "Lead" ? "C" : from]],
])("hop guard: %s are stopped after hopsMax messages in a chain", async (_kind, answers) => {
  const { wakes, codes, counts } = await play(names, (name, from) => answers(name, from).filter((to) => to !== name), {
    hopsMax: 6,
  });
  expect(codes).toEqual(["hop_limit"]);
  expect(counts.unread).toBe(0);
  // A chain that forks has more messages, and none of its branches is longer.
  expect(wakes).toBeLessThanOrEqual(2 ** 6);
});

test.each<[string, Answers]>([
  ["by broadcast", () => ["broadcast"]],
  ["by broadcast and to the sender", (_name, from) => (from === "Lead" ? ["broadcast"] : ["broadcast", from])],
])("hop guard: broadcasts that are answered %s end", async (_kind, answers) => {
  const { wakes, codes } = await play(names, answers, { hopsMax: 6 });
  expect(codes.toSorted().filter((code) => code !== "hop_limit" && code !== "budget_exceeded")).toEqual([]);
  expect(codes.length).toBeGreaterThan(0);
  expect(wakes).toBeLessThanOrEqual(3 ** 6);
});
