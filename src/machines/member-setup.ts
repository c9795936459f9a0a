import { and, assign, not, or, setup, stateIn } from "xstate";
import { lossesMax, nudgesMax, type MemberContext, type MemberEvent } from "./member-events.ts";

// The one cast: XState infers the machine's types from this value and never reads it.
const types: { context: MemberContext; events: MemberEvent } = null as never;

/** Named without effect here: the kernel reads which of these a step asked for, in order. */
const asked = (): void => {};

/** Actions and guards of the member machine; names are what the chart shows. */
export const memberSetup = setup({
  types,
  actions: {
    announceCompleted: asked,
    announceFailed: asked,
    announceCancelled: asked,
    announceIdle: asked,
    announceFollowUpFailed: asked,
    announceShutdown: asked,
    announceShutdownRefused: asked,
    requestShutdown: asked,
    deadLetterMail: asked,
    cancelRequests: asked,
    /** A start or wake: turns, hops and broadcasts count from here. */
    openTurns: asked,
    nextRun: assign({ run: ({ context }) => context.run + 1 }),
    nudge: assign({ nudges: ({ context }) => context.nudges + 1 }),
    countLoss: assign({ losses: ({ context }) => context.losses + 1 }),
    clearLosses: assign({ losses: 0 }),
    nextAttempt: assign({
      attempt: ({ context }) => context.attempt + 1,
      nudges: 0,
      losses: 0,
      planned: false,
      refused: false,
    }),
    approvePlan: assign({ planned: true }),
    rememberRefusal: assign({ refused: true }),
  },
  guards: {
    isPersistent: ({ context }) => context.lifetime === "persistent",
    needsPlan: ({ context }) => context.requirePlan && !context.planned,
    mayNudge: ({ context }) => context.lifetime === "oneshot" && context.nudges < nudgesMax,
    mayRestart: ({ context }) => context.losses + 1 < lossesMax,
    mayRefuse: ({ context }) => !context.refused,
    hasMail: ({ event }) => "mail" in event && event.mail,
    hasOpenCalls: ({ event }) => "open" in event && event.open,
    isReady: ({ event }) => "ready" in event && event.ready,
    restsInTool: ({ event }) => "rest" in event && event.rest === "tool",
    restsInPermission: ({ event }) => "rest" in event && event.rest === "waiting_permission",
    restsInExternal: ({ event }) => "rest" in event && event.rest === "waiting_external",
    restsInPlanning: ({ event }) => "rest" in event && event.rest === "planning",
    restsInPlanApproval: ({ event }) => "rest" in event && event.rest === "waiting_plan_approval",
    isBlocked: stateIn({ work: "blocked" }),
    isWorking: stateIn({ work: "in_progress" }),
    isRunning: stateIn({ presence: "running" }),
    isIdle: stateIn({ presence: "idle" }),
    isDraining: stateIn({ presence: "draining" }),
    /** Somebody is there, so a run is live. */
    isPresent: or([stateIn({ presence: "running" }), stateIn({ presence: "draining" })]),
    isCompleting: stateIn({ run: { live: "completing" } }),
    /** Failed, or completed and persistent, and not shut down. */
    mayRetry: and([
      not(stateIn({ presence: "shutdown" })),
      not(stateIn({ presence: "draining" })),
      or([stateIn({ work: "failed" }), and(["isPersistent", stateIn({ work: "completed" })])]),
    ]),
    mayRetryNow: and(["mayRetry", "isReady"]),
    /** Persistent, and mail waits that must not be left behind. */
    takesFollowUp: and(["isPersistent", "hasMail", "isRunning"]),
    /** A oneshot member that ended its turns without a result and has had its nudges. */
    isSilent: and([not("hasMail"), not("isPersistent"), not("mayNudge")]),
    /** The run ended while an accepted `complete` had nothing left to wait for. */
    deliveredAnyway: and(["isCompleting", not("hasOpenCalls")]),
    deliveredThoughLost: and(["isCompleting", or([not("hasOpenCalls"), not("mayRestart")])]),
  },
});
