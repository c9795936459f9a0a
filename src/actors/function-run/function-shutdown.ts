import type { FunctionAgent, ShutdownRequest } from "../agents/agent.ts";
import { isObject } from "../is-object.ts";
import { toJson } from "../model-run/tool-calls.ts";
import type { RunPort } from "../runs/run-port.ts";

/** A request to shut down as it stands now. */
export interface OpenShutdown {
  /** Which request it is: a member may be asked twice. */
  readonly id: number;
  readonly request: ShutdownRequest;
}

/** What the answering of requests needs of its run. */
export interface FunctionShutdownOptions {
  readonly agent: FunctionAgent;
  readonly port: RunPort;
  /** The request that waits for an answer, or null. */
  readonly open: () => OpenShutdown | null;
  /** Told of what `onShutdown` throws. */
  readonly onFault: (fault: unknown) => void;
}

const reasonMax = 600;

/** Answers requests to shut down in the name of a function agent, each one once. */
export class FunctionShutdown {
  readonly #options: FunctionShutdownOptions;
  #asked = -1;

  constructor(options: FunctionShutdownOptions) {
    this.#options = options;
  }

  /** Whether its member is asked now. */
  get isAsked(): boolean {
    return this.#options.open() !== null;
  }

  /** Looks for a request that was not seen yet. A function without `onShutdown` has its grace period. */
  poke(): void {
    const { agent } = this.#options;
    if (agent.onShutdown === undefined) return;
    const open = this.#options.open();
    if (open === null || open.id === this.#asked) return;
    // Nobody is left to tell when the answer can't be stored: the owner has reported it.
    this.#answer(open).catch(() => {});
  }

  /** Answers the request of a member that was woken for it; true when it agrees. */
  async answer(): Promise<boolean> {
    const open = this.#options.open();
    return open === null ? false : this.#answer(open);
  }

  async #answer({ id, request }: OpenShutdown): Promise<boolean> {
    this.#asked = id;
    const refusal = await this.#refusalOf(request);
    const accept = refusal === null;
    await this.#options.port.report({ type: "shutdown.replied", accept, reason: refusal ?? "" });
    return accept || request.isFinal;
  }

  /** Why it refuses, or null. */
  async #refusalOf(request: ShutdownRequest): Promise<string | null> {
    const { agent, onFault } = this.#options;
    try {
      return reasonOf(await agent.onShutdown?.(request));
    } catch (fault) {
      onFault(fault);
      return null;
    }
  }
}

/** The reason of a refusal, or null: it agrees. Throws for what is no answer: nobody is let go of in silence by a mistake. */
function reasonOf(answer: unknown): string | null {
  if (answer === undefined || answer === null) return null;
  const { accept, reason }: { accept?: unknown; reason?: unknown } = isObject(answer) ? answer : {};
  if (accept === true) return null;
  if (accept !== false) {
    const shown = JSON.stringify(toJson(answer))?.slice(0, 200);
    throw new TypeError(`onShutdown answered ${shown}; answer nothing, { accept: true } or { accept: false, reason }`);
  }
  const given = typeof reason === "string" && reason.trim() !== "" ? reason : "no reason was given";
  return given.slice(0, reasonMax).toWellFormed();
}
