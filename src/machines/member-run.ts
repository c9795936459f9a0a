import { and, not } from "xstate";
import { memberSetup } from "./member-setup.ts";

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
export const memberRun = memberSetup.createStateConfig({
  initial: "none",
  states: {
    none: {
      on: {
        "member.start": { guard: "isBlocked", ...wake },
        "member.retry": { guard: "mayRetryNow", ...wake },
        "mail.arrived": { guard: "isIdle", ...wake },
        "shutdown.request": { guard: "isIdle", ...wake },
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
        "plan.approved": toRest.map((each) => ({ ...each, actions: "approvePlan" as const })),
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
