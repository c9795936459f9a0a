import { expect, test } from "vitest";
import { gate, one, until } from "../../support/sessions.ts";
import { echo, httpService } from "../../support/http-service.ts";

const control = { control: true };

/** A service with a session whose members wait until `release` resolves. */
async function waiting(more: object = {}) {
  const release = gate();
  const slow = { run: async () => (await release.promise, { summary: "done" }) };
  const failing = { run: () => Promise.reject(new Error("no luck")) };
  const on = await httpService(control, { agents: { echo, slow, failing } });
  const session = await on.system.openSession({ id: "s", ...more });
  return { ...on, session, release };
}

test("what a person does is recorded as the user's, whoever leads", async () => {
  const { session, post } = await waiting();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "slow" }), one("B", { agentType: "slow" })] });
  const froms: string[] = [];
  session.events$.subscribe(({ step, from, event }) => {
    if (step === 0 && ["message.send", "team.replan", "team.dissolve"].includes(event.type))
      froms.push(`${event.type} ${from}`);
  });
  expect((await post("/api/sessions/s/messages", { to: "A", content: "hello" })).status).toBe(200);
  expect((await post("/api/sessions/s/members/B/cancel", { reason: "not needed" })).status).toBe(200);
  expect((await post("/api/sessions/s/dissolve", { mode: "abort" })).status).toBe(200);
  expect(froms).toEqual(["message.send user", "team.replan user", "team.dissolve user"]);
});

test("a failed member is tried again, with another prompt", async () => {
  const { session, post } = await waiting();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "failing" })] });
  await until(() => session.member("A")?.status === "failed");
  const answer = await post("/api/sessions/s/members/A/retry", { prompt: "Try it otherwise." });
  expect(await answer.json()).toMatchObject({ retried: ["A"] });
  await until(() => session.member("A")?.attempt === 2);
});

test("an idle member is shut down", async () => {
  const { session, post } = await waiting();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "echo", lifetime: "persistent" })] });
  await until(() => session.member("A")?.presence === "idle");
  expect((await post("/api/sessions/s/members/A/shutdown", {})).status).toBe(200);
  expect(session.member("A")?.presence).toBe("shutdown");
});

test("a message to a lead that the session runs is what the user says to it", async () => {
  const on = await httpService(control, { script: { Lead: [{ text: "Noted." }] } });
  const session = await on.system.openSession({ id: "s", lead: { model: "scripted" } });
  expect((await on.post("/api/sessions/s/messages", { to: "Lead", content: "Hello." })).status).toBe(200);
  await until(() => session.answer === "Noted.");
});

test("a preview says what is wrong and what would be, and changes nothing", async () => {
  const { session, post } = await waiting();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "slow" })] });
  const { seq, revision } = session.state;
  const wrong = await post("/api/sessions/s/replan/preview", { spec: { cancel: ["Bob"], add: [one("A")] } });
  expect(await wrong.json()).toMatchObject({
    ok: false,
    members: [],
    problems: [{ code: "unknown_member" }, { code: "name_collision", message: expect.stringContaining("A") }],
  });
  const good = await post("/api/sessions/s/replan/preview", {
    spec: { cancel: ["A"], add: [one("B", { agentType: "echo" })] },
  });
  expect(await good.json()).toMatchObject({ ok: true, members: [{ name: "A", status: "cancelled" }, { name: "B" }] });
  expect([session.state.seq, session.state.revision]).toEqual([seq, revision]);
});

test("R62: a refusal of the session is answered with its status and its code", async () => {
  const { session, post } = await waiting();
  expect((await post("/api/sessions/s/dissolve", {})).status).toBe(404);
  await session.createTeam({ name: "T", members: [one("A", { agentType: "slow" })] });
  const refused = await post("/api/sessions/s/members/Bob/cancel", {});
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, "unknown_member"]);
  const stale = await post("/api/sessions/s/replan", { spec: { revision: 99, cancel: ["A"] } });
  expect(stale.status).toBe(409);
  await session.close();
  expect((await post("/api/sessions/s/dissolve", {})).status).toBe(409);
});
