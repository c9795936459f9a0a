import { tool } from "ai";
import { expect, test } from "vitest";
import { anyInput, call, complete, member, one, settle, startSystem, until } from "../../support/sessions.ts";

/** A tool that stops when it is told to, and otherwise never. */
const slow = tool({ inputSchema: anyInput, execute: () => new Promise<string>(() => {}) });

const create = (...members: object[]) => call("team_create", { name: "T", members });

test("R39, R55: the user interrupts a member of a hosted lead: its model call is aborted, the Lead reads why, nobody starts it again", async () => {
  await using tests = await startSystem({
    script: {
      Lead: [create(one("A", { agentType: "it" })), { text: "it is under way" }, { text: "noted" }],
      A: [call("slow"), complete("second try")],
    },
    agents: { it: { tools: { slow } } },
  });
  const session = await tests.open({ lead: {} });
  await session.send("Go.");
  await until(() => member(session, "A").activity === "tool");
  const inputs: unknown[] = [];
  session.events$.subscribe(({ step, from, actor, event }) => {
    if (step === 0 && event.type === "member.interrupt") inputs.push([from, actor]);
  });
  await session.interrupt("A", { reason: "it reads the wrong folder" });
  expect(member(session, "A")).toMatchObject({
    status: "failed",
    presence: "parked",
    reason: "interrupted: by the user: it reads the wrong folder",
  });
  expect(inputs).toEqual([["user", "A"]]);
  await until(() => session.status().lead === "ended");
  await tests.clock.advance(24 * 3_600_000);
  expect([member(session, "A").status, member(session, "A").attempt, session.alive.runs]).toEqual(["failed", 1, 0]);
  expect(session.mail({ member: "Lead" }).mail.map(({ notice }) => notice)).toContain("member_failed");
  await session.replan({ retry: [{ name: "A" }] });
  await until(() => member(session, "A").status === "completed");
  expect(member(session, "A")).toMatchObject({ attempt: 2, summary: "second try" });
});

test("R55: the turn that a delivered member takes on mail is ended, its work stays, and the next message wakes it", async () => {
  await using tests = await startSystem({
    script: { A: [complete("v1"), call("slow"), { text: "here I am" }] },
    agents: { it: { tools: { slow } } },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it", lifetime: "persistent" })] });
  await until(() => member(session, "A").presence === "idle");
  await session.sendMessage({ to: "A", content: "hello?" });
  await until(() => member(session, "A").activity === "tool");
  await session.interrupt("A");
  expect(member(session, "A")).toMatchObject({ status: "completed", presence: "idle", summary: "v1" });
  await session.sendMessage({ to: "A", content: "are you there?" });
  await until(() => member(session, "A").presence === "idle" && member(session, "A").modelCalls === 3);
});

test("who does nothing is not interrupted, and a live actor takes the event", async () => {
  await using tests = await startSystem({ agents: { it: { run: () => new Promise<never>(() => {}) } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" }), one("B", { dependsOn: ["A"] })] });
  await expect(session.interrupt("B")).rejects.toMatchObject({
    code: "not_running",
    data: { name: "B", status: "blocked" },
  });
  await expect(session.interrupt("Z")).rejects.toMatchObject({ code: "unknown_member" });
  const event = { type: "member.interrupt", reason: "enough" };
  session.actor("A")?.send(event);
  await settle();
  expect(member(session, "A").reason).toBe("interrupted: by the host: enough");
});

test("what a persistent member was about to do when it was interrupted is not done by its next attempt", async () => {
  const said = {
    calls: [
      { tool: "team_send_message", input: { to: "Lead", content: "hi" } },
      { tool: "complete", input: { summary: "of the first attempt", paths: [] } },
    ],
  };
  let asked = 0;
  await using tests = await startSystem({
    // The first message is held, and with it the delivery behind it.
    hooks: { onMessage: () => (++asked === 1 ? new Promise<never>(() => {}) : null) },
    script: { A: [said, complete("of the second attempt")] },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { lifetime: "persistent" })] });
  await until(() => asked === 1);
  await session.interrupt("A");
  await session.replan({ retry: [{ name: "A", prompt: "Do something else." }] });
  await until(() => member(session, "A").status === "completed");
  expect(member(session, "A")).toMatchObject({ attempt: 2, summary: "of the second attempt", modelCalls: 2 });
  expect(asked).toBe(1);
});
