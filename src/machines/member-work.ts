import { and, not } from "xstate";
import { memberSetup } from "./member-setup.ts";

/** Work: what the team waits for. */
export const memberWork = memberSetup.createStateConfig({
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
        "run.completed": { guard: "isPresent", target: "completed" },
        "step.ended": { guard: "isCompleting", target: "completed" },
        "run.failed": [
          { guard: "isCompleting", target: "completed" },
          { guard: "isPresent", target: "failed" },
        ],
        "turn.ended": [
          { guard: "isCompleting", target: "completed" },
          { guard: "isDraining", target: "cancelled" },
          { guard: "isSilent", target: "failed" },
        ],
        "run.lost": [
          { guard: "deliveredThoughLost", target: "completed" },
          { guard: and(["isPresent", not("mayRestart"), not("isCompleting")]), target: "failed" },
        ],
        "owner.changed": { guard: "deliveredAnyway", target: "completed" },
        "shutdown.accepted": { guard: "isDraining", target: "cancelled" },
        "shutdown.refused": { guard: and(["isDraining", not("mayRefuse")]), target: "cancelled" },
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
