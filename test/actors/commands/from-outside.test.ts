import { expect, test } from "vitest";
import { call, complete, lookTool, member, one, rejection, startSystem, until } from "../../support/sessions.ts";

const idle = (name: string) => one(name, { lifetime: "persistent", agentType: "it" });

test.each(["schedule", "tool_result"] as const)(
  "a wake-up of kind %s wakes an idle member, which sees the kind and that the user sent it",
  async (kind) => {
    const shown: string[] = [];
    await using tests = await startSystem({
      script: { A: [complete(), call("look"), { text: "seen" }] },
      agents: { it: { tools: { look: lookTool(shown) } } },
    });
    const session = await tests.open();
    await session.createTeam({ name: "T", members: [idle("A")] });
    await until(() => member(session, "A").presence === "idle");
    expect(await session.wake("A", { kind, content: "Check the queue." })).toEqual({
      accepted: true,
      to: [{ name: "A", status: "idle" }],
    });
    await until(() => shown.length === 1 && member(session, "A").presence === "idle");
    expect(JSON.parse(JSON.stringify(shown[0]))).toContain(`kind=\\"${kind}\\" trust=\\"user\\"`);
    expect(shown[0]).toContain("Check the queue.");
    expect(session.status().messages).toMatchObject({ accepted: 1, delivered: 1 });
  },
);

test("a wake-up begins a turn of a hosted lead that waits for its user, with or without a team", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: { Lead: [call("look"), { text: "checked" }, { text: "checked again" }], A: [{ hang: true }] },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  expect(session.status().lead).toBe("waiting_user");
  await session.wake("Lead", { kind: "schedule", content: "It is nine." });
  await until(() => session.answer === "checked");
  expect(shown[0]).toContain("It is nine.");
  await session.createTeam({ name: "T", members: [one("A")] });
  await session.wake("team-lead", { kind: "tool_result", content: "The build is done." });
  await until(() => session.answer === "checked again");
});

test("a wake-up is refused as mail is: an unknown name, a closed recipient, a text that is too long", async () => {
  await using tests = await startSystem({ script: { A: [complete()] }, limits: { messageBytesMax: 10 } });
  const session = await tests.open();
  await (await session.createTeam({ name: "T", members: [one("A")] })).finished();
  const wake = (name: string, content = "now") => rejection(session.wake(name, { kind: "schedule", content }));
  expect(await wake("Aa")).toMatchObject({ code: "unknown_recipient", data: { nearest: "A" } });
  expect(await wake("A")).toMatchObject({ code: "recipient_closed" });
  expect(await wake("Lead", "x".repeat(11))).toMatchObject({ code: "message_too_large" });
  expect(await wake("broadcast")).toMatchObject({ code: "bad_input" });
  const kind = "text" as never;
  expect(await rejection(session.wake("A", { kind, content: "x" }))).toMatchObject({ code: "bad_input" });
});

test("without a lead a wake-up of the Lead is delivered to the host, who is it", async () => {
  await using tests = await startSystem();
  const session = await tests.open();
  await session.wake("Lead", { kind: "schedule", content: "now" });
  expect(session.status().messages).toMatchObject({ accepted: 1, delivered: 1, unread: 0 });
});
