import { z } from "zod";
import { errorCatalogue, type Refusal } from "../errors/index.ts";
import { BodyRef } from "./input.ts";
import { NoticeKind } from "./notice.ts";
import { LeadKind, SessionConfig } from "./session-config.ts";
import { Comms, Lifetime, UpstreamFailurePolicy } from "./spec.ts";
import type { Reply, ReplyValue } from "./reply.ts";
import { BoardSpec, TaskState } from "./task.ts";

/** The state of a session as one JSON value. Maps are lists of their entries: order counts, and any name may be a key. */

const count = z.int().min(0);
const text = z.string();
const names = z.array(z.string());
const nullableText = z.string().nullable();
const outcome = z.enum(["completed", "failed", "dissolved"]);

/** Where a machine is, at most region, state and substate; whether it has such a state is for the machine to say. */
const region = z.union([z.string(), z.record(z.string(), z.string())]);
const stateValue = z.union([z.string(), z.record(z.string(), region)]);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A refusal that was given as a reply: its code is ours, its data is what the code carries. */
const refusal = z.custom<Refusal>(
  (value) =>
    isRecord(value) &&
    typeof value["code"] === "string" &&
    Object.hasOwn(errorCatalogue, value["code"]) &&
    isRecord(value["data"]) &&
    Object.keys(value).length === 2,
  { error: "expected a refusal" },
);

const replyValue: z.ZodType<ReplyValue> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("created"), team: text, revision: count, started: names, blocked: names }),
  z.strictObject({
    type: z.literal("replanned"),
    revision: count,
    cancelled: names,
    retried: names,
    added: names,
    stillBlocked: names,
    stranded: names,
  }),
  z.strictObject({ type: z.literal("invited"), name: text, agent: text, revision: count, started: z.boolean() }),
  z.strictObject({ type: z.literal("dissolved"), outcome, cancelled: names }),
  z.strictObject({
    type: z.literal("sent"),
    accepted: z.literal(true),
    to: z.array(z.strictObject({ name: text, status: text })),
  }),
  z.strictObject({ type: z.literal("task_added"), task: count, status: TaskState }),
  z.strictObject({ type: z.literal("task_claimed"), task: count.nullable() }),
  z.strictObject({ type: z.literal("task_updated"), task: count, status: TaskState, unblocked: z.array(count) }),
  z.strictObject({ type: z.literal("status"), changed: z.boolean(), waitedMs: z.number(), timedOut: z.boolean() }),
  z.strictObject({ type: z.literal("accepted") }),
  z.strictObject({
    type: z.literal("permission"),
    verdict: z.enum(["approved", "denied", "timed_out", "cancelled"]),
    note: nullableText,
  }),
  z.strictObject({ type: z.literal("plan"), approved: z.boolean() }),
  z.strictObject({ type: z.literal("question") }),
]);
const reply: z.ZodType<Reply> = z.union([
  z.strictObject({ ok: replyValue }),
  z.strictObject({ refused: z.array(refusal) }),
]);

const command = z.strictObject({ from: text, id: text });
const deadline = z.strictObject({ generation: count, armedAt: z.number(), ms: z.number() });

const mail = z.strictObject({
  id: text,
  number: count,
  seq: count,
  from: text,
  kind: z.enum(["text", "instruction", "schedule", "tool_result", "system"]),
  notice: NoticeKind.nullable(),
  about: nullableText,
  reason: nullableText,
  bytes: count,
  hops: count,
  broadcast: z.boolean(),
  body: BodyRef.nullable(),
  wakes: z.boolean(),
  at: z.number(),
});

const run = z.strictObject({
  adopted: count.nullable(),
  closing: z.boolean(),
  k: count,
  steps: count,
  calls: names,
  remembered: z.array(z.strictObject({ call: text, reply: reply.nullable() })),
  asks: names,
  externals: names,
  planCall: nullableText,
  plan: BodyRef.nullable(),
  completeCall: nullableText,
  pendingResult: BodyRef.nullable(),
});

/** What a member and the lead share. */
const worker = {
  run,
  turn: z.strictObject({
    turns: count,
    hops: count,
    broadcasts: count,
    broadcastWoken: z.boolean(),
    idleBlocks: count,
  }),
  unread: z.array(mail),
  unreadBytes: count,
  received: count,
  tokens: count,
  cost: count,
  modelCalls: count,
};

