import type { WorktreeSource } from "../worktrees/worktree-source.ts";
import type { LanguageModel } from "ai";
import type { Bus } from "../../bus/bus.ts";
import type { ToolVisibility } from "../../protocol/agent-fields.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import type { Price, Prices } from "../../protocol/prices.ts";
import type { ScriptInput } from "../../protocol/script.ts";
import type { BoardSpecInput } from "../../protocol/task.ts";
import type { Workspace } from "../../tools/workspace/index.ts";
import type { GivenAgents } from "../agents/agent-types.ts";
import type { TeamHooks } from "../hooks/hooks.ts";
import type { LivingAgent } from "../agents/living-agent.ts";
import type { Environment } from "../models/model-keys.ts";
import type { TelemetryOptions } from "../telemetry/run-tracing.ts";

/** What a system of sessions is made of; everything has a default. */
export interface TeamSystemOptions {
  /** Where sessions live; left out = in this process, gone with it. A bus that is given is not closed by the system. */
  readonly bus?: Bus;
  /** Agent types by name. `general` exists always, unless a `default` takes its place. */
  readonly agents?: GivenAgents;
  /** Agents that exist already, made by `createAgent`: leads may invite them into their teams. */
  readonly invitables?: readonly LivingAgent[];
  /** What this host may say to what members of all sessions deliver and write, and to their rest. */
  readonly hooks?: TeamHooks;
  /** `role` hides from members the tools that only a lead may use; left out = `all`: everybody is shown the same tools. */
  readonly toolVisibility?: ToolVisibility;
  readonly limits?: Partial<Limits>;
  /** Gives every team a task board that declares none of its own. Left out = teams have one that declare it, or tasks. */
  readonly board?: BoardSpecInput;
  /**
   * What may be done without asking, and what not at all, by everybody. Left out = every tool that an agent has runs, but
   * for those that it lists under `ask`.
   */
  readonly permissions?: PermissionPolicy;
  /**
   * What models cost per million tokens, in any one currency, by `provider/model` (`scripted` for the scripted model). With
   * `limits.memberCostMax` or `teamCostMax` a model without a price is refused with `no_price`, never taken to be free.
   */
  readonly prices?: Readonly<Record<string, Price>> | Prices;
  /** The model where neither agent nor lead names one and there is no `script`: `provider/model` or one of the AI SDK. */
  readonly model?: LanguageModel;
  /** What the model `scripted` answers, per actor. */
  readonly script?: ScriptInput;
  /** Where keys of providers are looked for; left out = the environment of this process. */
  readonly environment?: Environment;
  /** Folder that the members share; left out = none, and no workspace tools. */
  readonly workspace?: string;
  readonly clock?: Clock;
  /** What spans hold, where the application has registered an OpenTelemetry SDK; left out = no inputs and no outputs. */
  readonly telemetry?: TelemetryOptions;
  /** Keeps systems that share a bus apart. */
  readonly namespace?: string;
  /**
   * Told of faults that belong to nobody's call: a subscriber that threw, an input that could not be stored. Left out = a
   * process warning. It never ends the process, whatever it does.
   */
  readonly onFault?: (fault: unknown) => unknown;
}

/** What of the options is read once. */
export interface ParsedOptions {
  /** Name of the system, which no other one on its bus has or has had. */
  readonly node: string;
  readonly limits: Limits;
  readonly prices: Prices;
  readonly workspace: Workspace | null;
  /** Where members get worktrees from. */
  readonly worktrees: WorktreeSource;
}
