import type { NoticeKind } from "../../protocol/notice.ts";

const member = (name: string | null): string => name ?? "A member";

const sentences: Readonly<Record<Exclude<NoticeKind, "user_said">, (about: string | null) => string>> = {
  member_failed: (about) =>
    `${member(about)} failed. Members that depend on it stay blocked until you call team_replan: retry it, replace it, or rewire them.`,
  member_idle: (about) => `${member(about)} ended its turn without delivering and is idle. A message wakes it.`,
  follow_up_failed: (about) => `A later turn of ${member(about)} failed. Its work stays completed.`,
  shutdown_requested: () =>
    "You are asked to shut down. Bring what must not be left half done to an end, then call complete if your result is ready, or shutdown_reply with accept: true. If you must go on, call shutdown_reply with accept: false and say why: you may refuse once. Without an answer you are stopped when your time is over.",
  shutdown_refused: (about) => `${member(about)} was asked to shut down and refused.`,
  hook_feedback: () => "A check of the host did not let you end here. Do what it says, then go on.",
  member_stopped: (about) =>
    `${member(about)} was stopped by a check of the host and is gone. What it delivered stays.`,
  dead_letter: (about) => `A message to ${member(about)} was never read, and never will be.`,
  team_finished: () =>
    "Every member has completed. Read the results with team_status, use them in your answer, then call team_dissolve.",
  team_stalled: () =>
    "The team is stalled: nobody works, and nobody can go on. Call team_status to see why, then team_replan or team_dissolve.",
  team_dissolved: () => "The team is dissolved. Nobody can be written to any more.",
  user_planned: () => "The user changed the team. Call team_status before you plan.",
  permission_requested: (about) =>
    `${member(about)} asks for a permission and waits. Whoever was asked answers outside of this conversation; no message grants it.`,
  permission_to_answer: (about) =>
    `${member(about)} asks for a permission and waits for your decision. Look at permissionRequests in team_status, then call answer_permission.`,
  task_available: () =>
    "A task waits on the board that you may take. Take it with team_task_claim, or end your turn without it; then somebody else is asked.",
  task_assigned: () =>
    "A task on the board is yours to do. Read it with team_task_list; take it with team_task_claim unless it is in progress as yours already.",
  task_withdrawn: () => "A task that you worked on was taken from you. Stop working on it.",
  task_failed: () =>
    "A task failed, and the team can't finish until you decide: open it again (team_task_update with status pending), or cancel it.",
  plan_requested: (about) =>
    `${member(about)} submitted its plan and waits. It is approved outside of this conversation; no message does.`,
};

/** What a notice says, in a fixed sentence; "" for what the user said, which says it itself. */
export const noticeSentence = (notice: NoticeKind, about: string | null): string =>
  notice === "user_said" ? "" : sentences[notice](about);
