import { and, not } from "xstate";
import { memberSetup } from "./member-setup.ts";
import { memberContext } from "./member-events.ts";

/** Work: what the team waits for. */
const work = memberSetup.createStateConfig({
  initial: "blocked",
  states: {
    blocked: {
      description: "Waits for its upstreams. Mail is kept and does not unblock.",
      tags: "blocked",
      on: {
        "member.start": { target: "in_progress", actions: "nextAttempt" },
        "member.cancel": "cancelled",
        "member.shutdown": "cancelled",
      },
    },
    in_progress: {
      description: "Works; a persistent member may wait for mail without having delivered.",
      tags: "in_progress",
      on: {
        "run.completed": "completed",
        "step.ended": { guard: "isCompleting", target: "completed" },
        "run.failed": [{ guard: "isCompleting", target: "completed" }, { target: "failed" }],
        "turn.ended": [
          { guard: "isCompleting", target: "completed" },
          { guard: "isDraining", target: "cancelled" },
          { guard: "isSilent", target: "failed" },
        ],
        "run.lost": [
          { guard: "deliveredThoughLost", target: "completed" },
          { guard: and([not("mayRestart"), not("isCompleting")]), target: "failed" },
        ],
        "owner.changed": { guard: "deliveredAnyway", target: "completed" },
        "shutdown.accepted": { guard: "isDraining", target: "cancelled" },
        "shutdown.refused": { guard: and(["isDraining", not("mayRefuse")]), target: "cancelled" },
        "shutdown.request": { guard: "isIdle", target: "cancelled" },
        "member.cancel": "cancelled",
        "member.shutdown": "cancelled",
      },
    },
    completed: {
      description: "Delivered. Final for this attempt; a persistent member still answers mail.",
      tags: "completed",
      entry: "announceCompleted",
      on: {
        "member.retry": [
          { guard: "mayRetryNow", target: "in_progress", actions: "nextAttempt" },
          { guard: "mayRetry", target: "blocked" },
        ],
      },
    },
    failed: {
      description: "Failed, with a reason that the Lead was told. Only a replan leads out.",
      tags: "failed",
      entry: ["announceFailed", "deadLetterMail"],
      on: {
        "member.retry": [
          { guard: "mayRetryNow", target: "in_progress", actions: "nextAttempt" },
          { guard: "mayRetry", target: "blocked" },
        ],
        "member.cancel": "cancelled",
      },
    },
    cancelled: {
      description: "Cancelled by a replan or a dissolve. Final.",
      tags: "cancelled",
      entry: "announceCancelled",
    },
  },
});

/** Where presence goes when the work was delivered: a persistent member stays, with mail it takes another turn. */
const afterDelivery = [{ guard: "isPersistent", target: "idle" }, { target: "shutdown" }] as const;

