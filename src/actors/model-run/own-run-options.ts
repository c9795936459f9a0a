import type { AgentOptions } from "../agents/agent-options.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import type { RunTraits } from "../runs/run-traits.ts";

/** What of a model run's options its agent type and actor say. */
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
