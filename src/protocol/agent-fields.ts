import { z } from "zod";

/**
 * How much a model thinks before it answers, in the words of the AI SDK, which maps them to each provider's own;
 * `provider-default` = what the provider does when nobody says.
 */
export const Effort = z.enum(["provider-default", "none", "minimal", "low", "medium", "high", "xhigh", "max"]);
/** How much a model thinks before it answers. */
export type Effort = z.infer<typeof Effort>;

/** What a hosted lead may do itself: `delegate` = nothing but speak, ask the user and lead a team. */
export const LeadMode = z.enum(["full", "delegate"]);
/** What a hosted lead may do itself. */
export type LeadMode = z.infer<typeof LeadMode>;

/** Which tools a member is shown: the same ones as the lead, each refusing who may not, or only those that it may use. */
export const ToolVisibility = z.enum(["all", "role"]);
/** Which tools a member is shown. */
export type ToolVisibility = z.infer<typeof ToolVisibility>;

/** Where a member works on files: in the folder that all share, or in a git worktree of its own. */
export const Isolation = z.enum(["shared", "worktree"]);
/** Where a member works on files. */
export type Isolation = z.infer<typeof Isolation>;

/** Who carries out the runs of members: the workers that offer their agent type. */
export const RunsOn = z.literal("workers");
/** Who carries out the runs of members. */
export type RunsOn = z.infer<typeof RunsOn>;

/** Options that an agent type and a hosted lead have in common, beside their models, in code and in a team file. */
export const workOptions = {
  effort: Effort.optional(),
  /** Tokens that the model can read at once. */
  contextTokens: z.int().min(1).optional(),
  /** The share of them from which on the conversation is replaced by a summary; 0 = never. */
  compactAt: z.number().min(0).max(1).optional(),
  /** Bytes of one tool result that the model reads. */
  toolResultBytesMax: z.int().min(1).optional(),
  /** Model steps of one turn. */
  stepsMax: z.int().min(1).optional(),
} as const;

/** Options that only an agent type has. */
export const typeOptions = {
  ...workOptions,
  /** Turns from a start or wake to the next idle, park or shutdown. */
  turnsMax: z.int().min(1).optional(),
  /** A persistent member of this type that is idle for this many ms shuts down; 0 = never. */
  idleMs: z.number().min(0).max(2_147_483_647).optional(),
  isolation: Isolation.optional(),
  runsOn: RunsOn.optional(),
} as const;
