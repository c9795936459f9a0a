import type { LanguageModel, ToolSet } from "ai";
import { TeamError } from "../errors/index.ts";
import type { CallContext } from "../tools/port.ts";
import type { SubAgentTask } from "../tools/team/index.ts";
import { isFunctionAgent, type Agent, type ModelAgent } from "./agent.ts";
import { messagesOf, textOf, type JournalEntry } from "./conversation.ts";
import { callModel, type ModelAnswer } from "./model-call.ts";
import type { ModelPool } from "./model-pool.ts";
import { executeGated } from "./permissions/execute-gated.ts";
import type { PermissionGate } from "./permissions/permission-gate.ts";
import { estimateCallTokens, type CallBudget } from "./token-budget.ts";

/** What a sub-agent needs from its session. */
export interface SubAgentOptions {
  readonly agent: Agent;
  readonly models: ModelPool;
  readonly leadModel: LanguageModel | undefined;
  readonly toolsOf: (agent: ModelAgent) => ToolSet;
  /** Judges its calls. It is nobody whom a permission could be given to: what must ask is refused to it. */
  readonly gateOf: (agent: ModelAgent) => PermissionGate;
  readonly stepsMax: number;
  /** A stream that is silent for this long is given up. */
  readonly chunkMs: number;
  /** The lead's: what a sub-agent uses is used by its lead. */
  readonly budget: CallBudget;
  /** Told of every answer; the next step waits for it. */
  readonly onAnswer: (answer: Pick<ModelAnswer, "usage" | "finish">) => Promise<unknown>;
}

/**
 * Runs a one-shot sub-agent of the lead's `task` tool to its end: a model, its tools, one answer. It is in no team: it has
 * no mailbox, no team tools, and nobody sees it but the lead that waits for it.
 */
export async function runSubAgent(
  { prompt, agentType }: SubAgentTask,
  { signal = new AbortController().signal }: CallContext,
  { agent, models, leadModel, toolsOf, gateOf, stepsMax, chunkMs, budget, onAnswer }: SubAgentOptions,
): Promise<string> {
  if (isFunctionAgent(agent)) {
    const how = `Use a member of a team: "${agentType}" is a function`;
    throw new TeamError("disabled", { what: `task with the agent type ${agentType}`, how });
  }
  const { model } = await models.ready(agent.model, leadModel);
  const [tools, gate] = [toolsOf(agent), gateOf(agent)];
  const instructions = agent.instructions ?? "";
  const journal: JournalEntry[] = [{ type: "injected", text: prompt }];
  for (let step = 0; step < stepsMax; step += 1) {
    const messages = messagesOf(journal);
    const call = { model, instructions, messages, tools, signal, chunkMs, providerOptions: {}, onText: () => {} };
    const { content, calls, invalid } = await reserved(budget, call, onAnswer);
    journal.push({ type: "answered", content }, ...invalid.map((each) => ({ type: "ended", ...each }) as const));
    if (calls.length === 0 && invalid.length === 0) return textOf(content);
    const shown = messagesOf(journal);
    const ended = await Promise.all(
      calls.map((each) => executeGated(each, { gate, tools, signal, messages: () => shown })),
    );
    signal.throwIfAborted();
    for (const { call: id, tool, output } of ended) journal.push({ type: "ended", call: id, tool, output });
  }
  throw new TeamError("budget_exceeded", { budget: "stepsMax", used: stepsMax, max: stepsMax });
}

/** One call, with its prompt reserved until what it really cost is known. */
async function reserved(
  budget: CallBudget,
  call: Parameters<typeof callModel>[0],
  onAnswer: SubAgentOptions["onAnswer"],
): Promise<ModelAnswer> {
  const release = budget.reserve(budget.isLimited ? estimateCallTokens(call.instructions, call.messages) : 0);
  try {
    const answer = await callModel(call);
    await onAnswer(answer);
    return answer;
  } finally {
    release();
  }
}
