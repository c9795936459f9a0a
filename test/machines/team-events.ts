import type { TeamEvent } from "../../src/machines/index.ts";

/** Every event a team can be sent, with every verdict. */
export const teamEvents: readonly TeamEvent[] = [
  ...(
    [
      "team.accepted",
      "team.refused",
      "team.replanned",
      "grace.expired",
      "team.emptied",
      "task.added",
      "task.claimed",
      "task.updated",
    ] as const
  ).map((type) => ({
    type,
  })),
  ...(["running", "stalled", "finished"] as const).map((verdict) => ({ type: "team.judged", verdict }) as const),
  ...(["graceful", "abort"] as const).flatMap((mode) =>
    (["completed", "failed", "dissolved"] as const).flatMap((outcome) =>
      [true, false].map((asks) => ({ type: "team.dissolve", mode, outcome, asks }) as const),
    ),
  ),
];
