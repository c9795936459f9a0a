import { didYouMean, entry, list, type Unknown } from "./entry.ts";

/** What is wrong with a file: its keys and values, that it cannot be read or written, or that it is no recording. */
type FileFault = "keys" | "unreadable" | "unwritable" | "recording";

const fileNext: Readonly<Record<FileFault, string>> = {
  keys: "Correct the file and start again. docs/team-file.md lists every key",
  unreadable: "Name a file that exists and that you may read",
  unwritable: "Name a place that exists and that you may write to",
  recording: "Name a recording, as --record writes it",
};

/** Input that is wrong in itself [400]. */
export const badRequests = {
  bad_file: entry<{ file: string; problem: string; fault?: FileFault }>(
    400,
    (d) => `${d.file}: ${d.problem}`,
    (d) => fileNext[d.fault ?? "keys"],
  ),
  bad_input: entry<{ what: string; problem: string }>(
    400,
    (d) => `${d.what}: ${d.problem}`,
    () => "Correct the input and try again",
  ),
  bad_name: entry<{ name: string; problem: string }>(
    400,
    (d) => `"${d.name}" is no usable name: ${d.problem}`,
    () => "Use 1 to 64 characters of any script, without control characters",
  ),
  reserved_name: entry<{ name: string }>(
    400,
    (d) => `"${d.name}" is reserved for the team itself`,
    () => "Choose another name",
  ),
  name_collision: entry<{ name: string; other: string; of?: "agent types" | "agent types and invitable agents" }>(
    400,
    (d) =>
      d.of === undefined
        ? `"${d.name}" cannot be told apart from "${d.other}", which this team has or had`
        : `the ${d.of} "${d.name}" and "${d.other}" cannot be told apart`,
    (d) =>
      d.of === undefined
        ? "Choose a new name; a name is never reused within a team"
        : "Rename one of them, or leave it out",
  ),
  empty_team: entry<object>(
    400,
    () => "a team needs at least one member",
    () => "Declare the members",
  ),
  too_many_members: entry<{ count: number; membersMax: number }>(
    400,
    (d) => `${d.count} members are more than the ${d.membersMax} allowed`,
    () => "Declare fewer members, or raise limits.membersMax",
  ),
  cycle: entry<{ path: readonly string[] }>(
    400,
    (d) => `the dependencies form a cycle: ${d.path.join(" -> ")}`,
    () => "Remove one of these dependencies",
  ),
  unknown_dependency: entry<{ member: string; dependency: string; of?: "tasks" } & Unknown>(
    400,
    (d) =>
      d.of === "tasks"
        ? `${d.member} depends on ${d.dependency}, which is no task`
        : `${d.member} depends on "${d.dependency}", which is no member${didYouMean(d.nearest)}`,
    (d) => (d.of === "tasks" ? `Give numbers of tasks: ${list(d.known)}` : `Name one of: ${list(d.known)}`),
  ),
  unknown_agent_type: entry<{ member: string; agentType: string } & Unknown>(
    400,
    (d) => `${d.member} has the unknown agent type "${d.agentType}"${didYouMean(d.nearest)}`,
    (d) => `Use one of: ${list(d.known)}`,
  ),
  unknown_member: entry<{ name: string } & Unknown>(
    400,
    (d) => `"${d.name}" is no member of this team${didYouMean(d.nearest)}`,
    (d) => `Name one of: ${list(d.known)}`,
  ),
  unknown_recipient: entry<{ to: string; ofType: readonly string[] } & Unknown>(
    400,
    (d) =>
      d.ofType.length > 0
        ? `"${d.to}" is an agent type, not a member; its members are ${list(d.ofType)}`
        : `"${d.to}" is nobody here${didYouMean(d.nearest)}`,
    (d) => `Send to one of: ${list(d.known)}`,
  ),
  self_recipient: entry<{ to: string }>(
    400,
    (d) => `${d.to} cannot send a message to itself`,
    () => "Send to another member, to Lead or to broadcast",
  ),
  not_retryable: entry<{ name: string; status: string }>(
    400,
    (d) => `${d.name} is ${d.status} and cannot be retried`,
    () => "Retry failed members (or completed persistent ones); replace others by add with replaces",
  ),
  not_cancellable: entry<{ name: string; status: string }>(
    400,
    (d) => `${d.name} is ${d.status} and cannot be cancelled`,
    () => "Leave it out of the replan",
  ),
  not_rewirable: entry<{ name: string; status: string }>(
    400,
    (d) => `${d.name} is ${d.status}; only blocked members can be given other dependencies`,
    () => "Leave it out of the replan, or replace the member",
  ),
  too_many_tasks: entry<{ count: number; tasksMax: number }>(
    400,
    (d) => `${d.count} tasks are more than the ${d.tasksMax} that a board may have, closed ones counted`,
    () => "Put more than one step into a task, or raise limits.tasksMax",
  ),
  not_assignable: entry<{ task: string; name: string; problem: string }>(
    400,
    (d) => `${d.task === "" ? "no task can" : `task ${d.task} cannot`} go to ${d.name}: ${d.problem}`,
    () => "Name a member that works or is idle, or leave the task to whoever takes it",
  ),
  not_running: entry<{ name: string; status: string }>(
    400,
    (d) => `${d.name} is ${d.status}; it does nothing that could be interrupted`,
    () => "Cancel it or ask it to shut down by a replan, if it is to go",
  ),
  missing_path: entry<{ path: string; isWorkspace?: true }>(
    400,
    (d) => (d.isWorkspace === true ? `there is no workspace "${d.path}"` : `there is no "${d.path}"`),
    (d) =>
      d.isWorkspace === true
        ? "Create it, or name a folder that exists"
        : "Look with list_files, then name a path that exists",
  ),
  workspace_escape: entry<{ path: string }>(
    400,
    (d) => `"${d.path}" lies outside the workspace`,
    () => "Use a path inside the workspace, relative to its root",
  ),
} as const;

/** Input above a limit of size [413]. */
export const tooLarge = {
  prompt_too_large: entry<{ member: string; bytes: number; promptBytesMax: number }>(
    413,
    (d) => `the prompt of ${d.member} has ${d.bytes} bytes (limit ${d.promptBytesMax})`,
    () => "Shorten it, or put the text into a file of the workspace and name its path",
  ),
  message_too_large: entry<{ bytes: number; messageBytesMax: number }>(
    413,
    (d) => `the message has ${d.bytes} bytes (limit ${d.messageBytesMax}); nothing was sent`,
    () => "Shorten it, or put the text into a file of the workspace and send its path",
  ),
  payload_too_large: entry<{ what: string; bytes: number; bytesMax: number }>(
    413,
    (d) => `${d.what} has ${d.bytes} bytes (limit ${d.bytesMax})`,
    () => "Make it smaller, or work on a part of it",
  ),
} as const;
