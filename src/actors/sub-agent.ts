import { generateText, isStepCount, type LanguageModel, type ToolSet } from "ai";
import { TeamError } from "../errors/index.ts";
import type { CallContext, SubAgentTask } from "../tools/index.ts";
import { isFunctionAgent, type Agent, type FunctionAgent, type ModelAgent } from "./agent.ts";
import type { ModelPool } from "./model-pool.ts";

/** What a sub-agent needs from its session. */
export interface SubAgentOptions {
  readonly agent: Agent;
  readonly models: ModelPool;
  readonly leadModel: LanguageModel | undefined;
  readonly toolsOf: (agent: ModelAgent | FunctionAgent) => ToolSet;
  readonly stepsMax: number;
}

/**
 * Runs a one-shot sub-agent of the lead's `task` tool to its end: a model, its tools, one answer. It is in no team: it has
 * no mailbox, no team tools, and nobody sees it but the lead that waits for it.
 */
export async function runSubAgent(
  { prompt, agentType }: SubAgentTask,
  { signal }: CallContext,
  { agent, models, leadModel, toolsOf, stepsMax }: SubAgentOptions,
): Promise<string> {
  if (isFunctionAgent(agent)) {
    const how = `Use a member of a team: "${agentType}" is a function`;
    throw new TeamError("disabled", { what: `task with the agent type ${agentType}`, how });
  }
  const { model } = await models.ready(agent.model, leadModel);
  const { text } = await generateText({
    model,
    instructions: agent.instructions ?? "",
    prompt,
    tools: withoutAsked(toolsOf(agent), agent.ask ?? []),
    stopWhen: isStepCount(stepsMax),
    maxRetries: 0,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  return text;
}

/** A sub-agent is nobody whom a permission could be given to: tools that must ask are refused to it. */
function withoutAsked(tools: ToolSet, asked: readonly string[]): ToolSet {
  const refused = (name: string) => () =>
    `PERMISSION_DENIED: ${name} was NOT executed: it needs a permission, and a sub-agent can't ask for one. Do: say what is needed in your answer.`;
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      asked.includes(name) ? { ...tool, execute: refused(name) } : tool,
    ]),
  );
}
