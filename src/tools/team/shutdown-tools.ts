import type { ToolSet } from "ai";
import { z } from "zod";
import { refusal } from "../../errors/index.ts";
import type { TeamPort } from "../port.ts";
import { modelInput } from "./model-input.ts";
import { answerFrom, teamTool } from "./team-tool.ts";

const reasonCharsMax = 600;

const shutdownReply = Object.freeze({
  name: "shutdown_reply",
  description:
    "Answer a shutdown_request. accept: true ends you at once: write first what others need of you. accept: false goes on " +
    "with your work, and reason is told to the Lead; you may refuse once. If your result is ready, call complete instead.",
  input: modelInput(
    z.strictObject({
      accept: z.boolean(),
      reason: z.string().max(reasonCharsMax).optional().describe("With accept false: why you must go on."),
    }),
  ),
  leadOnly: false,
});

/** What every member has to answer who wants it to shut down; it is of use only then. */
export function shutdownTools(port: TeamPort) {
  const tools = {
    shutdown_reply: teamTool(shutdownReply, port, async ({ accept, reason = "" }, call) => {
      if (!port.isAskedToShutDown()) {
        const problem = "nobody has asked you to shut down, or it was answered already; go on with your work";
        return { refused: [refusal("bad_input", { what: "shutdown_reply", problem })] };
      }
      if (!accept && reason.trim() === "") {
        const problem = "say why you must go on: the Lead reads it";
        return { refused: [refusal("bad_input", { what: "shutdown_reply.reason", problem })] };
      }
      const reply = await port.command({ type: "shutdown.reply", accept, reason }, call);
      return answerFrom(reply, "accepted", () => ({ accepted: true as const, goesOn: !accept }));
    }),
  } satisfies ToolSet;
  return Object.freeze(tools);
}
