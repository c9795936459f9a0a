import { expect, test } from "vitest";
import { createService } from "teamchart/service";
import { createTeamSystem } from "teamchart";
import { gate, one, rejection } from "../support/sessions.ts";
import { allEvents, echo, httpService, sentEvents } from "../support/http-service.ts";

const member = (name: string, more: object = {}) => one(name, { agentType: "echo", ...more });

test("sessions that were there before the service are seen, and so are those that come and those that closed", async () => {
  const system = await createTeamSystem({ environment: {}, agents: { echo } });
  const early = await system.openSession({ id: "early" });
  const service = createService(system, { auth: "host" });
  await system.openSession({ id: "late" });
  await early.close();
  const answer = await service.fetch(new Request("http://localhost/api/sessions"));
  const { sessions } = (await answer.json()) as { sessions: { id: string; state: string }[] };
  expect(sessions.map(({ id, state }) => `${id} ${state}`)).toEqual(["early closed", "late open"]);
  await service.close();
  await system.close();
});

test("closed sessions are kept up to their number, the latest ones", async () => {
  const { system, json } = await httpService({ closedSessionsMax: 2 });
  for (const id of ["s1", "s2", "s3"]) await (await system.openSession({ id })).close();
  expect((await json("/api/sessions"))["sessions"]).toMatchObject([{ id: "s2" }, { id: "s3" }]);
  expect((await json("/api/sessions/s1/log"))["code"]).toBe("unknown_session");
});

test("an event stream gives every record once and in order, from any sequence on, and ends with the session", async () => {
  const { system, ask } = await httpService();
  const session = await system.openSession({ id: "s" });
  const live = ask("/api/sessions/s/events?from=0").then(allEvents);
  expect((await live).at(-1)?.event).toBe("gap"); // sequences begin at 1
  const first = ask(`/api/sessions/s/events?from=1`).then(allEvents);
  const team = await session.createTeam({ name: "T", members: [member("A"), member("B", { dependsOn: ["A"] })] });
  await team.finished();
  const late = ask("/api/sessions/s/events?from=4").then(allEvents);
  await session.close();
  const seqs = (await first).filter(({ event }) => event === "record").map(({ id }) => id!);
  expect(seqs.length).toBeGreaterThan(4);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect((await first).at(-1)?.event).toBe("closed");
  expect((await late).filter(({ event }) => event === "record").map(({ id }) => id)).toEqual(
    seqs.filter((n) => n >= 4),
  );
  expect((await first).find(({ id }) => id === 1)?.data).toMatchObject({
    seq: 1,
    step: 0,
    event: { type: "session.opened" },
  });
});

test("a stream that nothing happens on has a heartbeat", async () => {
  const { system, ask } = await httpService({ heartbeatMs: 20 });
  await system.openSession({ id: "s" });
  let count = 0;
  for await (const { event } of sentEvents(await ask("/api/sessions/s/events"))) {
    expect(event).toBe("heartbeat");
    if (++count === 3) break;
  }
});

test("texts of models come live, by whom and in which run", async () => {
  const text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
  const { system, ask } = await httpService({}, { script: { Lead: [{ text }] } });
  const session = await system.openSession({ id: "s", lead: { model: "scripted" } });
  const events = allEvents(await ask("/api/sessions/s/events"));
  await session.send("Count.");
  await session.close();
  const tokens = (await events).filter(({ event }) => event === "token").map(({ data }) => data);
  expect(tokens[0]).toMatchObject({ actor: "Lead", run: 1 });
  expect(text.startsWith(tokens.map((token) => String(token["text"])).join(""))).toBe(true);
});

test("a status waits for the next change, and says when there was none", async () => {
  const { system, json } = await httpService();
  const session = await system.openSession({ id: "s" });
  const { version } = await json("/api/sessions/s/status");
  expect(await json(`/api/sessions/s/status?since=${String(version)}&waitMs=30`)).toMatchObject({ changed: false });
  const waiting = json(`/api/sessions/s/status?since=${String(version)}&waitMs=20000`);
  await session.createTeam({ name: "T", members: [member("A")] });
  expect(await waiting).toMatchObject({ changed: true, team: "T" });
});

