import { z } from "zod";
import { SessionConfig } from "./session-config.ts";

/**
 * Inputs: what the machines cannot compute. An input is appended to the mailbox subject of the actor it is meant for,
 * as a small steering envelope plus a body by reference. The kernel reads the envelope and never the body.
 */

const count = z.int().min(0);
const text = z.string().max(2_000);
/** Why something failed, as `class: sentence`; short, shown in every status. */
const reason = z.string().max(600);

/** A body beside the envelope: sha-256 (hex) of its canonical JSON and its size in bytes. */
export const BodyRef = z.strictObject({ digest: z.string(), bytes: count });
export type BodyRef = z.infer<typeof BodyRef>;

/**
 * Who asks, so that a repeated command is recognised: a tool call of a run, or the n-th command of a client (random per
 * process, accepted only in order). Without either the stream sequence is the identity.
 */
export const CommandKey = z.union([
  z.strictObject({ call: z.string(), run: count }),
  z.strictObject({ client: z.string(), n: count }),
]);
export type CommandKey = z.infer<typeof CommandKey>;

/** What a hook of the host answered to a command: it is refused with this. Nothing = it may pass. */
const refusedByHook = z.strictObject({ feedback: z.string().max(2_000) });

/** What a hook of the host answered when a run was about to end: it goes on with this. Nothing = it may end. */
const HookAnswer = z.strictObject({ on: z.enum(["complete", "idle"]), feedback: z.string().max(2_000) });

/** An existing agent as the host knew it when it was invited. */
const InvitedFacts = z.strictObject({
  name: z.string().max(400),
  description: z.string().max(2_000),
  /** Turns from a start or wake to the next idle, where that is not what the limits say. */
  turnsMax: z.int().min(1).optional(),
  /** Model steps of one turn, where that is not what the limits say; 0 = it has none, being a function. */
  stepsMax: z.int().min(0).optional(),
});

/** The k-th input of run `run` of the actor that owns the mailbox; a gap is refused. */
const runInput = { run: count, k: count };

/**
 * Tokens a provider reported; `estimated` when we had to guess from the length. `cost`: what they cost, in millionths of a
 * unit of money, where the price is known.
 */
export const Usage = z.strictObject({
  input: count,
  output: count,
  estimated: z.boolean().optional(),
  cost: count.optional(),
});
export type Usage = z.infer<typeof Usage>;

const sessionInputs = [
  z.strictObject({ type: z.literal("session.opened"), config: SessionConfig }),
  z.strictObject({ type: z.literal("session.closed") }),
  z.strictObject({ type: z.literal("owner.claimed"), epoch: count, node: text }),
  z.strictObject({ type: z.literal("owner.released"), epoch: count }),
  z.strictObject({ type: z.literal("timer.due"), key: z.string(), generation: count, epoch: count }),
  /**
   * The owner gives a member a git worktree of its own, a new one or the one that it had: written down before it is made.
   * `path`: the member's folder, relative to the workspace; `base`: the commit that it starts from.
   */
  z.strictObject({
    type: z.literal("worktree.opened"),
    member: z.string().max(400),
    branch: text,
    path: text,
    base: text,
  }),
  /** Nobody works in it now. `kept`: it holds changes; else folder and branch are gone. */
  z.strictObject({ type: z.literal("worktree.closed"), member: z.string().max(400), branch: text, kept: z.boolean() }),
] as const;

const runInputs = [
  z.strictObject({ type: z.literal("run.lost"), run: count, reason }),
  z.strictObject({ type: z.literal("run.adopted"), run: count, k: count, epoch: count }),
  z.strictObject({ type: z.literal("run.injected"), ...runInput, mail: z.array(z.string()) }),
  z.strictObject({ type: z.literal("run.answered"), ...runInput, calls: count, usage: Usage, finish: text }),
  /** The conversation so far was replaced by a summary; `called`: by a model, so it counts as a model call. */
  z.strictObject({ type: z.literal("run.compacted"), ...runInput, usage: Usage, called: z.boolean() }),
  z.strictObject({
    type: z.literal("run.erred"),
    ...runInput,
    reason,
    retryInMs: z.number().min(0),
  }),
  z.strictObject({ type: z.literal("run.retried"), ...runInput }),
  z.strictObject({ type: z.literal("tool.started"), ...runInput, call: text, tool: text }),
  z.strictObject({
    type: z.literal("tool.ended"),
    ...runInput,
    call: text,
    verdict: z.enum(["ok", "error", "refused", "interrupted"]),
  }),
  z.strictObject({ type: z.literal("step.ended"), ...runInput, hook: HookAnswer.optional() }),
  z.strictObject({ type: z.literal("turn.ended"), ...runInput, finish: text, hook: HookAnswer.optional() }),
  z.strictObject({ type: z.literal("run.completed"), ...runInput, hook: HookAnswer.optional() }),
  /** `called`: a provider was asked, so it counts as a model call. `stop`: a hook of the host stopped the member. */
  z.strictObject({
    type: z.literal("run.failed"),
    ...runInput,
    reason,
    called: z.boolean().optional(),
    stop: z.literal(true).optional(),
  }),
  /** An open call waits for somebody outside, for at most `timeoutMs`; left out = for as long as its run lives. */
  z.strictObject({
    type: z.literal("external.asked"),
    ...runInput,
    call: text,
    tool: text,
    timeoutMs: z.number().min(0).max(2_147_483_647).optional(),
  }),
  z.strictObject({ type: z.literal("shutdown.replied"), ...runInput, accept: z.boolean(), reason }),
] as const;

