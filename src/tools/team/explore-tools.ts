import type { ToolSet } from "ai";
import { z } from "zod";
import type { CallContext, TeamPort } from "../port.ts";
import { modelInput } from "./model-input.ts";
import { teamTool } from "./team-tool.ts";

const leaveExplore = Object.freeze({
  name: "leave_explore_mode",
  description:
    "You can look at everything and change nothing. Ask here to be let out of that, when your task needs a change, and " +
    "wait for the answer. When approved is false, go on without changing anything, as remark says.",
  input: modelInput(z.strictObject({ reason: z.string().describe("What you want to change, and why.") })),
  leadOnly: false,
});

/** How an actor asks to be let out of explore mode: `approved`, and what was said with the answer. */
export type AskToLeave = (
  reason: string,
  call: CallContext,
) => Promise<{ readonly approved: boolean; readonly remark: string | null }>;

/** What a member has after all its other tools as long as it only explores and somebody could let it out. */
export function exploreTools(port: TeamPort, ask: AskToLeave) {
  const tools = {
    leave_explore_mode: teamTool(leaveExplore, port, async ({ reason }, call) => {
      const { approved, remark } = await ask(reason, call);
      return { ok: { approved, ...(remark === null || remark === "" ? {} : { remark }) } };
    }),
  } satisfies ToolSet;
  return Object.freeze(tools);
}
