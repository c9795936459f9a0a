import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BodyStore } from "../../../src/actors/owner/body-store.ts";
import { createRecorder, type LineSink } from "../../../src/actors/recording/recorder.ts";
import { openRecordingFile } from "../../../src/actors/recording/recording-file.ts";
import { createKernel, type KernelRecord } from "../../../src/machines/index.ts";
import { resolveLimits } from "../../../src/protocol/limits.ts";
import type { Input } from "../../../src/protocol/input.ts";
import { TeamSpec } from "../../../src/protocol/spec.ts";
import { replay } from "../../../src/testing/replay.ts";
import { keepLines, resultOf } from "../../support/record-session.ts";

const canary = "sk-ant-canary0123456789abcdef";

/** A session that is recorded into `sink`; `say` applies and records an input. */
function recorded(sink: LineSink) {
  const faults: unknown[] = [];
  const kernel = createKernel();
  const session = kernel.create();
  const bodies = new BodyStore();
  const recorder = createRecorder({ session: "s", sink, onFault: (fault) => faults.push(fault) });
  let seq = 0;
  const say = (
    event: Input["event"],
    given: Partial<Input> & { value?: unknown; plan?: KernelRecord["plan"] } = {},
  ) => {
    const { value, plan, ...rest } = given;
    const body = value === undefined ? {} : { body: bodies.hold(value) };
    const input = {
      id: `i${++seq}`,
      at: seq,
      actor: "session",
      from: "system",
      epoch: session.epoch,
      event,
      ...body,
      ...rest,
    };
    const record = { seq, input, ...(plan === undefined ? {} : { plan }) };
    const applied = kernel.apply(session, record);
    return { applied, full: recorder.record(session, applied, record, value) };
  };
  const config = {
    session: "s",
    lead: "none" as const,
    agentTypes: [{ name: "general", kind: "model" as const, description: `calls with ${canary}` }],
    limits: resolveLimits(),
  };
  say({ type: "session.opened", config });
  say({ type: "owner.claimed", epoch: 1, node: "n" });
  return { faults, session, recorder, say };
}

const plan = TeamSpec.parse({
  name: "T",
  description: `uses ${canary}`,
  members: [
    { name: "A", prompt: `the key is ${canary}` },
    { name: "B", prompt: "p", dependsOn: ["A"] },
  ],
});

/** A member that fails and one that says something, with the canary wherever text can be. */
function play({ say }: ReturnType<typeof recorded>): void {
  say({ type: "team.create", plan: "p", byModel: false }, { from: "lead", plan });
  const by = { actor: "A-t1", from: "A-t1" };
  const content = { content: `psst: ${canary}`, headers: { authorization: "open sesame 1" } };
  say({ type: "tool.started", run: 1, k: 1, call: "c", tool: "team_send_message" }, { ...by, value: content });
  say(
    { type: "message.send", to: "B", kind: "text", bytes: 40 },
    { from: "A-t1", actor: "B-t1", command: { call: "c", run: 1 }, value: content },
  );
  say({ type: "run.failed", run: 1, k: 2, reason: `model_error: bad key ${canary}` }, by);
  say({ type: "team.dissolve", mode: "abort", reason: `leaked ${canary}` }, { actor: "team-1", from: "user" });
}

test("S18: a secret in prompts, messages, headers, reasons and descriptions reaches no line, and the recording replays", async () => {
  const sink = keepLines();
  const world = recorded(sink);
  play(world);
  world.recorder.error({ type: "error", code: "no_model_key", message: `no ${canary}`, data: { reason: canary } });
  expect(sink.lines.join("\n")).not.toContain(canary.slice(8));
  expect(sink.lines.join("\n")).not.toContain("open sesame");
  expect(sink.lines.join("\n")).toContain('"authorization":"[redacted]"');
  expect(world.faults).toEqual([]);
  const { session } = await replay(sink.lines);
  expect(session.team?.cancelledByDissolve).toEqual(["B"]);
  expect(session.members.get("A-t1")?.reason).toMatch(/^model_error: bad key \[redacted\**\]$/);
});

test("S18: the result hides secrets in texts and leaves names alone", () => {
  const sink = keepLines();
  const world = recorded(sink);
  const member = {
    name: canary,
    status: "failed" as const,
    attempt: 1,
    reason: canary,
    summary: canary,
    paths: [canary],
  };
  world.recorder.result({
    ...resultOf(world.session),
    answer: canary,
    members: [{ ...member, modelCalls: 0, tokens: 0 }],
  });
  expect(sink.lines.at(-1)?.split(canary)).toHaveLength(2);
});

