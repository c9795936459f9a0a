import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTeamSystem, defineAgent } from "teamchart";
import { createService } from "teamchart/service";
import { sqliteBus } from "teamchart/sqlite";
import { replay } from "teamchart/testing";
import { one, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const echo = defineAgent({ run: ({ prompt }) => ({ summary: prompt }) });
const never = defineAgent({
  run: ({ signal }) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
});
const agents = { echo, never };

/** A system and a service on a file. */
async function on(path: string) {
  const bus = sqliteBus({ path });
  const system = await createTeamSystem({ bus, environment: {}, agents });
  const service = createService(system, { auth: "host", control: true });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await service.close();
    await system.close();
    await bus.close();
  };
  onTestFinished(close);
  const ask = (at: string, init?: RequestInit) => service.fetch(new Request(`http://localhost/api/${at}`, init));
  const json = async (at: string) => (await (await ask(at)).json()) as Record<string, unknown>;
  return { bus, system, service, ask, json, close };
}

/** A file with a session that has ended, and one that was let go of in the middle. */
async function twoStored(): Promise<{ path: string; ended: number }> {
  const path = join(temporaryFolder(), "t.db");
  const { system, close } = await on(path);
  const ended = await system.openSession({ id: "ended" });
  const done = await ended.createTeam({ name: "Done", members: [one("A", { agentType: "echo" })] });
  await done.finished();
  await ended.end();
  const { seq } = ended.state;
  const kept = await system.openSession({ id: "kept" });
  await kept.createTeam({
    name: "Kept",
    members: [one("A", { agentType: "echo" }), one("B", { agentType: "never", dependsOn: ["A"] })],
  });
  await until(() => kept.member("B")?.status === "in_progress");
  await close();
  return { path, ended: seq };
}

const types = (lines: string): string[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: { type: string } }).event.type);

test("sessions that were stored before the service was made are listed, and each has its whole log", async () => {
  const { path, ended } = await twoStored();
  const { ask, json, system } = await on(path);
  expect(system.sessions()).toEqual([]);
  expect(await json("sessions")).toMatchObject({
    sessions: [
      { id: "ended", state: "closed", team: { name: "Done", members: 1 } },
      { id: "kept", state: "open", team: { name: "Kept", members: 2 } },
    ],
  });
  expect(await json("sessions/ended/log")).toMatchObject({ first: 1, last: ended, checkpoint: null });
  const records = await (await ask("sessions/ended/records")).text();
  expect([types(records)[0], types(records).at(-1)]).toEqual(["session.opened", "session.closed"]);
  const recording = await (await ask("sessions/ended/recording")).text();
  expect((await replay(recording.trim().split("\n"))).result?.members[0]?.status).toBe("completed");
  const events = await (await ask("sessions/ended/events?from=1")).text();
  expect(events.match(/^event: record/gm)).toHaveLength(types(records).length);
  expect(events).toMatch(/event: closed\ndata: \{\}\n\n$/);
  expect((await json("sessions/nobody/log"))["code"]).toBe("unknown_session");
});

test("a stored session that is gone on with elsewhere is followed, and here it is shown from its beginning on", async () => {
  const { path } = await twoStored();
  const looking = await on(path);
  const before = (await looking.json("sessions/kept/status")) as { version: number };
  expect(await looking.json("sessions/kept/log")).toMatchObject({ first: 1, checkpoint: null });
  // Nobody has it: what is told to it would be done by nobody.
  const headers = { "content-type": "application/json", "x-teamchart": "1" };
  const tell = () =>
    looking.ask("sessions/kept/messages", {
      method: "POST",
      headers,
      body: JSON.stringify({ to: "B", content: "go on" }),
    });
  const refused = await tell();
  expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
    409,
    expect.stringContaining("teamchart resume kept"),
  ]);
  const working = await on(path);
  const session = await working.system.openSession({ id: "kept" });
  await until(() => session.member("B")?.presence === "running");
  const changed = looking.json(`sessions/kept/status?since=${before.version}`);
  // Now somebody does it: the owner, in the other system.
  expect((await tell()).status).toBe(200);
  expect(await changed).toMatchObject({ changed: true });
  await until(() => session.member("B")?.unread === 1);
  // The service beside the owner has the whole of it too.
  const records = types(await (await working.ask("sessions/kept/records")).text());
  expect(records[0]).toBe("session.opened");
  expect(records.filter((type) => type === "owner.claimed")).toHaveLength(2);
  expect(await looking.json("sessions")).toMatchObject({ sessions: [{ id: "ended" }, { id: "kept" }] });
  // One that is opened where it was followed is there once.
  await session.close();
  await looking.system.openSession({ id: "kept" });
  const { sessions } = (await looking.json("sessions")) as { sessions: { id: string }[] };
  expect(sessions.map(({ id }) => id).toSorted()).toEqual(["ended", "kept"]);
});

test("a log that was trimmed begins where it begins: who asks for more is told where that is", async () => {
  const { path } = await twoStored();
  const { bus, ask, json } = await on(path);
  const key = { namespace: "default", session: "kept" };
  const seqs = (await bus.read(key, { fromSeq: 0 })).map(({ seq }) => seq);
  // Without its first input alone: what its state refers to is there.
  await bus.trim(key, seqs[1] ?? 0);
  const log = (await json("sessions/kept/log")) as { first: number; last: number; checkpoint: object | null };
  expect(log.first).toBeGreaterThan(seqs[1] ?? 0);
  expect(log.checkpoint).not.toBeNull();
  const asked = await ask("sessions/kept/records?from=1");
  expect([asked.status, await asked.json()]).toEqual([
    503,
    expect.objectContaining({ code: "log_trimmed", data: { from: 1, first: log.first } }),
  ]);
  expect((await ask("sessions/kept/records")).status).toBe(200);
  // What its state refers to is gone: it can't be shown, and is said to be so.
  await bus.trim(key, (seqs.at(-1) ?? 0) + 1);
  const other = await on(path);
  const refused = await other.ask("sessions/kept/log");
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, "log_trimmed"]);
});
