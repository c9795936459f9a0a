import { expect, test, vi } from "vitest";
import { replay } from "../../../src/testing/index.ts";
import type { SessionHistory } from "../../../src/actors/history/session-history.ts";
import { createRedactor } from "../../../src/actors/recording/redactor.ts";
import { defineAgent } from "../../../src/index.ts";
import { one, startSystem, type TestSystem } from "../../support/sessions.ts";

const echo = defineAgent({ run: ({ prompt }) => ({ summary: prompt }) });
const members = [one("A", { agentType: "echo" }), one("B", { agentType: "echo", dependsOn: ["A"] })];
const start = (): Promise<TestSystem> => startSystem({ agents: { echo } });

/** Every line from `from` on, until there is nothing more for now. */
function linesOf(history: SessionHistory, from = history.first, max = 7): string[] {
  const texts: string[] = [];
  for (let at = from; ;) {
    const page = history.read(at, max);
    if (page.type !== "lines") return texts;
    texts.push(...page.lines.map(({ text }) => text));
    at = (page.lines.at(-1)?.seq ?? at - 1) + 1;
  }
}

const isInput = (line: string): boolean => (JSON.parse(line) as { step?: number }).step === 0;

test("its lines are those that a recorder has written, character by character", async () => {
  await using on = await start();
  const written: string[] = [];
  let history: SessionHistory | null = null;
  const session = await on.open({
    onOpen: async (opened) => {
      await opened.record({ write: (line) => (written.push(line), null) });
      history = opened.inspection.history();
    },
  });
  const team = await session.createTeam({ name: "T", members });
  await team.finished();
  await session.sendMessage({ to: "A", content: "late" }).catch(() => {});
  expect(linesOf(history!)).toEqual(written.filter(isInput));
  const whole = [...history!.recording()].flat();
  expect(whole.slice(0, -1)).toEqual(written);
  expect(JSON.parse(whole.at(-1)!)).toMatchObject({ type: "result", outcome: "completed" });
});

test("one that began late starts with a checkpoint, and replays from there", async () => {
  await using on = await start();
  const session = await on.open();
  await session.createTeam({ name: "T", members: [members[0]!] });
  const history = session.inspection.history();
  expect(history.first).toBe(session.state.seq + 1);
  expect(history.checkpoint()).toMatchObject({ seq: session.state.seq });
  expect(history.read(1, 1)).toEqual({ type: "gap", first: history.first });
  await session.dissolve();
  const { session: folded } = await replay([...history.recording()].flat());
  expect(folded.seq).toBe(session.state.seq);
  expect(folded.team?.snapshot.value).toEqual(session.state.team?.snapshot.value);
});

test("it holds as many inputs as it may, and readers of what is gone get a gap", async () => {
  await using on = await start();
  let history: SessionHistory | null = null;
  const session = await on.open({ onOpen: (opened) => void (history = opened.inspection.history({ inputsMax: 10 })) });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "echo", lifetime: "persistent" })] });
  expect(history!.read(1, 100).type).toBe("lines");
  for (let n = 0; n < 40; n++) await session.sendMessage({ to: "Lead", content: `${n}` }).catch(() => {});
  expect(history!.first).toBeGreaterThan(1);
  expect(history!.read(1, 100)).toEqual({ type: "gap", first: history!.first });
  const lines = linesOf(history!);
  expect(lines.length).toBeGreaterThanOrEqual(10);
  expect(lines.length).toBeLessThanOrEqual(20);
  const { session: folded } = await replay([...history!.recording()].flat());
  expect(folded.seq).toBe(session.state.seq);
});

test("while nobody reads nothing is serialised that would not be without it", async () => {
  const count = async (watched: boolean): Promise<number> => {
    await using on = await start();
    const session = await on.open({ onOpen: (opened) => void (watched && opened.inspection.history()) });
    const stringify = vi.spyOn(JSON, "stringify");
    const team = await session.createTeam({ name: "T", members });
    await team.finished();
    await session.sendMessage({ to: "Lead", content: "hello" }).catch(() => {});
    const { length } = stringify.mock.calls;
    stringify.mockRestore();
    return length;
  };
  expect(await count(true)).toBe(await count(false));
});

test("bodies and checkpoints leave it without secrets, and bodies of nobody don't exist", async () => {
  await using on = await start();
  const secret = "canary-8f3b2c91d7";
  const session = await on.open();
  const redactor = createRedactor({ secrets: [secret] });
  const history = session.inspection.history({ redactor });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "echo", prompt: `use ${secret}` })] });
  await session.sendMessage({ to: "Lead", content: `it is ${secret}` }).catch(() => {});
  const texts =
    [...history.recording()].flat().join("\n") + JSON.stringify(session.inspection.history({ redactor }).checkpoint());
  expect(texts).not.toContain(secret);
  const digests = [...texts.matchAll(/"digest":"([0-9a-f]{64})"/g)].map(([, digest]) => digest!);
  expect(digests.length).toBeGreaterThan(0);
  for (const digest of digests) expect(JSON.stringify(history.body(digest))).not.toContain(secret);
  expect(history.body("0".repeat(64))).toBeUndefined();
});

test("it ends with its session, and when it is closed it holds nothing more", async () => {
  await using on = await start();
  const session = await on.open();
  const [history, closed] = [session.inspection.history(), session.inspection.history()];
  closed.close();
  await session.createTeam({ name: "T", members: [members[0]!] });
  await session.close();
  expect(history.isClosed).toBe(true);
  const lines = linesOf(history);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ event: { type: "session.closed" } });
  expect(history.read(session.state.seq + 1, 1)).toEqual({ type: "end", closed: true });
  expect(linesOf(closed)).toEqual([]);
});
