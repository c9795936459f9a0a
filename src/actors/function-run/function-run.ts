import type { ToolSet } from "ai";
import { TeamError } from "../../errors/index.ts";
import type { Mail } from "../../machines/index.ts";
import type { SendResult } from "../../protocol/reply.ts";
import type { TeamCommand } from "../../tools/port.ts";
import type { Permit, PermitRequest } from "../../tools/permit.ts";
import type { WorkspaceView } from "../../tools/workspace/index.ts";
import { functionTool, type FunctionAgent, type FunctionRun, type UpstreamResult } from "../agents/agent.ts";
import { FunctionCalls } from "./function-calls.ts";
import { FunctionShutdown, type OpenShutdown } from "./function-shutdown.ts";
import { gatedTools } from "../permissions/gated-tools.ts";
import type { PermissionGate } from "../permissions/permission-gate.ts";
import type { StartedRun } from "../runs/run-board.ts";
import type { HookReport } from "../hooks/hook-runner.ts";
import type { RunHooks } from "../hooks/run-hooks.ts";
import { RunMail } from "../mail/run-mail.ts";
import type { RunPort } from "../runs/run-port.ts";
import type { RunSignal } from "../runs/run-signal.ts";
import type { TakenMailItem } from "../mail/taken-mail.ts";
import type { MemberBoard } from "../session/task-board.ts";
import { failureText, toJson, type Pend } from "../model-run/tool-calls.ts";

/** What a run of a function agent may ask its session for. */
export interface FunctionInputs {
  readonly team: string;
  readonly prompt: string;
  /** The files, held to what `gate` lets be reached. */
  workspace(gate: PermissionGate, nextCall: () => string): WorkspaceView | null;
  gate(agent: FunctionAgent, port: RunPort): PermissionGate;
  /** Takes in what the run is about to read; gives the ways on which it came. */
  heard(mail: readonly Mail[]): readonly (readonly string[])[];
  /** What a run of this turn has read that was lost. */
  readAgain(): readonly TakenMailItem[];
  upstream(): readonly UpstreamResult[];
  /** The team's board, or null. */
  board(port: RunPort, idOf: (command: TeamCommand) => string, signal: AbortSignal): MemberBoard | null;
  unread(): readonly Mail[];
  contentOf(mail: Pick<Mail, "body">): string;
  /** Calls that a run before this one has left waiting: the function begins anew, and knows nothing of them. */
  readonly leftOpen: readonly string[];
  /** Whether its work is still to be delivered. */
  isWorking(): boolean;
  openShutdown(): OpenShutdown | null;
  onFault(fault: unknown): void;
}

interface Run {
  readonly port: RunPort;
  readonly signal: RunSignal;
}

/** A function agent that is running. What it needs is made when it is asked for: most agents need little. */
class RunningFunction implements FunctionRun {
  readonly #inputs: FunctionInputs;
  readonly #agent: FunctionAgent;
  readonly #port: RunPort;
  readonly #signal: RunSignal;
  #mail: RunMail | null = null;
  #called = 0;
  #calls: FunctionCalls | null = null;
  #tools: ToolSet | null = null;
  readonly #waiting = new Set<string>();
  #gateMade: PermissionGate | null = null;

  constructor(inputs: FunctionInputs, agent: FunctionAgent, { port, signal }: Run) {
    this.#inputs = inputs;
    this.#agent = agent;
    this.#port = port;
    this.#signal = signal;
  }

  get leftOpen(): readonly string[] {
    return this.#inputs.leftOpen;
  }
  get name(): string {
    return this.#port.caller;
  }
  get team(): string {
    return this.#inputs.team;
  }
  get prompt(): string {
    return this.#inputs.prompt;
  }
  get upstream(): readonly UpstreamResult[] {
    return this.#inputs.upstream();
  }
  get mail(): RunMail {
    return (this.#mail ??= new RunMail(this.#inputs, this.#port, this.#signal));
  }
  get board(): MemberBoard | null {
    return this.#inputs.board(this.#port, (command) => this.#idOf("task", command), this.#signal.signal);
  }
  get signal(): AbortSignal {
    return this.#signal.signal;
  }
  get tools(): ToolSet {
    return (this.#tools ??= gatedTools(this.#agent.tools ?? {}, {
      gate: this.#gate,
      nextCall: this.#nextCall,
      pend: this.#pend,
      trace: this.#port.trace,
    }));
  }
  get workspace(): WorkspaceView | null {
    return this.#inputs.workspace(this.#gate, this.#nextCall);
  }
  get #gate(): PermissionGate {
    return (this.#gateMade ??= this.#inputs.gate(this.#agent, this.#port));
  }
  /** No model made the call or reads its result: it begins when it has to wait, and has no other end than this one. */
  readonly #pend: Pend = async (call, pending) => {
    if (this.#waiting.has(call.call))
      throw new TeamError("bad_input", {
        what: `call ${call.call}`,
        problem: "it waits already; give each call its own id",
      });
    this.#waiting.add(call.call);
    await this.#port.report({ type: "tool.started", call: call.call, tool: call.tool.slice(0, 200) });
    try {
      const value = await this.#port.outside.wait(call, pending);
      await this.#port.report({ type: "tool.ended", call: call.call, verdict: "ok" });
      return value;
    } catch (error) {
      await this.#port.report({ type: "tool.ended", call: call.call, verdict: "error" });
      throw error;
    } finally {
      this.#waiting.delete(call.call);
    }
  };
  #idOf(kind: "send" | "task", asked: unknown): string {
    return (this.#calls ??= new FunctionCalls()).next(kind, asked);
  }
  readonly #nextCall = (): string => `call-${++this.#called}`;

  // Bound, as below.
  readonly permit = (request: PermitRequest): Promise<Permit> =>
    this.#gate.permit(request, { call: this.#nextCall(), tool: functionTool });

  // Agents take it out of the object (`run: ({ send }) => ...`), so it is bound.
  readonly send = async (to: string, content: string): Promise<SendResult> => {
    if (typeof to !== "string" || typeof content !== "string" || content === "") {
      throw new TeamError("bad_input", {
        what: "message",
        problem: "it needs a recipient and a content that is not empty",
      });
    }
    const reply = await this.#port.command(
      { type: "message.send", to, content },
      { toolCallId: this.#idOf("send", [to, content]), signal: this.#signal.signal },
    );
    if ("refused" in reply) throw TeamError.from(reply.refused);
    if (reply.ok.type !== "sent") throw new TeamError("kernel_error", { problem: `${reply.ok.type} answers a send` });
    return { accepted: true, to: reply.ok.to };
  };

  poke(): void {
    this.#mail?.poke();
    this.#port.poke();
  }
}

