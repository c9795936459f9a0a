import type { MemberEvent, RunActivity } from "../../src/machines/member-events.ts";

const rests: readonly RunActivity[] = [
  "thinking",
  "tool",
  "waiting_permission",
  "waiting_external",
  "planning",
  "waiting_plan_approval",
];
const yesNo = [true, false];

/** Every event a member can be sent, with every verdict. */
export const memberEvents: readonly MemberEvent[] = [
  ...(
    [
      "member.start",
      "member.shutdown",
      "shutdown.request",
      "shutdown.accepted",
      "shutdown.refused",
      "mail.arrived",
      "run.injected",
      "run.answered",
      "run.erred",
      "plan.submitted",
      "work.complete",
    ] as const
  ).map((type) => ({ type })),
  ...yesNo.map((ready) => ({ type: "member.retry", ready }) as const),
  ...(["member.cancel", "step.ended", "turn.ended", "run.completed", "run.failed"] as const).flatMap((type) =>
    yesNo.map((mail) => ({ type, mail })),
  ),
  ...(["owner.changed", "run.lost"] as const).flatMap((type) =>
    yesNo.flatMap((mail) => yesNo.map((open) => ({ type, mail, open }))),
  ),
  ...(
    [
      "run.retried",
      "tool.started",
      "tool.ended",
      "permission.asked",
      "permission.answered",
      "external.asked",
      "external.answered",
      "plan.approved",
      "plan.rejected",
    ] as const
  ).flatMap((type) => rests.map((rest) => ({ type, rest }))),
];
