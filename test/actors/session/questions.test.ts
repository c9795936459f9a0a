import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { oneIdModel } from "../../support/one-id-model.ts";
import { call, complete, member, one, startSystem, until, lookTool } from "../../support/sessions.ts";

test("U13: of a model whose calls all have one id, two messages of one answer both arrive", async () => {
  const shown: string[] = [];
  const send = (content: string) => ({ tool: "team_send_message", input: { to: "B", content } });
  const model = oneIdModel(
    scriptedModel({
      A: [{ calls: [send("first"), send("second")] }, call("look"), complete()],
      B: [complete(), { text: "read" }],
    }),
  );
  await using tests = await startSystem({ agents: { it: { model, tools: { look: lookTool(shown) } } } });
  const session = await tests.open();
  const persistent = { agentType: "it", lifetime: "persistent" };
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" }), one("B", persistent)] });
  await team.finished();
  expect(session.mail({ member: "B" }).mail.map(({ content }) => content)).toEqual(["second", "first"]);
  expect(shown[0]).toContain('"toolCallId":"call_0_2"');
});

test("two members whose calls have the same id get each the remark on its own plan", async () => {
  const shown: string[] = [];
  const look = lookTool(shown);
  const script = [call("submit_plan", { plan: "I will." }), call("look"), complete()];
  const model = oneIdModel(scriptedModel({ A: script, B: script }));
  await using tests = await startSystem({ agents: { it: { model, tools: { look } } } });
  const session = await tests.open();
  const planned = { agentType: "it", requirePlan: true };
  const team = await session.createTeam({ name: "T", members: [one("A", planned), one("B", planned)] });
  const waits = (name: string) => member(session, name).activity === "waiting_plan_approval";
  await until(() => waits("A") && waits("B"));
  await Promise.all([
    session.answerPlan("A", { approve: true, feedback: "words for A" }),
    session.answerPlan("B", { approve: true, feedback: "words for B" }),
  ]);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  for (const name of ["A", "B"]) {
    const own = shown.find((messages) => messages.includes(`Task of ${name}.`));
    expect(own).toContain(`words for ${name}`);
  }
});
