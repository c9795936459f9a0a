import { z } from "zod";
import { TeamError } from "../errors/index.ts";

/** What a tool says of a call that somebody outside will finish. */
const PendingOptions = z.strictObject({
  /** For whoever is to finish it; shown in `session.pendingCalls()`. */
  note: z.string().max(2_000).optional(),
  /** After this time the call ends as an error; left out = it waits for as long as its run lives. */
  timeoutMs: z.number().min(0).max(2_147_483_647).optional(),
});

/** What a tool says of a call that somebody outside will finish. */
export type PendingOptions = z.input<typeof PendingOptions>;

/** By this a result is known as pending, also where the package is there twice. */
const mark = Symbol.for("teamchart.pending");

/** The result of a tool whose real result comes later. Only `pending` makes one. */
export interface PendingCall {
  readonly note: string | null;
  readonly timeoutMs: number | null;
  readonly [mark]: true;
}

/** Whether a tool's result is still to come. */
export const isPending = (value: unknown): value is PendingCall =>
  typeof value === "object" && value !== null && mark in value;

/**
 * Returned by a tool whose result comes from outside and later: from a job, a webhook, a person. The call stays open, its
 * agent shows `waiting_external`, and `session.finishCall(toolCallId, { result })` ends it; `timeoutMs` (milliseconds) ends
 * it as an error when nobody does. It survives a restart. Throws `bad_input` for options that can't be used.
 */
export function pending(options: PendingOptions = {}): PendingCall {
  const parsed = PendingOptions.safeParse(options);
  if (parsed.success) {
    const { note = null, timeoutMs = null } = parsed.data;
    return { note, timeoutMs, [mark]: true };
  }
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new TeamError("bad_input", { what: "pending", problem: `${place}${issue?.message ?? "it can't be read"}` });
}
