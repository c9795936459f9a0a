// A lead whose loop is your own: the session gives the tools and the mail, `generateText` stays yours.
import { generateText, isStepCount, type LanguageModel } from "ai";
import { createTeamSystem, defineAgent } from "teamchart";
import { completeAccepted } from "teamchart/tools";

/** Lets `model` lead a team of two and returns its last words. */
export async function leadTeam(model: LanguageModel): Promise<string> {
  await using system = await createTeamSystem({
    agents: {
      finder: defineAgent({
        description: "Finds facts.",
        run: async ({ send }) => {
          await send("Lead", "The cache is never cleared.");
          return { summary: "one fault" };
        },
      }),
      fixer: defineAgent({
        description: "Fixes what was found.",
        run: ({ upstream }) => ({ summary: `fixed ${upstream[0]?.summary}` }),
      }),
    },
  });
  const session = await system.openSession({ lead: "own" });
  const { text } = await generateText({
    model,
    prompt: "Find the fault in the cache and fix it.",
    tools: session.tools,
    prepareStep: session.prepareStep,
    stopWhen: [completeAccepted, isStepCount(20)],
  });
  return text;
}
