import { expect, test } from "vitest";
import { BodyStore } from "../../../src/actors/owner/body-store.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { complete, member, one, rejection, startSystem } from "../../support/sessions.ts";

test("a body of more than its limit is refused with both sizes in UTF-8 bytes, and not held", () => {
  const bodies = new BodyStore();
  expect(bodies.hold("ä".repeat(49), { bytesMax: 100 })).toMatchObject({ bytes: 100 });
  const hold = () => bodies.hold("ä".repeat(50), { what: "the body of message.send", bytesMax: 100 });
  expect(hold).toThrow(
    expect.objectContaining({
      code: "payload_too_large",
      data: { what: "the body of message.send", bytes: 102, bytesMax: 100 },
    }),
  );
  expect(bodies.size).toBe(1);
});

test("bodyBytesMax refuses plans, messages, prompts and answers with nothing changed, and the session goes on", async () => {
  await using tests = await startSystem({ script: { Lead: [{ text: "fine" }] }, limits: { bodyBytesMax: 1_000 } });
  const session = await tests.open({ lead: {} });
  const before = session.state.seq;
  const large = "x".repeat(1_500);
  const refused = [
    await rejection(session.createTeam({ name: "T", members: [{ name: "A", prompt: large }] })),
    await rejection(session.sendMessage({ to: "Lead", content: large })),
    await rejection(session.send(large)),
  ];
  for (const error of refused) expect(error).toMatchObject({ code: "payload_too_large", data: { bytesMax: 1_000 } });
  expect([session.state.seq, session.status().members]).toEqual([before, []]);
  expect(await session.send("short")).toBe("fine");
});

test("a model whose answer is larger than a body may be fails its member with that reason", async () => {
  const model = scriptedModel([{ text: "x".repeat(3_000) }, complete()]);
  await using tests = await startSystem({ agents: { it: { model } }, limits: { bodyBytesMax: 2_000 } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await team.finished();
  expect(member(session, "A")).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/^model_error: .*run\.answered has \d+ bytes \(limit 2000\)/u) as string,
  });
});

test("what the user says at once is limited by promptBytesMax, and a refused prompt wakes nobody", async () => {
  await using tests = await startSystem({ script: { Lead: [{ text: "fine" }] }, limits: { promptBytesMax: 10 } });
  const session = await tests.open({ lead: {} });
  expect(await rejection(session.send("x".repeat(11)))).toMatchObject({
    code: "prompt_too_large",
    data: { member: "Lead", bytes: 11, promptBytesMax: 10 },
  });
  expect([session.state.lead.unread, session.status().lead, session.alive.runs]).toEqual([[], "waiting_user", 0]);
  expect(await session.send("x".repeat(10))).toBe("fine");
});
