import type { ToolSet } from "ai";
import { TeamError } from "../../errors/index.ts";
import type { CallContext } from "../../tools/port.ts";
import type { SubAgentTask } from "../../tools/team/index.ts";
import { isFunctionAgent, type Agent, type ModelAgent } from "../agents/agent.ts";
import { messagesOf, textOf, type JournalEntry } from "../model-run/conversation.ts";
import type { AgentOptions } from "../agents/agent-options.ts";
import type { OutputCap } from "../model-run/cap-output.ts";
import { callModel, type ModelAnswer } from "../model-run/model-call.ts";
import { priced, tellEffort } from "../model-run/model-caller.ts";
import type { ReadyModel } from "../model-run/model-pool.ts";
import { executeGated } from "../permissions/execute-gated.ts";
import type { PermissionGate } from "../permissions/permission-gate.ts";
import { estimateCallTokens, type CallBudget } from "../model-run/call-budget.ts";
import type { RunTrace } from "../telemetry/run-trace.ts";

/** What a sub-agent needs from its session. */
export interface SubAgentOptions {
  readonly agent: Agent;
  readonly resolve: () => Promise<ReadyModel>;
  readonly effort: AgentOptions["effort"];
  /** Told what a provider makes of an effort that it doesn't have. */
  readonly onNote: (note: string) => void;
  readonly cap: OutputCap;
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
  /** Spans of the lead's run, where somebody traces. */
  readonly trace: RunTrace | null;
}

/**
 * Runs a one-shot sub-agent of the lead's `task` tool to its end: a model, its tools, one answer. It is in no team: it has
 * no mailbox, no team tools, and nobody sees it but the lead that waits for it.
 */
export async function runSubAgent(
  { prompt, agentType }: SubAgentTask,
  { signal = new AbortController().signal }: CallContext,
  options: SubAgentOptions,
): Promise<string> {
  const { agent, effort, cap, toolsOf, stepsMax, chunkMs } = options;
  if (isFunctionAgent(agent)) {
    const how = `Use a member of a team: "${agentType}" is a function`;
    throw new TeamError("disabled", { what: `task with the agent type ${agentType}`, how });
  }
  if (agent.isolation === "worktree") {
    const reason = `a sub-agent works in the Lead's folder; make "${agentType}" a member of a team`;
    throw new TeamError("isolation_unavailable", { isolation: agent.isolation, reason });
  }
  const ready = await options.resolve();
  const [tools, gate] = [toolsOf(agent), options.gateOf(agent)];
  const instructions = agent.instructions ?? "";
  const journal: JournalEntry[] = [{ type: "injected", text: prompt }];
  for (let step = 0; step < stepsMax; step += 1) {
    const messages = messagesOf(journal);
    const call = {
      model: ready.model,
      instructions,
      messages,
      tools,
      signal,
      effort,
      chunkMs,
      providerOptions: {},
      onText: () => {},
    };
    const answer = await reserved(options, call, ready);
    const { content, calls, invalid } = answer;
    tellEffort(answer, ready, options);
    journal.push({ type: "answered", content }, ...invalid.map((each) => ({ type: "ended", ...each }) as const));
    if (calls.length === 0 && invalid.length === 0) return textOf(content);
    const shown = messagesOf(journal);
    const ended = await Promise.all(
      calls.map((each) =>
        executeGated(each, { gate, tools, signal, cap, trace: options.trace, messages: () => shown }),
      ),
    );
    signal.throwIfAborted();
    for (const { call: id, tool, output } of ended) journal.push({ type: "ended", call: id, tool, output });
  }
  throw new TeamError("budget_exceeded", { budget: "stepsMax", used: stepsMax, max: stepsMax });
}

/** One call, with its prompt reserved until what it really cost is known. */
async function reserved(
  { budget, onAnswer, trace }: SubAgentOptions,
  call: Parameters<typeof callModel>[0],
  ready: ReadyModel,
): Promise<ModelAnswer> {
  const tokens = budget.isLimited ? estimateCallTokens(call.instructions, call.messages) : 0;
  const release = budget.reserve({ tokens, price: ready.price });
  try {
    const { instructions, messages } = call;
    const model = ready.route;
    const ask = (): Promise<ModelAnswer> => callModel(call);
    const given = await (trace === null ? ask() : trace.chat({ model, prompt: { instructions, messages } }, ask));
    const answer = priced(given, ready);
    await onAnswer(answer);
    return answer;
  } finally {
    release();
  }
}
