import { createHash } from "node:crypto";
import { z } from "zod";
import type { CallOptions, GenerateResult } from "./language-model-v4.ts";
import { ScriptError } from "./script-error.ts";

type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;
type ProviderMetadata = NonNullable<GenerateResult["providerMetadata"]>;

/** The name under which a host and the scripted model speak to each other in provider options and metadata. */
const key = "teamchart";

const Call = z.object({
  actor: z.string().optional(),
  position: z.int().min(0).optional(),
  compacts: z.boolean().optional(),
});
const Outcome = z.object({ position: z.int().min(0), waiting: z.boolean() });

/** What one outcome of the scripted model (an answer or an error) means for the place in the script. */
export interface ScriptOutcome {
  /** How many entries are used up once this outcome is journalled: the `position` of the next call. */
  readonly position: number;
  /** Whether it was a look at the team for a `waitFor`: no step of the actor, and nothing is used up by it. */
  readonly waiting: boolean;
}

/**
 * The provider options that tell the scripted model who calls and how many entries this actor has used up. A host that
 * keeps a journal passes them with each call; then the model counts nothing itself, and an outcome that was never
 * journalled is played again. `compacts`: the answer is to be the summary of a conversation that is too long.
 */
export const scriptCallOptions = (actor: string, position: number, compacts = false): ProviderOptions => ({
  [key]: { actor, position, ...(compacts ? { compacts } : {}) },
});

/** Who calls, at which position and for what, as far as the call's options say. */
export const readScriptCall = (options: CallOptions): z.infer<typeof Call> =>
  Call.safeParse(options.providerOptions?.[key]).data ?? {};

/** An outcome as provider metadata of an answer. */
export const scriptMetadata = ({ position, waiting }: ScriptOutcome): ProviderMetadata => ({
  [key]: { position, waiting },
});

/**
 * What an outcome says about the place in the script: of an answer's provider metadata, or of what a call threw. Null
 * when the scripted model wasn't the one that answered.
 */
export const scriptOutcomeOf = (outcome: unknown): ScriptOutcome | null => {
  if (outcome instanceof ScriptError) return { position: outcome.position, waiting: false };
  if (typeof outcome !== "object" || outcome === null) return null;
  const metadata: unknown = "data" in outcome ? outcome.data : outcome;
  if (typeof metadata !== "object" || metadata === null || !(key in metadata)) return null;
  return Outcome.safeParse(metadata[key]).data ?? null;
};

/**
 * The stem of the tool call ids of one entry. Ids are made of the actor and the position, so that a script that is
 * played again says the same; of letters, digits and `_` only, which every provider takes in a history.
 */
export const callIdStem = (actor: string, position: number): string =>
  `script_${createHash("sha256").update(actor).digest("hex").slice(0, 12)}_${position}_`;
