import type { AgentOptions } from "./agent-options.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import type { RunTraits } from "./run-traits.ts";

/** What a model run has of its own: the rest it shares with every run of its session. */
export type OwnOptions = Pick<
  ModelRunOptions,
  | (keyof AgentOptions & keyof ModelRunOptions)
  | "actor"
  | "resolve"
  | "fallback"
  | "cap"
  | "onNote"
  | "roster"
  | "instructions"
  | "tools"
  | "gate"
  | "prompt"
  | "attempt"
  | "nudge"
  | "unread"
  | "mayDeliver"
  | "startedCalls"
  | "nearTime"
  | "nearTurns"
  | "completeCall"
> & { readonly conversation: number; readonly traits: RunTraits };
