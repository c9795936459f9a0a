import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toCheckpoint } from "../../../src/machines/kernel/checkpoint.ts";
import type { Session } from "../../../src/index.ts";
import { replay } from "../../../src/testing/index.ts";
import { keepLines } from "../../support/record-session.ts";
import { one, rejection, startSystem, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const agents = {
  waiter: { run: () => new Promise<never>(() => {}) },
  teller: { run: () => ({ summary: "the word is hunter2-hunter2" }) },
};
const member = (name: string, agentType: string) => one(name, { agentType });

/** A session that has done three things. */
async function play(session: Session): Promise<void> {
  await session.createTeam({ name: "T", members: [member("A", "teller"), member("B", "waiter")] });
  await until(() => session.member("A")?.status === "completed");
  await session.sendMessage({ to: "B", content: "hello" });
  await session.replan({ cancel: ["B"] });
}

test("R61: a session that is recorded from its opening replays from its start to any place, and at its end is the same", async () => {
  const path = join(temporaryFolder(), "session.ndjson");
  await using tests = await startSystem({ agents });
  const session = await tests.open({ onOpen: async (opened) => void (await opened.record(path)) });
  const cursors: number[] = [];
  session.events$.subscribe(({ seq, step, event }) => step === 0 && event.type === "message.send" && cursors.push(seq));
  await play(session);
  const live = toCheckpoint(session.state);
  const endSeq = session.state.seq;
  await session.close();
  expect(toCheckpoint((await replay(path, { until: endSeq })).session)).toEqual(live);
  const [cursor = 0] = cursors;
  const then = await replay(path, { until: cursor });
  expect(then.session).toMatchObject({ seq: cursor, revision: 1 });
  expect(then.steps.at(0)?.event.type).toBe("session.opened");
  const whole = await replay(path);
  expect([whole.truncated, whole.result?.members.map(({ name }) => name)]).toEqual([null, ["A", "B"]]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a session that has begun is recorded with how it stands first, to a sink as to a file", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [member("B", "waiter")] });
  const sink = keepLines();
  const recording = await session.record(sink);
  await session.sendMessage({ to: "B", content: "hello" });
  await recording.close();
  await recording.close();
  await session.sendMessage({ to: "B", content: "unheard" });
  expect(sink.lines.map((line) => (JSON.parse(line) as { type: string }).type).slice(0, 2)).toEqual([
    "header",
    "checkpoint",
  ]);
  const replayed = await replay(sink.lines);
  expect(replayed).toMatchObject({ inputs: 1, result: { outcome: "interrupted" } });
  expect(replayed.session.members.get("B-t1")?.unread).toHaveLength(1);
});

test("secrets that a recording is told of are not in it", async () => {
  const path = join(temporaryFolder(), "session.ndjson");
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  await session.record(path, { secrets: ["hunter2-hunter2"] });
  await play(session);
  await session.close();
  const text = await readFile(path, "utf8");
  expect(text).toContain("the word is");
  expect(text).not.toContain("hunter2-hunter2");
});

test("a recording that can't be opened, or is asked for wrongly, is refused, and the session goes on", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  expect(await rejection(session.record("/no/such/folder/file"))).toMatchObject({ code: "bad_file" });
  const wrong = rejection(session.record(keepLines(), { secret: ["x"] } as never));
  expect(String(await wrong)).toMatch(/record\.secret: there is no such option \(did you mean "secrets"\?\)/u);
  await play(session);
  await session.close();
  expect(await rejection(session.record(keepLines()))).toMatchObject({ code: "fenced" });
  expect(tests.faults).toEqual([]);
});
