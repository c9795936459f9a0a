import { expect, test } from "vitest";
import type { Prompt } from "../../../src/actors/models/language-model-v4.ts";
import { planCall } from "../../../src/actors/models/script-plan.ts";
import { createTeamSystem } from "../../../src/index.ts";

const look = (id: string, version: number): Prompt => [
  { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "team_status", input: {} }] },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: id,
        toolName: "team_status",
        output: {
          type: "json",
          value: { state: "running", version, members: [{ name: "B", status: "in_progress" }] },
        },
      },
    ],
  },
];

test("a wait whose looks answer at once pauses between them, longer each time", () => {
  const entries = [{ waitFor: new Map([["B", "completed" as const]]) }];
  const prompt: Prompt = [];
  const pauses = Array.from({ length: 30 }, (_, version) => {
    const { entry, idOf } = planCall({ actor: "A", entries, position: 0 }, prompt);
    prompt.push(...look(idOf(0), version));
    return "delayMs" in entry ? entry.delayMs : 0;
  });
  expect(pauses.slice(0, 4)).toEqual([0, 0, 50, 100]);
  expect(pauses.at(-1)).toBe(1_000);
});

test("a member that waits for another holds up neither the team nor the process", async () => {
  const deliver = (summary: string) => ({ calls: [{ tool: "complete", input: { summary } }] });
  await using system = await createTeamSystem({
    script: { A: [{ waitFor: { B: "completed" } }, deliver("a")], B: [{ ...deliver("b"), delayMs: 300 }] },
  });
  const session = await system.openSession();
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 5);
  const team = await session.createTeam({ name: "T", members: ["A", "B"].map((name) => ({ name, prompt: name })) });
  const { members } = await team.finished();
  clearInterval(ticker);
  expect(members.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(ticks).toBeGreaterThan(5);
});
