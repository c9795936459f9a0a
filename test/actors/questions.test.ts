import { expect, test } from "vitest";
import { scriptedModel } from "../../src/actors/models/scripted-model.ts";
import { oneIdModel } from "../support/one-id-model.ts";
import { call, complete, member, one, startSystem, until, lookTool } from "../support/sessions.ts";

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