test("a recording that was fetched replays, and a page of records goes on where the last one ended", async () => {
  const { system, ask } = await httpService();
  const session = await system.openSession({ id: "s" });
  await (await session.createTeam({ name: "T", members: [member("A")] })).finished();
  const whole = (await (await ask("/api/sessions/s/records")).text()).trim().split("\n");
  const paged: string[] = [];
  for (let next: string | null = "1"; next !== null;) {
    const page: Response = await ask(`/api/sessions/s/records?from=${next}&max=2`);
    paged.push(...(await page.text()).trim().split("\n"));
    next = page.headers.get("x-next");
  }
  expect(paged).toEqual(whole);
  const recording = await ask("/api/sessions/s/recording");
  expect(recording.headers.get("content-disposition")).toBe('attachment; filename="s.ndjson"');
  const { replay } = await import("teamchart/testing");
  const { result } = await replay((await recording.text()).trim().split("\n"));
  expect(result?.outcome).toBe("completed");
});

test("a body is found by its digest in its own session, and in no other", async () => {
  const { system, json, ask } = await httpService();
  const session = await system.openSession({ id: "s" });
  await system.openSession({ id: "other" });
  await (await session.createTeam({ name: "T", members: [member("A")] })).finished();
  await session.sendMessage({ to: "broadcast", content: "x" }).catch(() => {});
  const lines = await (await ask("/api/sessions/s/records")).text();
  const [, digest] = /"body":\{"digest":"([0-9a-f]{64})"/.exec(lines)!;
  expect((await ask(`/api/sessions/s/bodies/${digest}`)).status).toBe(200);
  expect(await json(`/api/sessions/other/bodies/${digest}`)).toMatchObject({ code: "unknown_resource" });
});

test("messages are listed with who said them and where their texts are", async () => {
  const release = gate();
  const slow = { run: async () => (await release.promise, { summary: "x" }) };
  const { system, json } = await httpService({}, { agents: { echo, slow } });
  const session = await system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "slow" })] });
  await session.sendMessage({ to: "A", content: "hello" });
  await rejection(session.sendMessage({ to: "Bob", content: "hello" }));
  const { messages, mailboxes } = await json("/api/sessions/s/messages");
  expect(messages).toMatchObject([
    { from: "Lead", to: "A", kind: "text", verdict: "handled" },
    { from: "Lead", to: "Bob", verdict: "refused" },
  ]);
  expect(mailboxes).toMatchObject([{ actor: "Lead" }, { actor: "A", unread: 1, bytes: 5 }]);
  release.resolve();
});

test("a closed service ends its streams, and lets the system go on", async () => {
  const { system, ask, service } = await httpService();
  const session = await system.openSession({ id: "s" });
  const response = await ask("/api/sessions/s/events");
  await service.close();
  expect((await allEvents(response)).map(({ event }) => event)).toEqual(["heartbeat"]);
  expect(await (await ask("/readyz")).json()).toEqual({ ready: false, reasons: ["the service is closed"] });
  await session.createTeam({ name: "T", members: [member("A")] });
});

test("one stream too many is refused, and a place is free again when one ends", async () => {
  const { system, ask } = await httpService({ streamsMax: 1 });
  const session = await system.openSession({ id: "s" });
  const first = await ask("/api/sessions/s/events");
  const second = await ask("/api/sessions/s/events");
  expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([429, "too_many_streams"]);
  await session.close();
  await allEvents(first);
  expect((await ask("/api/sessions/s/events")).status).toBe(200);
});

test.each([
  [{ basePath: "teamchart" }, "createService.basePath"],
  [{ basePath: "/a/" }, "createService.basePath"],
  [{ auth: { token: "short" } }, "at least 22"],
  [{ control: "yes" }, "createService.control"],
  [{ contrl: true }, 'did you mean "control"'],
])("createService(%j) is refused", async (options, text) => {
  const system = await createTeamSystem({ environment: {} });
  expect(() => createService(system, options as object)).toThrow(
    expect.objectContaining({ code: "bad_input", message: expect.stringContaining(text) }),
  );
  await system.close();
});
