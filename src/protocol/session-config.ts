import { z } from "zod";
import { RunsOn } from "./agent-fields.ts";
import { Limits } from "./limits.ts";
import { BoardSpec, SeedTask } from "./task.ts";

/** What the kernel must know of an agent type. Prompts, models and tools stay with the host. */
export const AgentTypeFacts = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  kind: z.enum(["model", "function"]),
  /** Turns from a start or wake to the next idle, park or shutdown, where that is not what the limits say. */
  turnsMax: z.int().min(1).optional(),
  /** Model steps of one turn, where that is not what the limits say. */
  stepsMax: z.int().min(1).optional(),
  /** Tasks that each of its members brings to the team's board, assigned to it. */
  tasks: z.array(SeedTask).optional(),
  /** Of a persistent member: idle for this long it shuts down, where that is not what the limits say; 0 = never. */
  idleMs: z.number().min(0).optional(),
  /** Its members' runs are carried out by workers; left out = where the session is owned. */
  runsOn: RunsOn.optional(),
});
export type AgentTypeFacts = z.infer<typeof AgentTypeFacts>;

/** Who leads: a model that we run, the user's own loop, or nobody (then the host is the Lead). */
export const LeadKind = z.enum(["hosted", "own", "none"]);
export type LeadKind = z.infer<typeof LeadKind>;

/** What is fixed when a session is opened. Kept in its first input, so that a session explains itself. */
export const SessionConfig = z.strictObject({
  session: z.string(),
  lead: LeadKind,
  agentTypes: z.array(AgentTypeFacts),
  limits: Limits,
  /** The board of every team of this session that declares none of its own. */
  board: BoardSpec.optional(),
  /** Digest of the parsed team file, when one started this session. */
  file: z.string().optional(),
  /** Digest of the real path of the folder that its members share; left out without one. */
  workspace: z.string().optional(),
});
export type SessionConfig = z.infer<typeof SessionConfig>;
