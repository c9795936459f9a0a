import { expect, test } from "vitest";
import { scriptedModel } from "teamchart/testing";
import { leadTeam } from "./own-lead.ts";

const members = [
  { name: "Finder", agentType: "finder", prompt: "Find it." },
  { name: "Fixer", agentType: "fixer", prompt: "Fix it.", dependsOn: ["Finder"] },
];

test("a lead of one's own creates a team, waits for it and reads its mail", async () => {
  const model = scriptedModel([
    { calls: [{ tool: "team_create", input: { name: "Cache", members } }] },
    { waitFor: { Fixer: "completed" } },
    { calls: [{ tool: "team_dissolve", input: {} }] },
    { text: "Done." },
  ]);
  const prompts: string[] = [];
  const { doGenerate } = model;
  model.doGenerate = (options) => {
    prompts.push(JSON.stringify(options.prompt));
    return doGenerate.call(model, options);
  };
  expect(await leadTeam(model)).toBe("Done.");
  model.assertExhausted();
  expect(prompts.some((prompt) => prompt.includes("The cache is never cleared."))).toBe(true);
});
