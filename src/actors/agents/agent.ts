import type { LanguageModel, ModelMessage, ToolSet } from "ai";
import type { Effort, Isolation, RunsOn } from "../../protocol/agent-fields.ts";
import type { AcknowledgeResult, MailKind } from "../../protocol/mail.ts";
import type { AgentPermissions } from "../../protocol/permissions/permission-policy.ts";
import type { SendResult } from "../../protocol/reply.ts";
import type { AgentHooks } from "../hooks/hooks.ts";
import type { Permit, PermitRequest } from "../../tools/permit.ts";
import type { WorktreeStatus } from "../../protocol/status.ts";
import type { SeedTaskInput } from "../../protocol/task.ts";
import type { WorkspaceView } from "../../tools/workspace/index.ts";
import type { MemberBoard } from "../session/task-board.ts";

/** What an upstream delivered. */
export interface UpstreamResult {
  readonly name: string;
  readonly summary: string;
  readonly paths: readonly string[];
  /** The git worktree that `paths` are relative to, where the member had one and has changed something there. */
  readonly worktree?: WorktreeStatus;
}

/** A message as its reader gets it. */
export interface ReceivedMail {
  readonly from: string;
  readonly kind: MailKind;
  readonly content: string;
  /** Names it in this mailbox, to acknowledge it by. */
  readonly handle: string;
}

/** The mailbox of a function agent. Taking mail marks it as delivered. */
export interface MailReader {
  /** Everything unread, in order; empty when nothing is. */
  readonly take: () => Promise<readonly ReceivedMail[]>;
  /** The next message, waiting for it when there is none. Rejects when the run ends. */
  readonly next: () => Promise<ReceivedMail>;
  /**
   * Says that mail was dealt with, by its handles; others see it in `session.mail()`. Rejects with `unknown_mail` for a handle
   * that is not of this mailbox. Doing it twice changes nothing.
   */
  readonly acknowledge: (...handles: readonly string[]) => Promise<AcknowledgeResult>;
}

/** Somebody asks a member to shut down. */
export interface ShutdownRequest {
  readonly name: string;
  readonly team: string;
  /** `Lead` or `user`, or `system`. */
  readonly from: string;
  /** Why, or null. */
  readonly reason: string | null;
  /** It has refused before: a second refusal doesn't count. */
  readonly isFinal: boolean;
}

/** The answer to a request to shut down: nothing or `{ accept: true }` agrees. */
export type ShutdownAnswer = void | { readonly accept: true } | { readonly accept: false; readonly reason: string };

/** What a function agent gets. */
export interface FunctionRun {
  readonly name: string;
  readonly team: string;
  readonly prompt: string;
  /** Results of the members it depends on. */
  readonly upstream: readonly UpstreamResult[];
  readonly mail: MailReader;
  /** Sends a message to a member, `Lead` or `broadcast`; resolves when it is durable and accepted. */
  readonly send: (to: string, content: string) => Promise<SendResult>;
  /** The team's task board, or null in a team without one. What it has in progress when it returns is completed. */
  readonly board: MemberBoard | null;
  /** Aborted when the member is cancelled, the team dissolved, or the run taken over. */
  readonly signal: AbortSignal;
  /** The agent type's own tools. A call that must not run rejects with `permission_denied`. */
  readonly tools: ToolSet;
  /** The files that the team shares, or null without a workspace. Judged as the workspace's tools are. */
  readonly workspace: WorkspaceView | null;
  /** Asks whether it may reach a network host; resolves when it may, and rejects with `permission_denied`. */
  readonly permit: (request: PermitRequest) => Promise<Permit>;
}

/** What a function agent delivers; nothing = an empty summary. */
export interface FunctionResult {
  readonly summary?: string;
  readonly paths?: readonly string[];
}

