import { z } from "zod";
import { LeadMode, ToolVisibility, typeOptions, workOptions } from "./agent-fields.ts";
import { Limits } from "./limits.ts";
import { mapOf } from "./map-of.ts";
import { AgentPermissions, PermissionPolicy } from "./permissions/permission-policy.ts";
import { Prices } from "./prices.ts";
import { Script } from "./script.ts";
import { InviteSpec, TeamSpec } from "./spec.ts";
import { BoardSpec, SeedTask } from "./task.ts";

/**
 * The team file: a declaration and nothing else. Whatever runs is chosen by name from what the host knows; keys that are
 * users' names are entries of a Map, so that every name is just a name.
 */

const toolNames = z.array(z.string().min(1));
const modelName = z.string().min(1);

/** An agent type of the file: which model, told what, with which tools. */
export const FileAgent = z.strictObject({
  description: z.string().optional(),
  /** `provider/model` or `scripted`. */
  model: modelName.optional(),
  /** Answers when the model has failed for good; null = none, though the lead has one. */
  fallbackModel: modelName.nullable().optional(),
  instructions: z.string().optional(),
  /** Workspace tools by name; left out, all but `execute`. */
  tools: toolNames.optional(),
  /** Of these tools, those that may be executed again when a run was lost in the middle of a call. */
  idempotent: toolNames.optional(),
  ...typeOptions,
  /** What its members may do without asking, and what not at all. */
  permissions: AgentPermissions.optional(),
  /** Tasks that each of its members brings to the board. */
  tasks: z.array(SeedTask).optional(),
});
export type FileAgent = z.infer<typeof FileAgent>;

/** An agent of the file that exists beside its teams, and may be invited into them. */
export const FileInvitable = FileAgent.extend({
  /** What it is good for: leads choose by it. */
  description: z.string().min(1).max(2_000),
  /** Its own folder, relative to the file; left out = none. */
  workspace: z.string().min(1).optional(),
  remembers: z.enum(["session", "all", "none"]).optional(),
});
export type FileInvitable = z.infer<typeof FileInvitable>;

/** The hosted lead of the file, and the first thing that the user says to it. */
export const FileLead = z.strictObject({
  model: modelName.optional(),
  fallbackModel: modelName.optional(),
  instructions: z.string().optional(),
  tools: toolNames.optional(),
  idempotent: toolNames.optional(),
  leadMode: LeadMode.optional(),
  ...workOptions,
  permissions: PermissionPolicy.optional(),
  prompt: z.string().min(1),
});
export type FileLead = z.infer<typeof FileLead>;

/** The limits that the file gives; the others are for flags, variables and defaults to say. */
const FileLimits = z.strictObject(
  // Every field of Limits is a number with a default, which a file that leaves it out must not fix.
  Object.fromEntries(Object.entries(Limits.shape).map(([name, limit]) => [name, limit.unwrap().optional()])) as {
    [Name in keyof Limits]: z.ZodOptional<z.ZodNumber>;
  },
);

/** A team file: who leads, or which team works without a lead; and what they need for it. */
export const TeamFile = z
  .strictObject({
    /** Folder that the members share, relative to where the command runs. */
    workspace: z.string().min(1).optional(),
    agents: mapOf(FileAgent).optional(),
    /** Agents that exist already; a lead may invite them. */
    invitables: mapOf(FileInvitable).optional(),
    toolVisibility: ToolVisibility.optional(),
    /** The task board of every team that declares none of its own. */
    board: BoardSpec.optional(),
    lead: FileLead.optional(),
    team: TeamSpec.optional(),
    /** Which of the `invitables` join `team` as soon as it is created, in this order; a lead invites them itself. */
    invite: z.array(InviteSpec).max(1_000).optional(),
    limits: FileLimits.optional(),
    /** What models cost per million tokens, by `provider/model`. */
    prices: Prices.optional(),
    /** What everybody may do without asking, and what nobody. */
    permissions: PermissionPolicy.optional(),
    /** What the scripted model answers, per actor. */
    script: Script.optional(),
  })
  .superRefine(({ lead, team, invite }, context) => {
    if (invite !== undefined && team === undefined) {
      const message = "it stands without `team`; a lead invites by team_invite";
      context.addIssue({ code: "custom", path: ["invite"], message });
    }
    if ((lead === undefined) !== (team === undefined)) return;
    context.addIssue({
      code: "custom",
      path: lead === undefined ? [] : ["team"],
      message:
        lead === undefined
          ? "it has neither `lead` nor `team`; declare one of them"
          : "it stands beside `lead`; keep one of them, for a lead declares its team itself",
    });
  });
export type TeamFile = z.infer<typeof TeamFile>;
