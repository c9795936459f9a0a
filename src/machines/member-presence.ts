import { and, not } from "xstate";
import { memberSetup } from "./member-setup.ts";

/** Where presence goes when the work was delivered: a persistent member stays, with mail it takes another turn. */
const afterDelivery = [{ guard: "isPersistent", target: "idle" }, { target: "shutdown" }] as const;

/** Presence: whether somebody is there. */
export const memberPresence = memberSetup.createStateConfig({
  initial: "parked",
  states: {
    parked: {
      description: "Nobody is there: not started yet, or failed.",
      on: {
        "member.start": { guard: "isBlocked", target: "running" },
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
        "shutdown.request": "draining",
        "member.shutdown": "shutdown",
      },
    },
    draining: {
      description: "Asked to shut down; it may refuse once, and has until its time is over.",
      entry: "requestShutdown",
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