// The keys of each context stand in the order in which its machine makes them: equal snapshots are known by their JSON.
const member = z.strictObject({
  token: text,
  name: text,
  index: count,
  agentType: text,
  description: nullableText,
  invited: z.strictObject({ agent: text, turnsMax: count.nullable(), stepsMax: count.optional() }).nullable(),
  lifetime: Lifetime,
  idleMs: z.number().min(0).nullable(),
  prompt: text,
  dependsOn: names,
  downstream: names,
  snapshot: z.strictObject({
    value: stateValue,
    context: z.strictObject({
      lifetime: Lifetime,
      requirePlan: z.boolean(),
      attempt: count,
      run: count,
      nudges: count,
      losses: count,
      planned: z.boolean(),
      refused: z.boolean(),
    }),
  }),
  unmet: z.int(),
  since: z.number(),
  revision: count,
  reason: nullableText,
  result: BodyRef.nullable(),
  replacedBy: nullableText,
  ...worker,
});

const task = z.strictObject({
  id: count,
  subject: text,
  description: nullableText,
  priority: z.int(),
  dependsOn: z.array(count),
  assignee: nullableText,
  agentType: nullableText,
  status: TaskState,
  owner: nullableText,
  note: nullableText,
  addedBy: text,
  since: z.number(),
  offeredTo: nullableText,
  declined: names,
});

const board = z.strictObject({
  selfClaim: z.boolean(),
  onOwnerGone: BoardSpec.shape.onOwnerGone.unwrap(),
  tasks: z.array(task),
  unfinished: count,
});

const team = z.strictObject({
  token: text,
  k: count,
  name: text,
  description: nullableText,
  comms: Comms,
  upstreamFailure: UpstreamFailurePolicy,
  snapshot: z.strictObject({ value: stateValue, context: z.strictObject({ outcome }) }),
  order: names,
  byKey: z.array(z.tuple([text, text])),
  counts: z.strictObject({
    total: count,
    completed: count,
    failed: count,
    cancelled: count,
    working: count,
    running: count,
    idle: count,
    shutdown: count,
  }),
  board: board.nullable(),
  createdAt: z.number(),
  since: z.number(),
  dissolveWaiters: z.array(command),
  cancelledBefore: names,
  cancelledByDissolve: names,
  grace: deadline.nullable(),
});

const lead = z.strictObject({
  snapshot: z.strictObject({
    value: stateValue,
    context: z.strictObject({ kind: LeadKind, run: count, losses: count }),
  }),
  deadLettersLeftOut: count,
  questions: z.array(z.strictObject({ call: text, command })),
  answer: BodyRef.nullable(),
  failure: nullableText,
  ...worker,
});

const client = z.strictObject({
  last: count,
  replies: z.array(z.strictObject({ n: count, reply: reply.nullable() })),
});

const verdict = z.enum(["approved", "denied", "timed_out", "cancelled"]);

/** A session as it is stored to be gone on with. */
export const SessionCheckpoint = z.strictObject({
  format: z.literal("teamchart-checkpoint"),
  version: z.literal(1),
  config: SessionConfig.nullable(),
  snapshot: z.strictObject({ value: stateValue, context: z.strictObject({}) }),
  seq: count,
  at: z.number(),
  epoch: count,
  revision: count,
  /** Of the status that people see. */
  statusVersion: count,
  notableVersion: count,
  teamsMade: count,
  team: team.nullable(),
  pastTeams: z.array(
    z.strictObject({ name: text, outcome, members: count, createdAt: z.number(), dissolvedAt: z.number() }),
  ),
  members: z.array(member),
  lead,
  polls: z.array(z.strictObject({ call: text, since: count, deadline, command })),
  requests: z.array(
    z.strictObject({
      id: text,
      member: text,
      call: text.optional(),
      kind: z.enum(["tool", "network", "mode"]),
      tool: text,
      subject: text,
      input: BodyRef.nullable(),
      approver: z.enum(["user", "lead"]),
      deadline,
      command,
    }),
  ),
  answered: z.array(z.strictObject({ id: text, verdict })),
  outside: z.array(
    z.strictObject({
      actor: text,
      call: text,
      tool: text,
      note: BodyRef.nullable(),
      since: z.number(),
      deadline: deadline.nullable(),
      answer: z.strictObject({ verdict: z.enum(["ok", "error", "timed_out"]), body: BodyRef.nullable() }).nullable(),
    }),
  ),
  outsideEnds: z.array(
    z.strictObject({ actor: text, call: text, how: z.enum(["answered", "timed_out", "cancelled"]) }),
  ),
  clients: z.array(z.tuple([text, client])),
  worktrees: z
    .array(z.strictObject({ token: text, branch: text, path: text, base: text, state: z.enum(["open", "kept"]) }))
    .default([]),
  mail: z.strictObject({ accepted: count, delivered: count, deadLettered: count, refused: count }),
});
export type SessionCheckpoint = z.infer<typeof SessionCheckpoint>;
