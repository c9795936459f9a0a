import { createTeamSystem } from "../../index.ts";
import type { Check } from "./check.ts";

const name = "scripted run";
const complete = (summary: string) => [{ calls: [{ tool: "complete", input: { summary } }] }];

/** Runs a team of two in this process, as a file with a script would, and says whether it came to its end. */
export async function tryScriptedRun(): Promise<Check> {
  try {
    await using system = await createTeamSystem({ environment: {}, script: { A: complete("a"), B: complete("b") } });
    await using session = await system.openSession();
    const members = [
      { name: "A", prompt: "Say a." },
      { name: "B", prompt: "Say b.", dependsOn: ["A" as const] },
    ] as const;
    const team = await session.createTeam({ name: "Doctor", members });
    const { outcome } = await team.finished();
    if (outcome !== "completed") throw new Error(`its outcome was ${outcome}`);
    return { name, state: "ok", text: "a team of two members came to its end (scripted model, no LLM)", next: null };
  } catch (error) {
    const text = `a team of two members did not come to its end: ${error instanceof Error ? error.message : String(error)}`;
    return { name, state: "missing", text, next: "npm ci" };
  }
}
