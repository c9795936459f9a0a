import { z } from "zod";
import { SessionSummary } from "../../protocol/service-api.ts";
import { TaskState } from "../../protocol/task.ts";

/** What the API answers with, as the OpenAPI document says it. Answers are made by us and not parsed again. */

const count = z.int().min(0);
const name = z.string();
const ms = z.number().describe("ms of the wall clock");

/** A failure, with the code of docs/errors.md. */
export const ErrorAnswer = z.strictObject({
  type: z.literal("error"),
  code: z.string(),
  message: z.string(),
  data: z.looseObject({}),
});

/** `GET /api/sessions`. */
export const SessionsAnswer = z.strictObject({ sessions: z.array(SessionSummary) });

const Task = z.strictObject({
  task: z.int().min(1).describe("Its number in its team"),
  subject: z.string(),
  description: z.string().optional(),
  status: TaskState,
  owner: name.optional().describe("Who works on it, or did when it was closed"),
  assignee: name.optional().describe("The one member that may take it"),
  agentType: z.string().optional(),
  priority: z.int(),
  dependsOn: z.array(count),
  waitingOn: z.array(count).describe("Those of `dependsOn` that are not completed"),
  note: z.string().optional(),
  addedBy: name,
  since: ms,
});
/** `GET .../tasks`. */
export const TasksAnswer = z.strictObject({ tasks: z.array(Task) });

/** `POST .../tasks`. */
export const TaskAddedAnswer = z.strictObject({ task: count, status: TaskState });

/** `POST .../tasks/claim`. */
export const TaskClaimedAnswer = z.strictObject({ task: Task.nullable().describe("null = there is none to take") });

/** `POST .../tasks/:task`. */
export const TaskUpdatedAnswer = z.strictObject({
  task: count,
  status: TaskState,
  unblocked: z.array(count).describe("Tasks that wait for nothing any more"),
});

const Member = z.looseObject({
  name,
  agentType: z.string(),
  status: z.enum(["blocked", "in_progress", "completed", "failed", "cancelled"]),
  presence: z.enum(["parked", "running", "idle", "draining", "shutdown"]),
  activity: z.string().nullable(),
  since: ms,
  dependsOn: z.array(name),
  waitingOn: z.array(name),
  unread: count,
  attempt: count,
  reason: z.string().optional(),
  summary: z.string().optional(),
  paths: z.array(z.string()).optional(),
  plan: z.string().optional(),
  replacedBy: name.optional(),
  tokens: count,
  modelCalls: count,
});

const Request = z.looseObject({
  id: z.string(),
  member: name,
  kind: z.enum(["tool", "network", "mode"]),
  tool: z.string(),
  input: z.string().optional(),
  target: z.string().optional(),
  chains: z.array(z.array(name)).optional(),
  approver: z.enum(["user", "lead"]),
  since: ms,
});
/** `GET .../permissions`. */
export const PermissionsAnswer = z.strictObject({ permissions: z.array(Request) });

/** `GET .../status`. */
export const StatusAnswer = z.looseObject({
  session: z.string(),
  team: name.nullable(),
  state: z.string(),
  revision: count,
  version: count.describe("Give it as `since` to wait for the next change"),
  changed: z.boolean().describe("False when a wait has ended by its time"),
  lead: z.string(),
  members: z.array(Member),
  pendingMessages: count,
  permissionRequests: z.array(Request),
  tasks: z.array(Task).optional().describe("Of a team with a task board"),
  messages: z.looseObject({
    accepted: count,
    delivered: count,
    deadLettered: count,
    unread: count,
    refused: count,
  }),
});

/** `GET .../messages`. */
export const MessagesAnswer = z.strictObject({
  messages: z.array(
    z.strictObject({
      seq: count,
      at: ms,
      from: name,
      to: name,
      kind: z.enum(["text", "instruction", "prompt"]),
      bytes: count,
      verdict: z.string(),
      body: z.string().nullable().describe("Digest of its content"),
    }),
  ),
  next: count.nullable().describe("Give it as `from` for the next page; null = this is the last"),
  mailboxes: z.array(z.strictObject({ actor: name, unread: count, bytes: count, oldestAt: ms.nullable() })),
});

/** `POST .../messages`. */
export const SentAnswer = z.strictObject({
  accepted: z.literal(true),
  to: z.array(z.strictObject({ name, status: z.string() })),
});

/** `POST .../replan`, and what is done by one. */
export const ReplanAnswer = z.strictObject({
  revision: count,
  cancelled: z.array(name),
  retried: z.array(name),
  added: z.array(name),
  stillBlocked: z.array(name),
  stranded: z.array(name),
});

/** `POST .../replan/preview`. */
export const PreviewAnswer = z.strictObject({
  ok: z.boolean(),
  members: z.array(Member),
  problems: z.array(z.strictObject({ code: z.string(), message: z.string(), data: z.looseObject({}) })),
});

/** `POST .../dissolve`. */
export const DissolveAnswer = z.strictObject({
  outcome: z.enum(["completed", "failed", "dissolved"]),
  cancelled: z.array(name),
});

/** Done, and nothing more to say. */
export const AcceptedAnswer = z.strictObject({ accepted: z.literal(true) });

/** `GET /healthz`. */
export const HealthAnswer = z.strictObject({ status: z.literal("ok") });

/** `GET /readyz`. */
export const ReadyAnswer = z.strictObject({ ready: z.boolean(), reasons: z.array(z.string()) });