/** Presence: whether somebody is there. */
const presence = memberSetup.createStateConfig({
  initial: "parked",
  states: {
    parked: {
      description: "Nobody is there: not started yet, or failed.",
      on: {
        "member.start": "running",
        "member.retry": { guard: "mayRetryNow", target: "running" },
        "member.cancel": [
          { guard: "isBlocked", target: "shutdown" },
          { guard: "isPersistent", target: "idle" },
          { target: "shutdown" },
        ],
        "member.shutdown": "shutdown",
      },
    },
    running: {
      description: "A run is live.",
      on: {
        "run.completed": [{ guard: "takesFollowUp" }, ...afterDelivery],
        "step.ended": [{ guard: not("isCompleting") }, { guard: "takesFollowUp" }, ...afterDelivery],
        "run.failed": [
          { guard: and(["isCompleting", "takesFollowUp"]) },
          { guard: and(["isCompleting", "isPersistent"]), target: "idle" },
          { guard: "isCompleting", target: "shutdown" },
          { guard: "isWorking", target: "parked" },
          { target: "idle", actions: ["announceFollowUpFailed", "deadLetterMail"] },
        ],
        "turn.ended": [
          { guard: and(["isCompleting", not("isPersistent")]), target: "shutdown" },
          { guard: "hasMail" },
          { guard: and(["isWorking", "mayNudge"]) },
          { guard: and(["isWorking", not("isPersistent")]), target: "parked" },
          { guard: and(["isWorking", not("isCompleting")]), target: "idle", actions: "announceIdle" },
          { target: "idle" },
        ],
        "run.lost": [
          { guard: and(["deliveredThoughLost", "takesFollowUp"]) },
          { guard: and(["deliveredThoughLost", "isPersistent"]), target: "idle" },
          { guard: "deliveredThoughLost", target: "shutdown" },
          { guard: "mayRestart" },
          { guard: "isWorking", target: "parked" },
          { target: "idle", actions: ["announceFollowUpFailed", "deadLetterMail"] },
        ],
        "owner.changed": [
          { guard: not("deliveredAnyway") },
          { guard: "takesFollowUp" },
          { guard: "isPersistent", target: "idle" },
          { target: "shutdown" },
        ],
        "member.cancel": [
          { guard: not("isWorking") },
          { guard: "takesFollowUp" },
          { guard: "isPersistent", target: "idle" },
          { target: "shutdown" },
        ],
        "member.retry": { guard: and(["mayRetry", not("isReady")]), target: "parked" },
        "shutdown.request": "draining",
        "member.shutdown": "shutdown",
      },
    },
    idle: {
      description: "Persistent, nothing unread; woken by mail, history kept.",
      tags: "idle",
      on: {
        "mail.arrived": "running",
        "member.retry": [
          { guard: "mayRetryNow", target: "running" },
          { guard: "mayRetry", target: "parked" },
        ],
        "shutdown.request": "shutdown",
        "member.shutdown": "shutdown",
      },
    },
    draining: {
      description: "Asked to shut down; it may refuse once.",
      on: {
        "run.completed": "shutdown",
        "step.ended": { guard: "isCompleting", target: "shutdown" },
        "run.failed": "shutdown",
        "turn.ended": "shutdown",
        "run.lost": [
          { guard: "deliveredThoughLost", target: "shutdown" },
          { guard: not("mayRestart"), target: "shutdown" },
        ],
        "owner.changed": { guard: "deliveredAnyway", target: "shutdown" },
        "shutdown.accepted": "shutdown",
        "shutdown.refused": [
          { guard: "mayRefuse", target: "running", actions: ["rememberRefusal", "announceShutdownRefused"] },
          { target: "shutdown" },
        ],
        "member.cancel": { guard: "isWorking", target: "shutdown" },
        "member.shutdown": "shutdown",
      },
    },
    shutdown: {
      description: "Gone. Ignores everything; its name stays taken.",
      tags: "shutdown",
      entry: ["announceShutdown", "deadLetterMail"],
    },
  },
});

/** Where a run goes on; the kernel computed it from what is still open. */
const toRest = [
  { guard: "restsInPlanApproval", target: ".waiting_plan_approval" },
  { guard: "restsInPermission", target: ".waiting_permission" },
  { guard: "restsInExternal", target: ".waiting_external" },
  { guard: "restsInTool", target: ".tool" },
  { guard: "restsInPlanning", target: ".planning" },
  { target: ".thinking" },
] as const;

const nextRun = { target: "live", reenter: true, actions: "nextRun" } as const;
const wake = { target: "live", actions: ["nextRun", "openTurns"] } as const;
const rewake = { target: "live", reenter: true, actions: ["nextRun", "openTurns"] } as const;

/** What a completing run still does with the step's other calls: they end, and nothing else changes. */
const waitForStep = {
  "tool.started": {},
  "tool.ended": {},
  "permission.asked": {},
  "permission.answered": {},
  "external.asked": {},
  "external.answered": {},
  "plan.submitted": {},
  "plan.approved": {},
  "plan.rejected": {},
  "run.erred": {},
  "run.retried": {},
  "work.complete": {},
} as const;

