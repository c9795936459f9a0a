import type { ToolSet } from "ai";
import { z } from "zod";
import { refusal } from "../../errors/index.ts";
import type { TeamPort } from "../port.ts";
import { modelInput } from "./model-input.ts";
import { answerFrom, teamTool } from "./team-tool.ts";

const submitPlan = Object.freeze({
  name: "submit_plan",
  description:
    "Submit your plan and wait until it is approved. Until then you can read, but neither change anything nor deliver. " +
    "When approved is false, change the plan as remark says and submit it again.",
  input: modelInput(z.strictObject({ plan: z.string().describe("What you will do, step by step.") })),
  leadOnly: false,
});

/**
 * What a member declared with `requirePlan` has after all its other tools, from its first step to its last. It is not in
 * the block: nobody else has a use for it.
 */
export function planTools(port: TeamPort) {
  const tools = {
    submit_plan: teamTool(submitPlan, port, async ({ plan }, call) => {
      if (plan.trim() === "") return { refused: [refusal("bad_input", { what: "plan", problem: "it is empty" })] };
      const reply = await port.command({ type: "plan.submit", plan }, call);
      return answerFrom(reply, "plan", ({ approved }) => {
        const remark = port.answerOf(call.toolCallId);
        return { approved, ...(remark === "" ? {} : { remark }) };
      });
    }),
  } satisfies ToolSet;
  return Object.freeze(tools);
}
