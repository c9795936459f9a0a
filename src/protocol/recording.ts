import { z } from "zod";
import { BodyRef, CommandKey, Input } from "./input.ts";
import { Limits } from "./limits.ts";
import type { Plan } from "./plan.ts";
import { InviteSpec, ReplanSpec, TeamSpec } from "./spec.ts";
import { TaskChange, TaskSpec, TaskState } from "./task.ts";

/**
 * What a session looks like outside its process: one JSON object a line. `--json` prints events and the result; a recording
 * begins with a header, adds what is needed to fold the session again, and ends every line with a hash of all before it.
 */

/** `format` of a recording's header. */
export const recordingFormat = "teamchart-recording";
/** `version` of a recording's header. */
export const recordingVersion = 1;

const count = z.int().min(0);

const WorkStatus = z.enum(["blocked", "in_progress", "completed", "failed", "cancelled"]);

const event = {
  type: z.literal("event"),
  /** Place of the input in its stream; posts have that of the input that caused them. */
  seq: count,
  step: count,
  /** `at` of the input, in ms of its sender's wall clock. */
  at: z.number(),
  /** Name of the team that the session has, or null. */
  team: z.string().nullable(),
  /** Display names: a member's, `Lead`, `Team`, `session`, `user` or `system`. */
  actor: z.string(),
  from: z.string(),
  event: z.looseObject({ type: z.string() }),
  verdict: z.enum(["handled", "ignored", "stale", "refused", "error"]),
  /** A member's work state after this event. */
  status: WorkStatus.optional(),
};
const derived = { derived: z.literal(true), cause: count };

/** One applied event: an input (step 0) or a post that followed from it, with `cause`. */
export const EventLine = z.strictObject({
  ...event,
  derived: derived.derived.optional(),
  cause: derived.cause.optional(),
});
export type EventLine = z.infer<typeof EventLine>;

/** How much of one budget is used: see `status`. */
const BudgetUse = z.strictObject({
  limit: z.enum(Object.keys(Limits.shape) as (keyof Limits)[]),
  used: z.number().min(0),
  max: z.number().min(0),
  share: z.number().min(0),
});

/** How the session ended: the last line. */
export const ResultLine = z.strictObject({
  type: z.literal("result"),
  outcome: z.enum(["completed", "failed", "dissolved", "interrupted"]),
  answer: z.string().nullable(),
  members: z.array(
    z.strictObject({
      name: z.string(),
      /** Left out for a member that the team created. */
      kind: z.literal("invited").optional(),
      status: WorkStatus,
      attempt: count,
      reason: z.string().nullable(),
      summary: z.string().nullable(),
      paths: z.array(z.string()),
      /** The git worktree that it has left changes in: branch, and folder relative to the workspace. */
      worktree: z.strictObject({ branch: z.string(), path: z.string() }).optional(),
      /** Requests to a provider. */
      modelCalls: count,
      tokens: count,
      /** In the currency of the prices; left out while it is nothing. */
      cost: z.number().min(0).optional(),
      budgets: z.array(BudgetUse).optional(),
      /** The fallback model that gave its last answer; left out while its own model answers. */
      fallback: z.string().optional(),
    }),
  ),
  /** The tasks of the team's board; left out for a team without one. */
  tasks: z
    .array(
      z.strictObject({
        task: count,
        subject: z.string(),
        status: TaskState,
        owner: z.string().nullable(),
        note: z.string().nullable(),
      }),
    )
    .optional(),
  messages: z.strictObject({
    accepted: count,
    delivered: count,
    deadLettered: count,
    unread: count,
    refused: count,
  }),
  /** As of a member, for the lead. */
  leadFallback: z.string().optional(),
  /** What team and lead have used of what they may together; left out where nothing is limited. */
  budgets: z.array(BudgetUse).optional(),
  revision: count,
  durationMs: z.number().min(0),
});
export type ResultLine = z.infer<typeof ResultLine>;

/** What ended the session instead of a result: an error as data. */
export const ErrorLine = z.strictObject({
  type: z.literal("error"),
  code: z.string(),
  message: z.string(),
  data: z.looseObject({}),
});
export type ErrorLine = z.infer<typeof ErrorLine>;

/** sha-256 (hex) over the hash before it, this line without its hash, and the actors that its input touched. */
const hash = z.string();

/** What a path of the model checker leads to: the property that does not hold at its end, and what is wrong. */
export const Violation = z.strictObject({ property: z.string(), problem: z.string() });
export type Violation = Readonly<z.infer<typeof Violation>>;

/** The first line of a recording: by what it can be folded again. */
export const HeaderLine = z.strictObject({
  type: z.literal("header"),
  format: z.literal(recordingFormat),
  version: z.literal(recordingVersion),
  session: z.string(),
  /** Machine to its hash. */
  machines: z.record(z.string(), z.string()),
  /** Of a counterexample alone: its last step violates this. */
  violation: Violation.optional(),
  hash,
});
export type HeaderLine = z.infer<typeof HeaderLine>;

/** Where a recording begins that did not begin with its session: the whole state, as a `SessionCheckpoint`. */
export const CheckpointLine = z.strictObject({ type: z.literal("checkpoint"), value: z.unknown(), hash });
export type CheckpointLine = z.infer<typeof CheckpointLine>;

/** A body, before the first line that refers to it. A redacted one is not the one of its digest any more. */
export const BodyLine = z.strictObject({
  type: z.literal("body"),
  digest: z.string(),
  value: z.unknown(),
  redacted: z.literal(true).optional(),
  hash,
});
export type BodyLine = z.infer<typeof BodyLine>;

/** An input (step 0) with all that its line doesn't say: who is who by token, and the plan it refers to. */
export const InputLine = z.strictObject({
  ...event,
  step: z.literal(0),
  input: z.strictObject({
    id: z.string(),
    epoch: count,
    actor: z.string(),
    from: z.string(),
    command: CommandKey.optional(),
    body: BodyRef.optional(),
  }),
  plan: z.union([TeamSpec, ReplanSpec, InviteSpec, TaskSpec, TaskChange]).optional(),
  hash,
});
export type InputLine = z.infer<typeof InputLine>;

/** A post: what followed from the input before it. */
export const PostLine = z.strictObject({ ...event, ...derived, step: z.int().min(1), hash });
export type PostLine = z.infer<typeof PostLine>;

/** The result, as a recording keeps it. */
export const RecordedResultLine = ResultLine.extend({ hash });
/** The error, as a recording keeps it. */
export const RecordedErrorLine = ErrorLine.extend({ hash });

/** The input of a line, as the kernel takes it. Throws a ZodError for an event that is no input. */
export function recordedInput(line: InputLine): { seq: number; input: Input; plan?: Plan } {
  const { seq, at, event: inputEvent, plan } = line;
  const input = Input.parse({ ...line.input, at, event: inputEvent });
  return { seq, input, ...(plan === undefined ? {} : { plan }) };
}
