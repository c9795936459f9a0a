import { didYouMean, entry, list, type Unknown } from "./entry.ts";
import { noModelNext, noModelText, type NoModelData } from "./model-texts.ts";
import { badRequests, tooLarge } from "./request-errors.ts";

const notAllowed = {
  unauthorized: entry<object>(
    401,
    () => "the token is missing or wrong",
    () => "Use the address that the service printed at its start",
  ),
  lead_only: entry<{ tool: string; caller: string }>(
    403,
    (d) => `only the Lead or the user may call ${d.tool}; ${d.caller} is a member`,
    () => "Ask the Lead by team_send_message",
  ),
  permission_denied: entry<{ tool: string; reason: string; readOnly?: true }>(
    403,
    (d) => `${d.tool} was NOT executed: ${d.reason}`,
    (d) =>
      d.readOnly === true
        ? "Start it with --control, or createService(system, { control: true })"
        : "Do without it, or tell the Lead what you need",
  ),
  forbidden_origin: entry<{ origin: string }>(
    403,
    (d) => `requests from ${d.origin} are refused`,
    () => "Open the address that the service printed at its start",
  ),
  unknown_session: entry<{ session: string }>(
    404,
    (d) => `there is no session "${d.session}"`,
    () => "Look at the list of sessions",
  ),
  no_team: entry<object>(
    404,
    () => "this session has no team",
    () => "Create one with team_create",
  ),
  unknown_resource: entry<{ what: string }>(
    404,
    (d) => `there is no ${d.what}`,
    () => "Look at /openapi.json, which lists all there is",
  ),
  unknown_permission: entry<{ id: string }>(
    404,
    (d) => `there is no permission request "${d.id}"`,
    () => "Look at the pending requests in the status",
  ),
  unknown_task: entry<{ task: string; count: number }>(
    404,
    (d) => `there is no task ${d.task}; the board has ${d.count}`,
    () => "Look at the board with team_task_list",
  ),
  unknown_mail: entry<{ mail: string; of: string }>(
    404,
    (d) => `there is no mail "${d.mail}" in the mailbox of ${d.of}`,
    () => "Look at the mailbox: a handle is taken from there, and holds for the mailbox that it stands in",
  ),
  unknown_call: entry<{ call: string; known: readonly string[] }>(
    404,
    (d) => `no call "${d.call}" waits for a result`,
    (d) => (d.known.length === 0 ? "No call waits now" : `Finish one of: ${list(d.known)}`),
  ),
} as const;

/** Why nothing can be answered any more. */
const endedHow = {
  answered: "was answered already",
  timed_out: "was not answered in time",
  cancelled: "was cancelled: whoever asked has ended",
} as const;

const conflicts = {
  team_exists: entry<{ team: string }>(
    409,
    (d) => `this session already has the team "${d.team}"`,
    () => "Change it with team_replan, or dissolve it first",
  ),
  stale_revision: entry<{ revision: number; current: number; members: readonly string[] }>(
    409,
    (d) => `revision ${d.revision} is stale (now ${d.current}): ${list(d.members)} changed since`,
    () => "Read team_status, then plan again",
  ),
  already_completed: entry<{ name: string; status: string }>(
    409,
    (d) => `${d.name} is ${d.status} already; its first result stands`,
    () => "End your turn",
  ),
  already_answered: entry<{ id: string; how?: "timed_out" | "cancelled" }>(
    409,
    (d) => `the request "${d.id}" ${endedHow[d.how ?? "answered"]}`,
    () => "Nothing is left to do",
  ),
  mail_unread: entry<{ mail: readonly string[] }>(
    409,
    (d) => `${list(d.mail)} ${d.mail.length === 1 ? "has" : "have"} not been read yet, and can't be acknowledged`,
    () => "Read it first: unread mail comes with the next step of its reader",
  ),
  recipient_closed: entry<{ to: string; status: string }>(
    409,
    (d) =>
      d.to === "broadcast"
        ? "nobody is left to read a broadcast; nothing was sent"
        : `${d.to} is ${d.status} and reads no more messages; nothing was sent`,
    () => "Write to the Lead, or to a member that still works",
  ),
  team_dissolved: entry<{ team: string }>(
    409,
    (d) => `the team "${d.team}" is dissolved or being dissolved`,
    () => "Stop; nothing more is needed of you",
  ),
  write_conflict: entry<{ path: string; member: string }>(
    409,
    (d) => `${d.member} changed "${d.path}" since you read it; nothing was written`,
    () => "Read it again, then write",
  ),
  not_invitable: entry<{ name: string; reason: string } & Unknown>(
    409,
    (d) => `"${d.name}" cannot be invited: ${d.reason}${didYouMean(d.nearest)}`,
    (d) => (d.known.length === 0 ? "Create a member instead" : `Invite one of: ${list(d.known)}`),
  ),
  hook_refused: entry<{ tool: string; feedback: string }>(
    409,
    (d) => `${d.tool} was not let through: ${d.feedback.replace(/\.+$/, "")}`,
    () => "Heed that, then try again",
  ),
  task_blocked: entry<{ task: string; waitingOn: readonly string[] }>(
    409,
    (d) => `task ${d.task} waits for ${list(d.waitingOn)}`,
    () => "Take another task",
  ),
  task_taken: entry<{ task: string; owner: string }>(
    409,
    (d) => `task ${d.task} belongs to ${d.owner}`,
    () => "Take another task",
  ),
  task_closed: entry<{ task: string; status: string }>(
    409,
    (d) => `task ${d.task} is ${d.status}; nothing was changed`,
    () => "Leave it, or have the Lead or the user open it again (status pending)",
  ),
  fenced: entry<{ reason: string; closed?: true }>(
    409,
    (d) => `refused: ${d.reason}`,
    (d) => (d.closed === true ? "Open a new one" : "Stop; another run or owner has taken over"),
  ),
} as const;

