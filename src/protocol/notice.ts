import { z } from "zod";

/** What a notice of the system tells; the reader's side turns it into a sentence. `user_said` carries a body. */
export const NoticeKind = z.enum([
  "member_failed",
  "member_idle",
  "follow_up_failed",
  "shutdown_requested",
  "shutdown_refused",
  "hook_feedback",
  "member_stopped",
  "dead_letter",
  "team_finished",
  "team_stalled",
  "team_dissolved",
  "user_planned",
  "permission_requested",
  "permission_to_answer",
  "plan_requested",
  "task_available",
  "task_assigned",
  "task_withdrawn",
  "task_failed",
  "user_said",
]);
export type NoticeKind = z.infer<typeof NoticeKind>;
