import type { Lifetime } from "../protocol/spec.ts";

/** Where a live run goes on once a call, an ask or a wait has ended; the kernel computes it from what is still open. */
export type RunActivity =
  | "thinking"
  | "tool"
  | "waiting_permission"
  | "waiting_external"
  | "planning"
  | "waiting_plan_approval";

/** Unread mail at the moment of the event. */
export interface Mail {
  readonly mail: boolean;
}
/** Where the run goes on. */
export interface Rest {
  readonly rest: RunActivity;
}
/** Whether calls other than the accepted `complete` are open. */
export interface Open {
  readonly open: boolean;
}

/** What a member consumes. A small, finite set: verdicts instead of data, so that steps can be memoised. */
export type MemberEvent =
  | { readonly type: "member.start" }
  | { readonly type: "member.retry"; readonly ready: boolean }
  | ({ readonly type: "member.cancel" } & Mail)
  | { readonly type: "member.shutdown" }
  | { readonly type: "shutdown.request" }
  | { readonly type: "shutdown.accepted" }
  | { readonly type: "shutdown.refused" }
  | { readonly type: "mail.arrived" }
  | ({ readonly type: "owner.changed" } & Mail & Open)
  | { readonly type: "run.injected" }
  | { readonly type: "run.answered" }
  | { readonly type: "run.erred" }
  | ({ readonly type: "run.retried" } & Rest)
  | ({ readonly type: "tool.started" } & Rest)
  | ({ readonly type: "tool.ended" } & Rest)
  | ({ readonly type: "permission.asked" } & Rest)
  | ({ readonly type: "permission.answered" } & Rest)
  | ({ readonly type: "external.asked" } & Rest)
  | ({ readonly type: "external.answered" } & Rest)
  | { readonly type: "plan.submitted" }
  | ({ readonly type: "plan.approved" } & Rest)
  | ({ readonly type: "plan.rejected" } & Rest)
  | { readonly type: "work.complete" }
  | ({ readonly type: "step.ended" } & Mail)
  | ({ readonly type: "turn.ended" } & Mail)
  | ({ readonly type: "run.completed" } & Mail)
  | ({ readonly type: "run.failed" } & Mail)
  | ({ readonly type: "run.lost" } & Mail & Open);

/** What steers a member, beside its state. Names, texts, ids and counts of calls are kernel data. */
export interface MemberContext {
  readonly lifetime: Lifetime;
  readonly requirePlan: boolean;
  /** A member's try at its work, from 1; 0 = never started. */
  readonly attempt: number;
  /** Runs started so far; `(epoch, run)` is the id of the current one. */
  readonly run: number;
  /** Turns of this attempt that ended without a result and without mail. */
  readonly nudges: number;
  /** Runs lost in a row without an ended step between. */
  readonly losses: number;
  readonly planned: boolean;
  /** It has refused a shutdown once; the next one stands. */
  readonly refused: boolean;
}

/** Nudges of a silent oneshot member before it fails. */
export const nudgesMax = 3;
/** Lost runs in a row before the attempt fails. */
export const lossesMax = 3;

const contextOf = (lifetime: Lifetime, requirePlan: boolean): MemberContext => ({
  lifetime,
  requirePlan,
  attempt: 0,
  run: 0,
  nudges: 0,
  losses: 0,
  planned: false,
  refused: false,
});

/** One object for each, so that the many members of a team share it. */
const contexts = {
  oneshot: { free: contextOf("oneshot", false), planned: contextOf("oneshot", true) },
  persistent: { free: contextOf("persistent", false), planned: contextOf("persistent", true) },
} as const;

/** The context of a member that was just declared. */
export const memberContext = (lifetime: Lifetime, requirePlan: boolean): MemberContext =>
  contexts[lifetime][requirePlan ? "planned" : "free"];