const commands = [
  z.strictObject({
    type: z.literal("team.create"),
    plan: z.string(),
    byModel: z.boolean(),
    hook: refusedByHook.optional(),
  }),
  z.strictObject({
    type: z.literal("team.replan"),
    plan: z.string(),
    byModel: z.boolean(),
    hook: refusedByHook.optional(),
  }),
  /** `agent` null = the host offers no agent of that name now; `known` are those that it does offer. */
  z.strictObject({
    type: z.literal("team.invite"),
    plan: z.string(),
    byModel: z.boolean(),
    agent: InvitedFacts.nullable(),
    known: z.array(z.string()).max(50),
  }),
  z.strictObject({
    type: z.literal("team.dissolve"),
    mode: z.enum(["graceful", "abort"]),
    graceMs: z.number().min(0).optional(),
    reason: reason.optional(),
  }),
  z.strictObject({
    type: z.literal("message.send"),
    /** The recipient as the sender wrote it: the gate resolves it. */
    to: z.string().max(400),
    kind: z.enum(["text", "instruction", "schedule", "tool_result"]),
    bytes: count,
    hook: refusedByHook.optional(),
  }),
  z.strictObject({ type: z.literal("team.status"), since: count.optional(), waitMs: z.number().min(0).optional() }),
  z.strictObject({ type: z.literal("poll.ended"), call: text }),
  z.strictObject({ type: z.literal("task.add"), plan: z.string(), hook: refusedByHook.optional() }),
  z.strictObject({
    type: z.literal("task.claim"),
    /** Left out = the next one that may be taken. */
    task: z.int().min(1).optional(),
    /** For whom, by the Lead and the user alone: a member takes tasks for itself. */
    owner: z.string().max(400).optional(),
  }),
  z.strictObject({ type: z.literal("task.update"), plan: z.string() }),
  z.strictObject({ type: z.literal("work.complete"), hook: refusedByHook.optional() }),
  z.strictObject({ type: z.literal("plan.submit") }),
  z.strictObject({ type: z.literal("plan.answer"), member: z.string(), approve: z.boolean() }),
  z.strictObject({
    type: z.literal("permission.ask"),
    /** The call in whose name it asks: the request ends with it. Left out = it is that of this command. */
    call: text.optional(),
    kind: z.enum(["tool", "network", "mode"]),
    tool: text,
    /** Digest of tool and arguments: the answer holds for these alone. */
    subject: text,
    approver: z.enum(["user", "lead"]),
  }),
  z.strictObject({
    type: z.literal("permission.answer"),
    request: text,
    approve: z.boolean(),
    note: reason.optional(),
  }),
  /** The result of a call that waits for somebody outside, from there. `member`: whose call it is, where two have the same. */
  z.strictObject({
    type: z.literal("external.answer"),
    call: text,
    member: z.string().max(400).optional(),
    verdict: z.enum(["ok", "error"]),
  }),
  z.strictObject({ type: z.literal("question.ask") }),
  z.strictObject({ type: z.literal("question.answer"), call: text }),
  z.strictObject({ type: z.literal("lead.prompt"), bytes: count }),
  z.strictObject({ type: z.literal("lead.injected"), mail: z.array(z.string()) }),
  /** Ends what a member is doing now. */
  z.strictObject({ type: z.literal("member.interrupt"), member: z.string().max(400), reason: reason.optional() }),
  /** The sender has dealt with this mail of its own, which was delivered to it. */
  z.strictObject({ type: z.literal("mail.acknowledge"), mail: z.array(z.string()).min(1).max(100) }),
] as const;

/** What happened or is asked for: `noun.verb`, past tense for facts. */
export const InputEvent = z.discriminatedUnion("type", [...sessionInputs, ...runInputs, ...commands]);
export type InputEvent = z.infer<typeof InputEvent>;
/** The type of an input: `noun.verb`. */
export type InputType = InputEvent["type"];
/** The event of one type. */
export type InputOf<Type extends InputType> = Extract<InputEvent, { type: Type }>;

/** An input in its envelope, about 140 bytes. */
export const Input = z.strictObject({
  /** Unique; the same id twice is stored once. */
  id: z.string(),
  /** Wall clock of the sender in ms. Orders nothing; dates deadlines only. */
  at: z.number(),
  /** Whose mailbox: `session`, `lead`, `team-<k>` or a member's token. */
  actor: z.string(),
  /** An actor token, `user` or `system`; set by the runtime from the call's context, never from arguments. */
  from: z.string(),
  /** The owner's epoch that the sender knew; older ones are stale. */
  epoch: count,
  command: CommandKey.optional(),
  event: InputEvent,
  body: BodyRef.optional(),
});
export type Input = z.infer<typeof Input>;
