import type { LanguageModel } from "ai";
import type { Effort } from "../../protocol/agent-fields.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { ModelAgent, WorkOptions } from "./agent.ts";

/** How one model agent works: every option with its value. */
export interface AgentOptions {
  /** Undefined = what the system has for agents that name none. */
  readonly model: LanguageModel | undefined;
  /** Null = none. */
  readonly fallbackModel: LanguageModel | null;
  readonly effort: Effort;
  /** Null = what is known of the model. */
  readonly contextTokens: number | null;
  readonly compactAt: number;
  readonly compact: NonNullable<WorkOptions["compact"]> | null;
  readonly toolResultBytesMax: number;
  readonly stepsMax: number;
}

/** What a lead or an agent type says of itself. */
export type GivenOptions = Pick<ModelAgent, "model" | "fallbackModel" | keyof WorkOptions>;

interface Sources {
  readonly lead: GivenOptions;
  readonly type: GivenOptions;
  readonly limits: Limits;
}

/** From this share of its context on a conversation is compacted. */
const compactAtDefault = 0.8;

/** Whether a type is driven by the lead's own model, so that what the lead knows of that holds for it too. */
const hasLeadsModel = ({ lead, type }: Sources): boolean => type.model === undefined || type.model === lead.model;

/** How each option is found. What is not taken from the lead here is never inherited: neither tools nor the lead's mode. */
const rules: { readonly [Name in keyof AgentOptions]: (sources: Sources) => AgentOptions[Name] } = {
  model: ({ lead, type }) => type.model ?? lead.model,
  fallbackModel: (sources) => {
    const { lead, type } = sources;
    const fallback = type.fallbackModel === undefined ? lead.fallbackModel : type.fallbackModel;
    // A model can't stand in for itself.
    return fallback === undefined || fallback === rules.model(sources) ? null : fallback;
  },
  effort: ({ lead, type }) => type.effort ?? lead.effort ?? "provider-default",
  contextTokens: (sources) => {
    const { lead, type, limits } = sources;
    const inherited = hasLeadsModel(sources) ? lead.contextTokens : undefined;
    return type.contextTokens ?? inherited ?? (limits.contextTokens === 0 ? null : limits.contextTokens);
  },
  compactAt: ({ type }) => type.compactAt ?? compactAtDefault,
  compact: ({ type }) => type.compact ?? null,
  toolResultBytesMax: ({ type, limits }) => type.toolResultBytesMax ?? limits.toolResultBytesMax,
  stepsMax: ({ type, limits }) => Math.min(type.stepsMax ?? limits.stepsMax, limits.stepsMax),
};

/**
 * How an agent type works in a session with this lead. Model, fallback and effort come from the lead unless the type says
 * something else, and so does the size of the lead's model where it is the type's too; all the rest is the type's own or
 * the limits'. A lead itself is its own type: `resolveAgentOptions(lead, lead, limits)`.
 */
export function resolveAgentOptions(lead: GivenOptions | null, type: GivenOptions, limits: Limits): AgentOptions {
  const sources: Sources = { lead: lead ?? {}, type, limits };
  const found = Object.entries(rules).map(([name, rule]) => [name, rule(sources)]);
  // The table has a rule for every option, by its type.
  return Object.fromEntries(found) as AgentOptions;
}