const limited = {
  mailbox_full: entry<{ to: string; unread: number; unreadMax: number; unit: "messages" | "bytes" }>(
    429,
    (d) => `${d.to} has ${d.unread} unread ${d.unit} (limit ${d.unreadMax}); nothing was sent`,
    () => "Wait until it has read some, then send again",
  ),
  hop_limit: entry<{ hops: number; hopsMax: number }>(
    429,
    (d) => `this message answers a chain of ${d.hops} messages (limit ${d.hopsMax}); nothing was sent`,
    () => "Stop answering; work, or deliver with complete",
  ),
  too_many_streams: entry<{ streams: number; streamsMax: number }>(
    429,
    (d) => `${d.streams} event streams are open (limit ${d.streamsMax})`,
    () => "Close one, or raise streamsMax",
  ),
  budget_exceeded: entry<{ budget: string; used: number; max: number }>(
    429,
    (d) => `the budget ${d.budget} is used up: ${d.used} of ${d.max}`,
    (d) =>
      d.budget === "broadcastsMax"
        ? "Write to those who need it by name, or work; a person can raise limits.broadcastsMax"
        : `Deliver what you have with complete; a person can raise limits.${d.budget}`,
  ),
} as const;

const unavailable = {
  no_model_key: entry<NoModelData>(503, noModelText, noModelNext),
  no_price: entry<{ model: string; limit: string; known: readonly string[] }>(
    503,
    (d) => `${d.limit} is set and no price of "${d.model}" is known, so it was not called`,
    (d) =>
      `Give its price as prices: { "${d.model}": { input, output } } (known: ${list(d.known)}), or set no ${d.limit}`,
  ),
  no_lead: entry<object>(
    503,
    () => "this session has no hosted lead",
    () => "Open it with lead: { model }, or drive the team by the API",
  ),
  lead_failed: entry<{ reason: string }>(
    503,
    (d) => `the lead's turn failed: ${d.reason.replace(/\.+$/, "")}`,
    () => "Correct the cause and send again; the team, if there is one, goes on",
  ),
  disabled: entry<{ what: string; how: string; why?: "not installed" }>(
    503,
    (d) => `${d.what} is ${d.why ?? "off"}`,
    (d) => d.how,
  ),
  isolation_unavailable: entry<{ isolation: string; reason: string }>(
    503,
    (d) => `the isolation "${d.isolation}" cannot be had here: ${d.reason}`,
    () => "Mend that, or use isolation: shared",
  ),
  bus_unavailable: entry<{ reason: string; next?: string }>(
    503,
    (d) => `the bus is not available: ${d.reason}`,
    (d) => d.next ?? "Start it, or choose another bus",
  ),
  log_trimmed: entry<{ from: number; first: number }>(
    503,
    (d) => `the log starts at ${d.first}; ${d.from} is gone`,
    () => "Start from a checkpoint",
  ),
  machine_version: entry<{ machine: string; recorded: string; current: string }>(
    503,
    (d) => `${d.machine} was recorded as ${d.recorded} and is ${d.current} here`,
    () => "Use the version that recorded it",
  ),
} as const;

const broken = {
  replay_mismatch: entry<{ record: number; problem: string }>(
    500,
    (d) => `record ${d.record}: ${d.problem}`,
    () => "The recording was changed, or was made by other machines",
  ),
  kernel_error: entry<{ problem: string }>(
    500,
    (d) => `a machine failed and nothing was changed: ${d.problem}`,
    () => "Please report it with the recording",
  ),
} as const;

/**
 * Every error a caller can meet: its HTTP status, what was wrong and what to do, from the data that the error carries.
 *
 * Codes are stable. Texts may be improved; programs read `code` and `data`. The order is that of docs/errors.md.
 */
export const errorCatalogue = {
  ...badRequests,
  ...tooLarge,
  ...notAllowed,
  ...conflicts,
  ...limited,
  ...unavailable,
  ...broken,
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The data that an error of this code carries. */
export type ErrorData<Code extends ErrorCode> = Parameters<(typeof errorCatalogue)[Code]["what"]>[0];

/** An error as plain data, as the kernel decides it and the log keeps it. */
export type Refusal = { [Code in ErrorCode]: { readonly code: Code; readonly data: ErrorData<Code> } }[ErrorCode];
