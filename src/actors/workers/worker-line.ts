import type { Applied } from "../../machines/index.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { Outgoing, SessionOwner } from "../owner/owner.ts";
import type { RunLine } from "../runs/run-port.ts";
import { RunStopped } from "../runs/run-signal.ts";

/** How a worker's run stands: the session's current one; of an earlier owner and not adopted yet; or over. */
export type Standing = "current" | "between" | "over";

/** What a line needs of its run. */
export interface WorkerLineOptions {
  readonly owner: Pick<SessionOwner, "apply" | "command" | "hold">;
  /** The epoch of the owner who started the run. */
  readonly epoch: number;
  readonly standing: () => Standing;
  /** How many owners have come since the run began here. */
  readonly takeovers: () => number;
  /** Something was refused although the run is the current one: somebody else reports for it. */
  readonly onFenced: (why: string) => void;
}

const isCounted = ({ verdict }: Applied): boolean => verdict === "handled" || verdict === "ignored";

const isFenced = (reply: Reply): boolean =>
  "refused" in reply && reply.refused.some(({ code }: { readonly code: string }) => code === "fenced");

/** A new owner cancels what waited for a permission; whoever goes on under it must ask again. */
const isCancelledAsk = ({ event }: Outgoing, reply: Reply): boolean =>
  event.type === "permission.ask" &&
  "ok" in reply &&
  reply.ok.type === "permission" &&
  reply.ok.verdict === "cancelled";

/** The same request under an id of its own: the answer to the first one is remembered. */
function askedAgain({ command, ...rest }: Outgoing, times: number): Outgoing {
  if (command === undefined || !("call" in command)) return rest;
  return { ...rest, command: { ...command, call: `${command.call}-${times}` } };
}

/**
 * A run's way to the log of a session that another process owns. A report counts when it has come back and was taken.
 * What comes to the log between two owners is refused there: it is held back, and repeated once the next owner has adopted
 * the run.
 */
export class WorkerLine implements Pick<SessionOwner, "append" | "command"> {
  readonly #options: WorkerLineOptions;
  #last: Promise<unknown> = Promise.resolve();
  #waiting: (() => void)[] = [];

  constructor(options: WorkerLineOptions) {
    this.#options = options;
  }

  /** The line of a run of which `k` reports were accepted. */
  from(k: number, by: string): RunLine {
    return { log: this, k, by };
  }

  /** Settles when nothing that was reported is under way. */
  get rests(): Promise<unknown> {
    return this.#last;
  }

  append(outgoing: Outgoing): Promise<number> {
    // A body that can't be one is refused before the report takes its place.
    if (outgoing.body !== undefined) this.#options.owner.hold(outgoing.body, outgoing.event);
    const stored = this.#last.then(() => this.#report(outgoing));
    this.#last = stored.catch(() => {});
    return stored;
  }

  async command(outgoing: Outgoing, signal?: AbortSignal): Promise<Reply> {
    const { owner, epoch, takeovers } = this.#options;
    for (let next = outgoing; ;) {
      const before = await this.#untilCurrent();
      const reply = await owner.command({ ...next, epoch }, signal);
      if (takeovers() === before) return reply;
      if (isCancelledAsk(outgoing, reply)) next = askedAgain(outgoing, takeovers());
      else if (!isFenced(reply)) return reply;
    }
  }

  /** The session has changed, or the run is stopped: whoever waits looks again. */
  changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  async #report(outgoing: Outgoing): Promise<number> {
    const { owner, epoch, takeovers, onFenced } = this.#options;
    for (;;) {
      const before = await this.#untilCurrent();
      const applied = await owner.apply({ ...outgoing, epoch });
      if (isCounted(applied)) return applied.seq;
      if (takeovers() !== before) continue;
      const why = `a report of it was not taken: ${applied.why ?? applied.verdict}`;
      onFenced(why);
      throw new RunStopped(`the run was stopped: ${why}`);
    }
  }

  /** Waits while nobody owns the run; resolves with how many owners have come. */
  async #untilCurrent(): Promise<number> {
    for (;;) {
      const standing = this.#options.standing();
      if (standing === "current") return this.#options.takeovers();
      if (standing === "over") throw new RunStopped("the run was stopped: it is no longer wanted");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
