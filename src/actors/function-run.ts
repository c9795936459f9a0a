import type { ToolSet } from "ai";
import { TeamError } from "../errors/index.ts";
import type { Mail } from "../machines/index.ts";
import type { SendResult } from "../protocol/reply.ts";
import type { WorkspaceView } from "../tools/workspace/index.ts";
import type { FunctionAgent, FunctionRun, MailReader, ReceivedMail, UpstreamResult } from "./agent.ts";
import type { RunPort } from "./run-port.ts";
import type { RunSignal } from "./run-signal.ts";
import { failureText, toJson } from "./tool-calls.ts";

/** What a run of a function agent needs from its session. */
export interface FunctionRunOptions {
  readonly agent: FunctionAgent;
  readonly port: RunPort;
  readonly signal: RunSignal;
  readonly team: string;
  readonly prompt: string;
  readonly workspace: () => WorkspaceView | null;
  readonly upstream: () => readonly UpstreamResult[];
  readonly unread: () => readonly Mail[];
  readonly contentOf: (mail: Mail) => string;
}

/** The run's view of its mailbox: what is handed out is journalled first, so that it is delivered once and none is lost. */
class RunMail implements MailReader {
  readonly #options: FunctionRunOptions;
  readonly #taken = new Set<string>();
  /** Readers that wait for mail, in the order in which they came. */
  readonly #waiting = new Set<() => void>();

  constructor(options: FunctionRunOptions) {
    this.#options = options;
  }

  // Agents take these out of the object (`const { next } = mail`), so they are bound.
  readonly take = (): Promise<readonly ReceivedMail[]> => this.#take(this.#unread());

  readonly next = async (): Promise<ReceivedMail> => {
    for (;;) {
      const [first] = await this.#take(this.#unread().slice(0, 1));
      if (first !== undefined) return first;
      await this.#arrival();
    }
  };

  /** Something may have come. */
  poke(): void {
    for (const wake of this.#waiting) wake();
  }

  #unread(): readonly Mail[] {
    return this.#options.unread().filter((each) => !this.#taken.has(each.id));
  }

  async #take(mail: readonly Mail[]): Promise<readonly ReceivedMail[]> {
    if (mail.length === 0) return [];
    const { contentOf, port } = this.#options;
    for (const each of mail) this.#taken.add(each.id);
    const received = mail.map((each) => ({ from: each.from, kind: each.kind, content: contentOf(each) }));
    await port.report({ type: "run.injected", mail: mail.map((each) => each.id) });
    return received;
  }

  /** Resolves at the next poke; rejects when the run is stopped. */
  #arrival(): Promise<void> {
    const { signal } = this.#options.signal;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(wake);
        reject(signal.reason);
      };
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", stop);
        resolve();
      };
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.add(wake);
    });
  }
}

/** A function agent that is running. What it needs is made when it is asked for: most agents need little. */
class RunningFunction implements FunctionRun {
  readonly #options: FunctionRunOptions;
  #mail: RunMail | null = null;
  #sent = 0;

  constructor(options: FunctionRunOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.port.caller;
  }
  get team(): string {
    return this.#options.team;
  }
  get prompt(): string {
    return this.#options.prompt;
  }
  get upstream(): readonly UpstreamResult[] {
    return this.#options.upstream();
  }
  get mail(): RunMail {
    return (this.#mail ??= new RunMail(this.#options));
  }
  get signal(): AbortSignal {
    return this.#options.signal.signal;
  }
  get tools(): ToolSet {
    return this.#options.agent.tools ?? {};
  }
  get workspace(): WorkspaceView | null {
    return this.#options.workspace();
  }

  // Agents take it out of the object (`run: ({ send }) => ...`), so it is bound.
  readonly send = async (to: string, content: string): Promise<SendResult> => {
    const { port, signal } = this.#options;
    const reply = await port.command(
      { type: "message.send", to: String(to), content: String(content) },
      { toolCallId: `send-${++this.#sent}`, signal: signal.signal },
    );
    if ("refused" in reply) throw TeamError.from(reply.refused);
    if (reply.ok.type !== "sent") throw new TeamError("kernel_error", { problem: `${reply.ok.type} answers a send` });
    return { accepted: true, to: reply.ok.to };
  };

  poke(): void {
    this.#mail?.poke();
  }
}

/** A started function agent. */
export interface StartedFunction {
  /** Settles when the run has been reported. */
  readonly done: Promise<void>;
  poke(): void;
}

const summaryBytesMax = 4_096;

/** Starts a function agent. Whatever it does, its run ends with one outcome and nothing is thrown here. */
export function startFunction(options: FunctionRunOptions): StartedFunction {
  const running = new RunningFunction(options);
  return { done: runFunction(options, running), poke: () => running.poke() };
}

async function runFunction({ agent, port, signal }: FunctionRunOptions, running: RunningFunction): Promise<void> {
  try {
    const result = await agent.run(running);
    if (signal.aborted) return;
    await port.report({ type: "run.completed" }, result === undefined ? undefined : resultBody(result));
  } catch (error) {
    if (signal.aborted) return;
    const reason = failureText(error).slice(0, 500);
    // Nobody is left to tell when even this can't be stored: the owner has reported it.
    await port.report({ type: "run.failed", reason }).catch(() => {});
  }
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