interface AgentBase {
  /** Shown to the lead, so that it can choose. */
  readonly description?: string;
  /** What its members may do without asking, and what not at all; never more than the lead. Left out = what the lead may. */
  readonly permissions?: AgentPermissions;
  /** What the host may say to what its members deliver and write, and to their rest. */
  readonly hooks?: AgentHooks;
  /** Names of its tools that ask for a permission before each call; of a function also those of the workspace. */
  readonly ask?: readonly string[];
  /** A persistent member of this type that is idle for this many ms shuts down; 0 = never. Left out = `limits.idleMs`. */
  readonly idleMs?: number;
  /** Own tools that change nothing: they run in the modes that let members look, and before a plan is approved. */
  readonly readOnly?: readonly string[];
  /** Tasks that each of its members brings to its team's board, assigned to it; a team without a board gets one. */
  readonly tasks?: readonly SeedTaskInput[];
  /**
   * Where its members work on files. `worktree` = each in a git worktree of its own, on a branch of its own; the system needs
   * a workspace in a git repository. Left out = in the folder that all share.
   */
  readonly isolation?: Isolation;
  /**
   * `workers` = runs of its members are carried out by the workers that offer this type (`system.offerAgents`), wherever
   * they are; they need a bus that several processes share. Left out = where the session is open.
   */
  readonly runsOn?: RunsOn;
}

/** A conversation that has become too long for its model. */
export interface LongConversation {
  /** All of it, oldest first. */
  readonly messages: readonly ModelMessage[];
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
}

/** How an agent type or a hosted lead works, beside its model and its tools. */
export interface WorkOptions {
  /**
   * How much the model thinks before it answers, in the words of the AI SDK, which maps them to the provider's own. What a
   * provider can't do is told to `onFault` and stands in the journal.
   */
  readonly effort?: Effort;
  /** Tokens that the model can read at once. Left out = `limits.contextTokens`. */
  readonly contextTokens?: number;
  /** The share of `contextTokens` from which on the conversation is replaced by a summary; 0 = never. Left out = 0.8. */
  readonly compactAt?: number;
  /** Makes that summary; left out = the model does. A failure of it is the turn's. */
  readonly compact?: (conversation: LongConversation) => string | Promise<string>;
  /** Bytes of one tool result that the model reads; the log keeps all of it. Left out = `limits.toolResultBytesMax`. */
  readonly toolResultBytesMax?: number;
  /** Model steps of one turn, at most `limits.stepsMax`. */
  readonly stepsMax?: number;
}

/** An agent that a language model drives. */
export interface ModelAgent extends AgentBase, WorkOptions {
  /** `provider/model`, a model of the AI SDK, or left out: the lead's model. */
  readonly model?: LanguageModel;
  /** Answers for the rest of a turn in which the model has failed for good. Left out = the lead's; null = none. */
  readonly fallbackModel?: LanguageModel | null;
  /** Turns from a start or wake to the next idle, park or shutdown, at most `limits.turnsMax`. */
  readonly turnsMax?: number;
  /** May hold `{team_name} {team_description} {member_name} {member_description} {leader_name}`. */
  readonly instructions?: string;
  /** Own tools, or names of workspace tools; left out = all workspace tools except `execute`. */
  readonly tools?: ToolSet | readonly string[];
  /** Allows the workspace tool `execute`. */
  readonly allowExecute?: boolean;
  /** Tools that may be executed again when a run was lost in the middle of a call; every other call is given up. */
  readonly idempotent?: readonly string[];
}

/** An agent that is a function: same states, same mailbox, no model. */
export interface FunctionAgent extends AgentBase {
  readonly run: (run: FunctionRun) => Promise<FunctionResult | void> | FunctionResult | void;
  readonly tools?: ToolSet;
  /**
   * Asked when the Lead or the user wants a member to shut down, while `run` is at work or while the member is idle. It may
   * refuse once, with a reason that the Lead reads. Left out = an idle member agrees, and one at work has its grace period to
   * come to its end. What it throws, or what is no answer, is told to `onFault` and agrees.
   */
  readonly onShutdown?: (request: ShutdownRequest) => ShutdownAnswer | Promise<ShutdownAnswer>;
}

/** What members of one type are: a language model with instructions and tools, or a function. */
export type Agent = ModelAgent | FunctionAgent;

/** An agent type, or a function that makes it each time a run starts. A factory that throws fails that member. */
export type AgentSource = Agent | (() => Agent);

/** Names the type of an agent definition; gives it back unchanged. */
export const defineAgent = <Definition extends Agent>(agent: Definition): Definition => agent;

/** Whether an agent is a function. */
export const isFunctionAgent = (agent: Agent): agent is FunctionAgent => "run" in agent;

/** The name under which a function asks for what it does by itself, for rules and for whoever answers. */
export const functionTool = "run";
