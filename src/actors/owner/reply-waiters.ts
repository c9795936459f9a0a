import type { CommandRef } from "../../machines/index.ts";
import type { Reply } from "../../protocol/reply.ts";

interface Waiter {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

const refKey = ({ from, id }: CommandRef): string => `${from}|${id}`;

/** Who waits for the reply to which command. */
export class ReplyWaiters {
  readonly #waiters = new Map<string, Waiter>();

  /** Waits for the reply to a command that `send` sends; `send` is given what to do when that fails. An abort gives up the wait only. */
  wait(
    ref: CommandRef,
    signal: AbortSignal | undefined,
    send: (fail: (fault: unknown) => void) => void,
  ): Promise<Reply> {
    const key = refKey(ref);
    return new Promise<Reply>((resolve, reject) => {
      const settle = (): void => {
        if (this.#waiters.get(key) === waiter) this.#waiters.delete(key);
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => waiter.reject(signal?.reason);
      const waiter: Waiter = {
        resolve: (reply) => {
          settle();
          resolve(reply);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.set(key, waiter);
      send(waiter.reject);
    });
  }

  /** Who waits for this reply now; whoever begins to wait later waits for another one. Null = nobody. */
  waiting(to: CommandRef): ((reply: Reply) => void) | null {
    return this.#waiters.get(refKey(to))?.resolve ?? null;
  }

  /** Tells everybody that no reply will come. */
  rejectAll(fault: () => unknown): void {
    for (const waiter of this.#waiters.values()) waiter.reject(fault());
    this.#waiters.clear();
  }
}
