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
    tools: toolsOf(agent),
    stopWhen: isStepCount(stepsMax),
    maxRetries: 0,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  return text;
}
