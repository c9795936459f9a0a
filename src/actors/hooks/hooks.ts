import { z } from "zod";

/** The hooks of a host: what it may say to what members deliver, write, plan and rest on. */

/**
 * What a hook answers. Nothing: it may pass. `block`: it may not; the text reaches whoever is kept, which goes on. `stop`: it
 * may not, and the member is stopped with this reason. Texts are read as given, up to 2,000 characters (500 for `stop`).
 */
export type HookAnswer = { readonly block: string } | { readonly stop: string } | null | undefined | void;

/** A hook: told what is about to happen, it answers at once or later. It is bounded by `limits.hookMs`. */
export type Hook<Event> = (event: Event) => HookAnswer | Promise<HookAnswer>;

/** The member that a hook is asked about. */
export interface HookMember {
  readonly name: string;
  readonly agentType: string;
  readonly kind: "created" | "invited";
  /** Its try at its work, from 1. */
  readonly attempt: number;
}

/** What every hook is told. */
interface HookEvent {
  /** Id of the session. */
  readonly session: string;
  /** Name of the team, or null when there is none. */
  readonly team: string | null;
  /** Aborted when the answer is no longer waited for: the time is over, or the run was stopped. */
  readonly signal: AbortSignal;
}

/** A member delivers its result. */
export interface CompleteEvent extends HookEvent {
  readonly member: HookMember;
  readonly summary: string;
  readonly paths: readonly string[];
}

/** A persistent member has nothing more to do for now. */
export interface IdleEvent extends HookEvent {
  readonly member: HookMember;
  /** Whether it has delivered. */
  readonly delivered: boolean;
}

/** Somebody sends a message. */
export interface MessageEvent extends HookEvent {
  /** A member's name, `Lead` or `user`. */
  readonly from: string;
  /** The recipient as the sender wrote it. */
  readonly to: string;
  readonly content: string;
  readonly kind: "text" | "instruction";
}

/** A task is about to come onto a team's board. */
export interface TaskCreatedEvent extends HookEvent {
  /** Who adds it: a member's name, `Lead` or `user`. */
  readonly from: string;
  readonly task: HookTask;
}

/** A task as it was declared; what is wrong with it is not judged yet. */
export interface HookTask {
  readonly subject: string;
  readonly description: string | null;
  /** Numbers of the tasks that it waits for. */
  readonly dependsOn: readonly number[];
  readonly priority: number;
  /** Name of the one member that may take it. */
  readonly assignee: string | null;
  readonly agentType: string | null;
  /** `added` by itself, `declared` with its team, or the `seed` of an agent type that comes with a new member. */
  readonly origin: "added" | "declared" | "seed";
}

/** The hooks that an agent has for itself: of what its members deliver, write and add to the board, and of their rest. */
export interface AgentHooks {
  /** Asked before a member's result counts. Blocked: the member goes on, with the text as the refusal of its `complete`. */
  readonly onComplete?: Hook<CompleteEvent>;
  /** Asked before a persistent member idles. Blocked: another turn with the text, three times in a row at most. */
  readonly onMemberIdle?: Hook<IdleEvent>;
  /** Asked before a message is sent. Blocked: it is refused to its sender with the text. */
  readonly onMessage?: Hook<MessageEvent>;
  /**
   * Asked before a task counts, whichever way it comes. Blocked: whoever adds it is refused with the text. All tasks of one
   * call are asked about at once, and one no refuses the call whole: a team, a replan.
   */
  readonly onTaskCreated?: Hook<TaskCreatedEvent>;
}

/** Names of the hooks that an agent may have. */
export const hookNames = ["onComplete", "onMemberIdle", "onMessage", "onTaskCreated"] as const;

/** The hooks of a system or a session. */
export interface TeamHooks extends AgentHooks {
  /**
   * What a hook that throws, is late or answers nonsense counts as: `pass` (left out) or `block`. It is told to `onFault`
   * either way. Nobody is stopped by a fault.
   */
  readonly onFailure?: "pass" | "block";
}

const aHook = z.custom<Hook<never>>((value) => typeof value === "function", "expected a function").optional();

const agentHooks = { onComplete: aHook, onMemberIdle: aHook, onMessage: aHook, onTaskCreated: aHook } as const;

/** Keys and types of an agent's hooks. */
export const AgentHooksShape = z.strictObject(agentHooks);

/** Keys and types of a system's or a session's hooks. */
export const TeamHooksShape = z.strictObject({ ...agentHooks, onFailure: z.enum(["pass", "block"]).optional() });
