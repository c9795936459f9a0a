import type { badRequests, tooLarge } from "../../src/errors/request-errors.ts";
import type { Sample } from "./sample.ts";

const members = ["Security", "Perf", "Reporter"];

/** The samples of what is wrong in itself or too large. */
export const requestSamples: { readonly [Code in keyof typeof badRequests | keyof typeof tooLarge]: Sample<Code> } = {
  bad_file: {
    when: "A team file, a recording or a settings file cannot be read or does not fit its schema. `fault` says which, where it is not the keys: `unreadable`, `unwritable` or `recording`.",
    data: { file: "review.team.yaml", problem: "team.members[1].prompt is missing" },
  },
  bad_input: {
    when: "An option, an argument or a value of the API does not fit its schema.",
    data: { what: "limits.membersMax", problem: "expected a positive whole number" },
  },
  bad_name: {
    when: "A name is empty, too long or has characters that cannot be shown.",
    data: { name: "---", problem: "it has no letter or digit" },
  },
  reserved_name: { when: "A member is named like something that every team has.", data: { name: "Broadcast" } },
  name_collision: {
    when: "Two names differ only in case, width, separators or the like.",
    data: { name: "code reviewer", other: "Code-Reviewer" },
  },
  empty_team: { when: "A team is created without members.", data: {} },
  too_many_members: { when: "A team has more members than the limit.", data: { count: 40, membersMax: 32 } },
  cycle: {
    when: "Members depend on each other in a circle, or one on itself.",
    data: { path: ["Security", "Reporter", "Security"] },
  },
  unknown_dependency: {
    when: "A `dependsOn` names nobody of the team.",
    data: { member: "Reporter", dependency: "Securty", known: members, nearest: "Security" },
  },
  unknown_agent_type: {
    when: "A member has an agent type that was not defined.",
    data: { member: "Perf", agentType: "reviewr", known: ["general", "reviewer"], nearest: "reviewer" },
  },
  unknown_member: {
    when: "A command names nobody of the team.",
    data: { name: "Prf", known: members, nearest: "Perf" },
  },
  unknown_recipient: {
    when: "A message is addressed to nobody of the team.",
    data: { to: "Prf", ofType: [], known: ["Lead", ...members, "broadcast"], nearest: "Perf" },
  },
  self_recipient: { when: "A message is addressed to its own sender.", data: { to: "Perf" } },
  not_retryable: {
    when: "A replan retries a member that did not fail.",
    data: { name: "Perf", status: "in_progress" },
  },
  not_cancellable: {
    when: "A replan cancels a member whose work is over.",
    data: { name: "Perf", status: "completed" },
  },
  not_rewirable: {
    when: "A replan gives other dependencies to a member that has started.",
    data: { name: "Perf", status: "in_progress" },
  },
  too_many_tasks: {
    when: "A board would have more tasks than the limit; closed ones count, since a number is never used twice.",
    data: { count: 1001, tasksMax: 1000 },
  },
  not_assignable: {
    when: "A task is given to, or claimed by, a member that can't do it now.",
    data: { task: "#3", name: "Perf", problem: "it is failed" },
  },
  not_running: {
    when: "A member is interrupted that has no run.",
    data: { name: "Perf", status: "idle" },
  },
  missing_path: {
    when: "A workspace tool names a file or folder that is not there, or the workspace itself is missing (`isWorkspace`).",
    data: { path: "src/auht.ts" },
  },
  workspace_escape: {
    when: "A workspace tool names a path outside the workspace, also by a link or an odd encoding.",
    data: { path: "../secrets.env" },
  },
  prompt_too_large: {
    when: "The prompt of a member is above the limit. It is refused, never cut.",
    data: { member: "Perf", bytes: 40_000, promptBytesMax: 32_768 },
  },
  message_too_large: {
    when: "A message is above the limit. It is refused, never cut.",
    data: { bytes: 40_000, messageBytesMax: 32_768 },
  },
  payload_too_large: {
    when: "A file, a tool's output or another payload is above its limit.",
    data: { what: "the file data.json", bytes: 2_000_000, bytesMax: 1_048_576 },
  },
};
