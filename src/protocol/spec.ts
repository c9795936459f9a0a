import { z } from "zod";
import { BoardSpec, TaskSpec } from "./task.ts";

/**
 * What a lead or a user declares. The schemas check the shape only: names, cycles and sizes are judged by the kernel
 * with short texts, because a schema error echoes the whole input back to a model.
 */

/** `oneshot` ends with its result; `persistent` goes idle and is woken by mail, its history kept. */
export const Lifetime = z.enum(["oneshot", "persistent"]);
export type Lifetime = z.infer<typeof Lifetime>;

/** What happens downstream when an upstream fails for good. */
export const UpstreamFailurePolicy = z.enum(["block", "cancel", "skip"]);
export type UpstreamFailurePolicy = z.infer<typeof UpstreamFailurePolicy>;

/** Whom a member may write to. */
export const Comms = z.enum(["all", "dag", "lead"]);
export type Comms = z.infer<typeof Comms>;

const Milliseconds = z.number().min(0).max(2_147_483_647);

/** One member, a node of the team's graph. */
export const MemberSpec = z.strictObject({
  name: z.string().describe("Unique name, 1 to 64 characters."),
  description: z.string().optional().describe("What this member is for, shown to the others."),
  agentType: z.string().default("general").describe("One of the known agent types."),
  prompt: z.string().describe("The whole task: the member sees nothing of your conversation."),
  dependsOn: z.array(z.string()).default([]).describe("Members that must complete before this one starts."),
  lifetime: Lifetime.default("oneshot").describe("oneshot (default) or persistent."),
  idleMs: Milliseconds.optional().describe("A persistent member that is idle for this many ms shuts down; 0 = never."),
  requirePlan: z.boolean().default(false).describe("Hold it in read-only planning until its plan is approved."),
});
export type MemberSpec = z.infer<typeof MemberSpec>;
/** A member as it is written: what has a default may be left out. */
export type MemberSpecInput = z.input<typeof MemberSpec>;

/** A whole team, declared in one call. */
export const TeamSpec = z.strictObject({
  name: z.string().describe("Name of the team."),
  description: z.string().optional().describe("What the team is for; every member reads it."),
  members: z.array(MemberSpec),
  comms: Comms.default("all"),
  upstreamFailure: UpstreamFailurePolicy.default("block"),
  /** Left out = the session's board, if it has one; else no board, unless there are tasks. */
  board: BoardSpec.optional(),
  /** Numbered from 1 in this order, and named by these numbers in each other's `dependsOn`. */
  tasks: z.array(TaskSpec).optional().describe("Tasks of the team's board."),
});
export type TeamSpec = z.infer<typeof TeamSpec>;
/** A team as it is written: what has a default may be left out. */
export type TeamSpecInput = z.input<typeof TeamSpec>;

/** A member added by a replan. `dependsOn` left out together with `replaces` = inherited from the one replaced. */
export const AddedMemberSpec = MemberSpec.extend({
  dependsOn: z.array(z.string()).optional(),
  replaces: z.string().optional().describe("Takes this member's place in every dependsOn and cancels it."),
});
export type AddedMemberSpec = z.infer<typeof AddedMemberSpec>;

/** A change of the running team, applied whole or not at all. */
export const ReplanSpec = z.strictObject({
  revision: z.int().optional().describe("The revision you planned on; refused when a named member changed since."),
  cancel: z.array(z.string()).default([]).describe("Members to cancel, running ones too."),
  retry: z
    .array(z.strictObject({ name: z.string(), prompt: z.string().optional() }))
    .default([])
    .describe("Failed members, or completed persistent ones, to start again; with a new prompt if given."),
  add: z.array(AddedMemberSpec).default([]).describe("New members."),
  rewire: z
    .array(z.strictObject({ name: z.string(), dependsOn: z.array(z.string()) }))
    .default([])
    .describe("New dependencies of blocked members."),
  shutdown: z.array(z.string()).default([]).describe("Members to ask to shut down: idle and running ones."),
  reason: z.string().max(600).optional(),
});
export type ReplanSpec = z.infer<typeof ReplanSpec>;
/** A change as it is written: what is not to be changed is left out. */
export type ReplanSpecInput = z.input<typeof ReplanSpec>;

/** An existing agent that is to join the running team. */
export const InviteSpec = z.strictObject({
  agent: z.string().describe("Name of the agent, as it is listed."),
  as: z.string().optional().describe("Its name in this team; left out = its own. Everybody writes to it by this name."),
  prompt: z.string().optional().describe("Its task, whole; left out = it has none and answers what it is asked."),
  dependsOn: z.array(z.string()).default([]).describe("Members that must complete before it starts."),
});
export type InviteSpec = z.infer<typeof InviteSpec>;
/** An invitation as it is written: what has a default may be left out. */
export type InviteSpecInput = z.input<typeof InviteSpec>;

/** How a team ends: `graceful` asks running members and forces them after `graceMs`; `abort` stops at once. */
export const DissolveSpec = z.strictObject({
  mode: z.enum(["graceful", "abort"]).default("graceful"),
  graceMs: Milliseconds.optional(),
  reason: z.string().max(600).optional(),
});
export type DissolveSpec = z.infer<typeof DissolveSpec>;
/** A dissolve as it is written; nothing at all means a graceful one. */
export type DissolveSpecInput = z.input<typeof DissolveSpec>;
