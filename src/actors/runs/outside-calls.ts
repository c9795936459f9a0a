import { isObject } from "../is-object.ts";
import type { OutsideAnswer } from "../../machines/index.ts";
import type { PendingCall } from "../../tools/pending.ts";
import type { SessionOwner } from "../owner/owner.ts";
import type { RunPort } from "./run-port.ts";
import type { RunSignal } from "./run-signal.ts";

/** The body of `external.asked`. */
export interface OutsideNote {
  readonly note: string;
}

interface OutsideSources {
  readonly owner: SessionOwner;
  readonly token: string;
  readonly signal: RunSignal;
}

/**
 * The calls of one run that wait for somebody outside. What they wait for is in the session's state, so a run that takes the
 * place of a lost one waits on, or finds the result that came meanwhile.
 */
export class OutsideCalls {
  readonly #port: Pick<RunPort, "report">;
  readonly #sources: OutsideSources;
  #waiting: (() => void)[] = [];

  constructor(port: Pick<RunPort, "report">, sources: OutsideSources) {
    this.#port = port;
    this.#sources = sources;
  }

  /** Whether the session has a wait or a result for this call of the run's actor. */
  holds(call: string): boolean {
    return this.#find(call) !== undefined;
  }

  /** Says that the call waits, and waits. Rejects with what the model is told when it ends without a result. */
  async wait(
    { call, tool }: { readonly call: string; readonly tool: string },
    { note, timeoutMs }: Pick<PendingCall, "note" | "timeoutMs">,
  ): Promise<unknown> {
    if (this.#answerOf(call) === null) {
      const asked = { type: "external.asked", call, tool: tool.slice(0, 200) } as const;
      const body: OutsideNote | undefined = note === null ? undefined : { note };
      await this.#port.report(timeoutMs === null ? asked : { ...asked, timeoutMs }, body);
    }
    for (;;) {
      this.#sources.signal.throwIfAborted();
      const answer = this.#answerOf(call);
      if (answer !== null) return this.#valueOf(answer, call);
      // Looked at and waited for in one go: whatever comes after the look pokes.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Something may have come, or the run is stopped: whoever waits looks again. */
  poke(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #find(call: string) {
    const { owner, token } = this.#sources;
    return owner.state.outside.find((each) => each.actor === token && each.call === call);
  }

  #answerOf(call: string): OutsideAnswer | null {
    return this.#find(call)?.answer ?? null;
  }

  #valueOf({ verdict, body }: OutsideAnswer, call: string): unknown {
    if (verdict === "timed_out") {
      const ms = this.#find(call)?.deadline?.ms ?? 0;
      throw new Error(`timeout: nobody finished this call from outside within ${ms} ms`);
    }
    const outcome = body === null ? null : this.#sources.owner.bodies.get(body.digest);
    if (!isObject(outcome)) throw new Error("the result of this call is not there any more");
    if ("error" in outcome) throw new Error(String(outcome.error));
    return "result" in outcome ? outcome.result : null;
  }
}
