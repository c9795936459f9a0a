import type { LeadActivity, LeadEvent } from "../../src/machines/lead-machine.ts";

const rests: readonly LeadActivity[] = ["thinking", "tool", "waiting_external", "awaiting_team", "asking_user"];
/** Every event a lead can be sent, with every verdict. */
export const leadEvents: readonly LeadEvent[] = [
  ...(
    [
      "lead.prompted",
      "notice.arrived",
      "run.injected",
      "run.answered",
      "run.erred",
      "step.ended",
      "run.failed",
      "run.lost",
      "owner.changed",
      "team.activated",
      "team.dissolving",
      "team.dissolved",
      "permission.opened",
      "session.closed",
    ] as const
  ).map((type) => ({ type })),
  ...[true, false].flatMap((yes) => [
    { type: "turn.ended", unseen: yes } as const,
    { type: "permission.closed", more: yes } as const,
  ]),
  ...(
    [
      "run.retried",
      "tool.started",
      "tool.ended",
      "poll.opened",
      "poll.closed",
      "question.asked",
      "question.answered",
      "external.asked",
      "external.answered",
    ] as const
  ).flatMap((type) => rests.map((rest) => ({ type, rest }))),
];