/** Run: what the current agent loop is doing. `desiredRun` keeps one alive exactly while this is `live`. */
const run = memberSetup.createStateConfig({
  initial: "none",
  states: {
    none: {
      on: {
        "member.start": wake,
        "member.retry": { guard: "mayRetryNow", ...wake },
        "mail.arrived": { guard: "isIdle", ...wake },
      },
    },
    live: {
      initial: "choosing",
      exit: "cancelRequests",
      on: {
        "run.injected": {},
        "run.answered": {},
        "tool.started": [...toRest],
        "tool.ended": [...toRest],
        "permission.asked": [...toRest],
        "permission.answered": [...toRest],
        "external.asked": [...toRest],
        "external.answered": [...toRest],
        "run.retried": [...toRest],
        "run.erred": ".backing_off",
        "plan.submitted": { guard: "needsPlan", target: ".waiting_plan_approval" },
        "plan.rejected": [...toRest],
        "plan.approved": [
          { guard: "restsInTool", target: ".tool", actions: "approvePlan" },
          { target: ".thinking", actions: "approvePlan" },
        ],
        "work.complete": { guard: and(["isWorking", not("needsPlan")]), target: ".completing" },
        "step.ended": { actions: "clearLosses" },
        "run.completed": [{ guard: "takesFollowUp", ...nextRun }, { target: "none" }],
        "run.failed": [{ guard: and(["isCompleting", "takesFollowUp"]), ...nextRun }, { target: "none" }],
        "turn.ended": [
          { guard: "isDraining", target: "none" },
          { guard: and(["isCompleting", not("takesFollowUp")]), target: "none" },
          { guard: "hasMail", ...nextRun },
          {
            guard: and(["isWorking", "mayNudge", not("isCompleting")]),
            target: "live",
            reenter: true,
            actions: ["nextRun", "nudge"],
          },
          { target: "none" },
        ],
        "run.lost": [
          { guard: and(["deliveredThoughLost", "takesFollowUp"]), ...nextRun },
          { guard: "deliveredThoughLost", target: "none" },
          { guard: "isCompleting", target: ".completing", actions: ["nextRun", "countLoss", "cancelRequests"] },
          { guard: "mayRestart", target: "live", reenter: true, actions: ["nextRun", "countLoss"] },
          { target: "none" },
        ],
        "owner.changed": [
          { guard: and(["deliveredAnyway", "takesFollowUp"]), ...nextRun },
          { guard: "deliveredAnyway", target: "none" },
          { guard: "isCompleting", actions: "cancelRequests" },
          { target: "live", reenter: true },
        ],
        "member.retry": [
          { guard: "mayRetryNow", ...rewake },
          { guard: "mayRetry", target: "none" },
        ],
        "member.cancel": [{ guard: not("isWorking") }, { guard: "takesFollowUp", ...nextRun }, { target: "none" }],
        "shutdown.accepted": { guard: "isDraining", target: "none" },
        "shutdown.refused": { guard: and(["isDraining", not("mayRefuse")]), target: "none" },
        "member.shutdown": "none",
      },
      states: {
        choosing: { always: [{ guard: "needsPlan", target: "planning" }, { target: "thinking" }] },
        thinking: { description: "A model call, or a function agent, is in flight." },
        tool: { description: "At least one tool call is open." },
        waiting_permission: { description: "A call waits for the user's or the Lead's answer." },
        waiting_external: { description: "A call waits for somebody outside." },
        planning: { description: "Read-only, until its plan is approved." },
        waiting_plan_approval: { description: "Its plan waits for an answer." },
        backing_off: { description: "The provider refused; the call is repeated after a pause." },
        completing: {
          description: "`complete` was accepted; it counts once the step's other calls have ended.",
          on: {
            ...waitForStep,
            "step.ended": [
              {
                guard: "takesFollowUp",
                target: "#member.run.live",
                reenter: true,
                actions: ["clearLosses", "nextRun"],
              },
              { target: "#member.run.none", actions: "clearLosses" },
            ],
          },
        },
      },
    },
  },
});

/**
 * One member of a team: a node of the graph that works once the team starts it.
 *
 * Pure and small: names, texts, ids and open calls are kernel data; events carry verdicts computed from them. It never
 * starts work by itself: `desiredRun` says, from the snapshot alone, which run must be alive.
 */
export const memberMachine = memberSetup.createMachine({
  id: "member",
  context: memberContext("oneshot", false),
  type: "parallel",
  states: { work, presence, run },
});
