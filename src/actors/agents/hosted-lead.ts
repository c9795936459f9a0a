import type { LanguageModel, ToolSet } from "ai";
import type { LeadMode } from "../../protocol/agent-fields.ts";
import type { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import type { WorkOptions } from "./agent.ts";

/** The lead that a session runs. Its model, fallback model and effort are also those of agent types that name none. */
export interface HostedLead extends WorkOptions {
  readonly model?: LanguageModel;
  /** Answers for the rest of a turn in which the model has failed for good. */
  readonly fallbackModel?: LanguageModel;
  readonly instructions?: string;
  /** Own tools beside those of the workspace, or names: then of the workspace's tools only these. */
  readonly tools?: ToolSet | readonly string[];
  /** Own tools that may be executed again when a turn was lost in the middle of a call. */
  readonly idempotent?: readonly string[];
  /** What it may do without asking, and what not at all; never more than the session. Members may do no more than it. */
  readonly permissions?: PermissionPolicy;
  /** Own tools that change nothing, so that modes that let it look let it use them. */
  readonly readOnly?: readonly string[];
  /**
   * `delegate` = it leads and does nothing itself: it has the team's tools and may ask the user, and neither reads files nor
   * gives tasks to sub-agents. Members don't inherit it. Left out = `full`.
   */
  readonly leadMode?: LeadMode;
}