test("a body stands once, before the first line that refers to it", () => {
  const sink = keepLines();
  const world = recorded(sink);
  play(world);
  const lines = sink.lines.map(
    (line) => JSON.parse(line) as { type: string; digest?: string; input?: { body?: { digest: string } } },
  );
  const bodies = lines.filter((line) => line.type === "body");
  expect(bodies).toHaveLength(1);
  const user = lines.findIndex((line) => line.input?.body?.digest === bodies[0]?.digest);
  expect(lines.indexOf(bodies[0]!)).toBe(user - 1);
  expect(bodies[0]).toMatchObject({ redacted: true });
});

test("a recording that begins in the middle begins with the state", async () => {
  const first = recorded(keepLines());
  play(first);
  const sink = keepLines();
  const recorder = createRecorder({ session: "s", sink, from: first.session, onFault: () => {} });
  recorder.result(resultOf(first.session));
  expect(sink.lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    "header",
    "checkpoint",
    "result",
  ]);
  const { session } = await replay(sink.lines);
  expect(session.seq).toBe(first.session.seq);
  expect(sink.lines.join("\n")).not.toContain(canary);
});

test("a sink that throws ends the recording, is told of once, and the session goes on", () => {
  let room = 2;
  const sink = {
    write() {
      if (room-- <= 0) throw new Error("disk full");
      return null;
    },
  };
  const world = recorded(sink);
  play(world);
  expect(world.faults).toEqual([new Error("disk full")]);
  expect(world.session.team?.snapshot.value).toEqual({ dissolved: "failed" });
});

test("a sink that rejects later is told of once, and who waited goes on", async () => {
  const world = recorded({ write: () => Promise.reject(new Error("gone")) });
  const { full } = world.say({ type: "owner.claimed", epoch: 2, node: "n" });
  await full;
  play(world);
  await world.recorder.close();
  expect(world.faults).toEqual([new Error("gone")]);
});

test("a callback for faults that throws hurts nobody either", () => {
  const fail = () => {
    throw new Error("no");
  };
  const recorder = createRecorder({ session: "s", sink: { write: fail }, onFault: fail });
  expect(() => recorder.error({ type: "error", code: "x", message: "y", data: {} })).not.toThrow();
});

test("a value that cannot be written ends the recording and not the session", () => {
  const world = recorded(keepLines());
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const input = { id: "x", at: 1, actor: "session", from: "system", epoch: 1, body: { digest: "d", bytes: 1 } };
  const record = { seq: 99, input: { ...input, event: { type: "owner.claimed", epoch: 5, node: "n" } as const } };
  const applied = createKernel().apply(createKernel().create(), record);
  expect(() => world.recorder.record(world.session, applied, record, circular)).not.toThrow();
  expect(world.faults).toHaveLength(1);
});

test("the file is its owner's alone, also when it was there before, and holds every line", async () => {
  await using dir = await tempDir();
  await writeFile(dir.path, "old", { mode: 0o644 });
  const file = await openRecordingFile(dir.path);
  const world = recorded(file);
  play(world);
  world.recorder.result(resultOf(world.session));
  await world.recorder.close();
  expect((await stat(dir.path)).mode & 0o777).toBe(0o600);
  expect(await readFile(dir.path, "utf8")).not.toContain("old");
  expect(await replay(dir.path)).toMatchObject({ truncated: null, result: { revision: 1 } });
  expect(world.faults).toEqual([]);
});

test("a full file says when there is room again", async () => {
  await using dir = await tempDir();
  const file = await openRecordingFile(dir.path);
  const line = "x".repeat(1_000_000);
  const full = file.write(line);
  expect(full).toBeInstanceOf(Promise);
  expect(file.write(line)).toBe(full);
  await full;
  await file.close();
  expect((await stat(dir.path)).size).toBe(2 * 1_000_001);
});

test("a file that cannot be written is bad_file", async () => {
  await expect(openRecordingFile("/nowhere/at/all.ndjson")).rejects.toMatchObject({ code: "bad_file" });
  await expect(openRecordingFile(tmpdir())).rejects.toMatchObject({ code: "bad_file" });
});

test.skipIf(process.platform !== "linux")(
  "a disk that is full ends the recording, and closing it still ends",
  async () => {
    const world = recorded(await openRecordingFile("/dev/full"));
    play(world);
    await world.recorder.close();
    expect(world.faults).toMatchObject([{ code: "ENOSPC" }]);
  },
);

async function tempDir() {
  const dir = await mkdtemp(join(tmpdir(), "recording-"));
  return { path: join(dir, "a.ndjson"), [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}
