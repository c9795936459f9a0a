import type { ToolSet } from "ai";
import { z } from "zod";
import { refusal } from "../../errors/index.ts";
import { isDefaultAgentType } from "../../protocol/default-agent-type.ts";
import { nearestName } from "../../protocol/names.ts";
import type { CallContext, TeamPort } from "../port.ts";
import { modelInput } from "./model-input.ts";
import { defaultTypeOf, hasChoice, type AgentTypeListing } from "./team-inputs.ts";
import { answerFrom, teamTool, type TeamToolDefinition } from "./team-tool.ts";
import type { leadToolNames } from "./team-tool-traits.ts";

/** A task for a sub-agent. */
export interface SubAgentTask {
  readonly description: string;
  readonly prompt: string;
  readonly agentType: string;
}

/** What the lead's own tools need beside its port. */
export interface LeadToolsOptions {
  /** The same list that `teamToolBlock` got. */
  readonly agentTypes: readonly AgentTypeListing[];
  /** Runs a sub-agent to its end and resolves with its text. It has no team tools. What it throws, the lead reads. */
  readonly runSubAgent: (task: SubAgentTask, call: CallContext) => Promise<string>;
}

const taskDescription = `Give one self-contained task to a sub-agent and wait for its answer. It sees only prompt, answers once and is gone; it can't be written to and writes to nobody. Several calls in one step run at the same time. For work that builds on other results, or needs members that talk to each other, use team_create.`;

const askDescription = `Ask the user a question and wait for the answer. Use it when only the user can know or decide, not for what you can find out. choices are suggestions; the user may answer something else.`;

const confirmDescription = `Ask the user for a yes or no and wait for it. Use it before something that can't be undone. The answer is the user's own words: go on only when it is a clear yes.`;

const Task = z.strictObject({
  description: z.string().describe("What the task is, in a few words."),
  prompt: z.string().describe("The whole task: the sub-agent sees nothing of your conversation."),
});
const Ask = z.strictObject({
  question: z.string(),
  choices: z.array(z.string()).default([]).describe("Suggested answers."),
});
const Confirm = z.strictObject({ question: z.string().describe("A question that yes or no answers.") });

const askInput = modelInput(Ask);
const confirmInput = modelInput(Confirm);
const leadTool = <Given, Value>(definition: Omit<TeamToolDefinition<Given, Value>, "leadOnly">) => ({
  ...definition,
  leadOnly: true,
});

/** What a hosted lead has beside the block. In a member's hands each of them is refused. */
export function leadTools(port: TeamPort, { agentTypes, runSubAgent }: LeadToolsOptions) {
  const known = agentTypes.map(({ name }) => name);
  const type = z.string().default(defaultTypeOf(agentTypes)).describe("One of the agent types that team_create lists.");
  const Typed = Task.extend({ agentType: type });
  const shown = hasChoice(agentTypes) ? Typed : Task;
  const askUser = async (question: string, choices: readonly string[], call: CallContext) => {
    if (question.trim() === "") {
      return { refused: [refusal("bad_input", { what: "question", problem: "it is empty" })] };
    }
    const reply = await port.command({ type: "question.ask", question, choices }, call);
    return answerFrom(reply, "question", () => ({ answer: port.answerOf(call.toolCallId) }));
  };
  const task = leadTool({ name: "task", description: taskDescription, input: modelInput(Typed, shown) });
  const ask = leadTool({ name: "ask_user_question", description: askDescription, input: askInput });
  const confirm = leadTool({ name: "confirm", description: confirmDescription, input: confirmInput });
  const tools = {
    task: teamTool(task, port, async (value, call) => {
      const { agentType } = value;
      if (!isDefaultAgentType(agentType) && !known.includes(agentType)) {
        const nearest = nearestName(agentType, known);
        const named = agentType.slice(0, 80);
        return {
          refused: [refusal("unknown_agent_type", { member: "the sub-agent", agentType: named, known, nearest })],
        };
      }
      return { ok: await runSubAgent(value, call) };
    }),
    ask_user_question: teamTool(ask, port, ({ question, choices }, call) => askUser(question, choices, call)),
    confirm: teamTool(confirm, port, ({ question }, call) => askUser(question, ["yes", "no"], call)),
  } satisfies ToolSet & Record<Exclude<(typeof leadToolNames)[number], "answer_permission" | "team_invite">, unknown>;
  return Object.freeze(tools);
}
