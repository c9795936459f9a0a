import { channel, type Channel } from "node:diagnostics_channel";
import { callGuarded } from "../../protocol/call-guarded.ts";
import type { AppliedRecord } from "./owner.ts";

/** One input, as it was applied. Published on `teamchart.input`. */
export interface InputDiagnostic {
  /** Random name of the system, for processes that have several. */
  readonly system: string;
  readonly session: string;
  /** Token of the mailbox. */
  readonly actor: string;
  readonly from: string;
  readonly seq: number;
  readonly type: string;
  readonly verdict: "handled" | "ignored" | "stale" | "refused" | "error";
}

/** One append that is durable now. Published on `teamchart.append`. */
export interface AppendDiagnostic {
  readonly system: string;
  readonly session: string;
  readonly actor: string;
  readonly seq: number;
  /** From the call to the moment in which it was durable. */
  readonly ms: number;
}

/** A session that begins or ends here. Published on `teamchart.session`. */
export interface SessionDiagnostic {
  readonly system: string;
  readonly session: string;
  readonly state: "opened" | "closed";
}

/**
 * Channels of node:diagnostics_channel. Ask `hasSubscribers` before you make a message: without one nothing is to be made.
 * They belong to the process, as node has it; a message says whose it is.
 */
export const diagnostics = {
  input: channel("teamchart.input"),
  append: channel("teamchart.append"),
  session: channel("teamchart.session"),
} as const;

/** Whose it is. */
interface Place {
  readonly node: string;
  readonly session: string;
  /** Told of what a subscriber throws. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Publishes a message. A subscriber that throws would end the process by `publish`, which makes an uncaught exception of it:
 * so each is called here, where a fault is told of. Where the platform keeps its subscribers otherwise, it publishes itself.
 */
function publish(to: Channel, message: object, onFault: (fault: unknown) => void): void {
  // No documented property: its form is checked.
  const { _subscribers: subscribers } = to as unknown as { readonly _subscribers?: unknown };
  const isKnown = (each: unknown): each is (message: object, name: string | symbol) => unknown =>
    typeof each === "function";
  if (!Array.isArray(subscribers) || !subscribers.every(isKnown)) {
    to.publish(message);
    return;
  }
  for (const subscriber of subscribers) callGuarded(subscriber, onFault)(message, to.name);
}

/** Publishes an input as it was applied. */
export function publishInput({ node: system, session, onFault }: Place, { stored, applied }: AppliedRecord): void {
  const { actor, from, event } = stored.input;
  const message: InputDiagnostic = {
    system,
    session,
    actor,
    from,
    seq: stored.seq,
    type: event.type,
    verdict: applied.verdict,
  };
  publish(diagnostics.input, message, onFault);
}

/** Publishes that a session begins or ends here. */
export function publishSession(
  { node: system, config, onFault }: Omit<Place, "session"> & { readonly config: { readonly session: string } },
  state: SessionDiagnostic["state"],
): void {
  if (!diagnostics.session.hasSubscribers) return;
  const message: SessionDiagnostic = { system, session: config.session, state };
  publish(diagnostics.session, message, onFault);
}

/** Publishes how long an append took, once it is durable. One that failed is the business of whoever made it. */
export function timeAppend(stored: Promise<number>, { node: system, session, onFault }: Place, actor: string): void {
  const from = performance.now();
  stored.then(
    (seq) => {
      const message: AppendDiagnostic = { system, session, actor, seq, ms: performance.now() - from };
      publish(diagnostics.append, message, onFault);
    },
    () => {},
  );
}
