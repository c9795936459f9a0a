import { exitCodes } from "../exit-codes.ts";
import type { Host } from "../host.ts";
import type { Output } from "../output.ts";

/** The user's wish to stop. */
export interface Interrupts {
  /** Resolves at the first one with who it came from: the user, or a reader that went away. Never when there is none. */
  readonly first: Promise<"user" | "reader">;
  /** Whether the user has wished it. */
  readonly isRaised: boolean;
  /** As if the user had pressed Ctrl-C; the second time the process exits at once. */
  raise(): void;
  /** Listens no longer. */
  close(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for signals, and for a stdout that nobody reads any more. */
export function watchInterrupts(host: Pick<Host, "on" | "off" | "exit">, output: Output): Interrupts {
  const { promise: first, resolve } = Promise.withResolvers<"user" | "reader">();
  let count = 0;
  const raise = (): void => {
    count += 1;
    if (count > 1) host.exit(exitCodes.interrupted);
    resolve("user");
  };
  const onClosed = (): void => resolve("reader");
  for (const signal of signals) host.on(signal, raise);
  if (output.closed.aborted) onClosed();
  else output.closed.addEventListener("abort", onClosed, { once: true });
  return {
    first,
    get isRaised() {
      return count > 0;
    },
    raise,
    close() {
      for (const signal of signals) host.off(signal, raise);
      output.closed.removeEventListener("abort", onClosed);
    },
  };
}