class StartedFunction implements StartedRun {
  readonly done: Promise<void>;
  readonly failed = null;
  readonly #running: RunningFunction;
  readonly #signal: RunSignal;
  readonly #shutdown: FunctionShutdown;

  constructor(inputs: FunctionInputs, agent: FunctionAgent, run: Run) {
    this.#running = new RunningFunction(inputs, agent, run);
    this.#signal = run.signal;
    const { port } = run;
    const onFault = (fault: unknown): void => inputs.onFault(fault);
    this.#shutdown = new FunctionShutdown({ agent, port, open: () => inputs.openShutdown(), onFault });
    this.done = this.#shutdown.isAsked ? this.#answerFirst(inputs, agent, run) : runFunction(this.#running, agent, run);
  }

  /** A member that is asked when its run begins was idle, or its run was lost: the function is not called for nothing. */
  async #answerFirst(inputs: FunctionInputs, agent: FunctionAgent, run: Run): Promise<void> {
    try {
      if (await this.#shutdown.answer()) return;
      if (inputs.isWorking()) await runFunction(this.#running, agent, run);
      else await run.port.report({ type: "turn.ended", finish: "stop" });
    } catch {
      // Nobody is left to tell when this can't be stored: the owner has reported it, and a stop needs no telling.
    }
  }

  abort(reason: string): void {
    this.#signal.abort(reason);
    // Whoever waits for mail learns of it.
    this.#running.poke();
  }

  poke(): void {
    this.#running.poke();
    this.#shutdown.poke();
  }
}

const summaryBytesMax = 4_096;

/** Starts a function agent. Whatever it does, its run ends with one outcome and nothing is thrown here. */
export const startFunction = (inputs: FunctionInputs, agent: FunctionAgent, run: Run): StartedRun =>
  new StartedFunction(inputs, agent, run);

async function runFunction(running: RunningFunction, agent: FunctionAgent, run: Run): Promise<void> {
  const { port, signal } = run;
  try {
    for (const call of running.leftOpen) await port.report({ type: "tool.ended", call, verdict: "interrupted" });
    const { trace } = port;
    const result = await (trace === null ? agent.run(running) : trace.within(() => agent.run(running)));
    if (signal.aborted) return;
    const body = result === undefined ? undefined : resultBody(result);
    const answer = port.hooks === null ? {} : await askAtEnd(port.hooks, body, run);
    if (answer !== null) await port.report({ type: "run.completed", ...answer }, body);
  } catch (error) {
    if (signal.aborted) return;
    const reason = failureText(error).slice(0, 500);
    // Nobody is left to tell when even this can't be stored: the owner has reported it.
    await port.report({ type: "run.failed", reason }).catch(() => {});
  }
}

/** What hooks say to a function's end: a part of its report, or null when one of them has stopped the member. */
async function askAtEnd(
  hooks: RunHooks,
  result: { readonly summary: string; readonly paths: readonly string[] } | undefined,
  { port, signal }: Run,
): Promise<{ readonly hook?: HookReport } | null> {
  const delivery = await hooks.complete(result ?? { summary: "", paths: [] }, { call: null, signal: signal.signal });
  const on = delivery === null ? "idle" : "complete";
  const verdict = delivery ?? (await hooks.idle({ delivered: true, signal: signal.signal }));
  if (verdict === null) return {};
  if ("block" in verdict) return { hook: { on, feedback: verdict.block } };
  await port.stop(on === "idle" ? "onMemberIdle" : "onComplete", verdict.stop);
  return null;
}

/** The result as data: a summary that fits and a list of paths; anything else is the agent's fault. */
function resultBody(result: { readonly summary?: unknown; readonly paths?: unknown }): {
  summary: string;
  paths: string[];
} {
  const { summary = "", paths = [] } = typeof result === "object" ? result : { summary: null };
  if (typeof summary !== "string" || !Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    throw new TypeError(`the agent returned ${JSON.stringify(toJson(result))?.slice(0, 200)}, not { summary, paths }`);
  }
  const bytes = Buffer.byteLength(summary);
  if (bytes > summaryBytesMax)
    throw new TeamError("payload_too_large", { what: "the summary", bytes, bytesMax: summaryBytesMax });
  return { summary, paths };
}
