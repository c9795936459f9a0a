import type { ToolTraits } from "../tool-traits.ts";

/** The frozen block that lead and members share, in its order. */
export const teamToolNames = Object.freeze([
  "team_create",
  "team_replan",
  "team_dissolve",
  "team_status",
  "team_send_message",
  "complete",
] as const);

/** The tools behind the block where the team has a board, in their order: the same for the lead and every member. */
export const boardToolNames = Object.freeze([
  "team_task_add",
  "team_task_claim",
  "team_task_update",
  "team_task_list",
] as const);
/** The tools that stand behind the block for lead and members alike, in their order. */
export const sharedToolNames = Object.freeze(["team_mail"] as const);

/** The tools beside the block that a hosted lead alone has, in their order. */
export const leadToolNames = Object.freeze([
  "task",
  "ask_user_question",
  "confirm",
  "answer_permission",
  "team_invite",
] as const);

/** The tools beside the block that only members have: the first one all of them, the others only those that need them. */
const memberOnlyToolNames = Object.freeze(["shutdown_reply", "submit_plan", "leave_explore_mode"] as const);

/** A tool of this folder. */
export type TeamToolName =
  | (typeof teamToolNames)[number]
  | (typeof boardToolNames)[number]
  | (typeof sharedToolNames)[number]
  | (typeof leadToolNames)[number]
  | (typeof memberOnlyToolNames)[number];

// Commands are recognised by their call id, so a repeated call gets the first one's reply. In one step they go in their
// order: a status read after a create shows the team, a result is delivered after the file that it names is written.
const command: ToolTraits = Object.freeze({ idempotent: true, sideEffects: true, concurrent: false });
const reading: ToolTraits = Object.freeze({ idempotent: true, sideEffects: false, concurrent: false });
// A sub-agent that ran half its way may have done things that must not be done twice.
const delegating: ToolTraits = Object.freeze({ idempotent: false, sideEffects: true, concurrent: true });

/** The traits of every team tool. */
export const teamToolTraits: Readonly<Record<TeamToolName, ToolTraits>> = Object.freeze({
  team_create: command,
  team_replan: command,
  team_dissolve: command,
  team_status: reading,
  team_send_message: command,
  complete: command,
  team_task_add: command,
  team_task_claim: command,
  team_task_update: command,
  team_task_list: reading,
  team_mail: command,
  task: delegating,
  ask_user_question: command,
  confirm: command,
  answer_permission: command,
  team_invite: command,
  shutdown_reply: command,
  submit_plan: command,
  leave_explore_mode: command,
});
