import { expect, test } from "vitest";
import type { ScriptInput } from "../../../src/protocol/script.ts";
import { call, gate, lookTool, one, rejection, settle, startSystem, until } from "../../support/sessions.ts";

const create = (...members: object[]) => call("team_create", { name: "T", members });

/** A session with a hosted lead, and a member `A` of type `it` that works until the test lets it go on. */
async function startLead(script: ScriptInput) {
  const go = gate();
  const shown: string[] = [];
  const tests = await startSystem({ script, agents: { it: { run: () => go.promise.then(() => ({})) } } });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  return { ...tests, session, shown, go };
}

test("send resolves with the answer of the turn that read the prompt, even when the lead goes on at once with its next turn", async () => {
  const { session, clock, go, system } = await startLead({
    Lead: [create(one("A", { agentType: "it" })), { text: "it is under way", delayMs: 1_000 }, { text: "it is done" }],
  });
  const sent = session.send("Go.");
  await until(() => session.status().state === "running" && clock.pending > 0);
  go.resolve();
  await until(() => session.status().state === "finished");
  await clock.advance(1_000);
  expect(await sent).toBe("it is under way");
  await until(() => session.answer === "it is done");
  await system.close();
});

test("a prompt that comes after a turn's last look gets the answer of the next turn, and the first one keeps its own", async () => {
  const { session, clock, system } = await startLead({ Lead: [{ text: "one", delayMs: 1_000 }, { text: "two" }] });
  const first = session.send("first");
  await until(() => clock.pending > 0);
  const second = session.send("second");
  await settle();
  await clock.advance(1_000);
  expect(await Promise.all([first, second])).toEqual(["one", "two"]);
  await system.close();
});

test("a session that is closed before the answer refuses the prompt with fenced", async () => {
  const { session, system } = await startLead({ Lead: [{ hang: true }] });
  const sent = rejection(session.send("Go."));
  await until(() => session.status().lead === "thinking");
  await session.close();
  expect(await sent).toMatchObject({ code: "fenced" });
  expect(await rejection(session.send("Go."))).toMatchObject({ code: "fenced" });
  await system.close();
});

test("mail of a lead without a team waits for the next prompt, and the session is settled meanwhile", async () => {
  const { session, shown, system } = await startLead({ Lead: [{ text: "one" }, call("look"), { text: "two" }] });
  await session.send("first");
  await session.sendMessage({ to: "Lead", content: "by the way" });
  await session.settled();
  expect(session.status().lead).toBe("waiting_user");
  expect(await session.send("second")).toBe("two");
  expect(shown[0]).toMatch(/by the way/u);
  await system.close();
});

test("mail of a lead whose members are at work wakes it, and the session is settled when they are through", async () => {
  const { session, shown, go, system } = await startLead({
    Lead: [create(one("A", { agentType: "it" })), { text: "one" }, call("look"), { text: "read" }, { text: "done" }],
  });
  await session.send("Go.");
  let isSettled = false;
  const settled = session.settled().then(() => (isSettled = true));
  await session.sendMessage({ to: "Lead", content: "by the way" });
  await until(() => session.answer === "read" && session.status().lead === "ended");
  expect([shown[0], isSettled]).toEqual([expect.stringContaining("by the way"), false]);
  go.resolve();
  await settled;
  expect(session.answer).toBe("done");
  await system.close();
});
