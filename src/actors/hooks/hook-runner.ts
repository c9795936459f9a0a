import { TeamError } from "../../errors/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { InputOf } from "../../protocol/input.ts";
import {
  hookNames,
  type AgentHooks,
  type CompleteEvent,
  type IdleEvent,
  type MessageEvent,
  type TaskCreatedEvent,
  type TeamHooks,
} from "./hooks.ts";
import { hookDepth, hookDepthMax, withinHook } from "./hook-depth.ts";
import { toJson } from "../model-run/tool-calls.ts";

/** What comes of asking: it may pass, or somebody is kept or stopped. */
export type HookVerdict = { readonly block: string } | { readonly stop: string } | null;

/** A block as a run reports it. */
export type HookReport = NonNullable<InputOf<"turn.ended">["hook"]>;

/** What each hook is told, without what its runner adds. */
export interface HookEvents {
  readonly onComplete: Omit<CompleteEvent, "signal">;
  readonly onMemberIdle: Omit<IdleEvent, "signal">;
  readonly onMessage: Omit<MessageEvent, "signal">;
  readonly onTaskCreated: Omit<TaskCreatedEvent, "signal">;
}

/** What a runner works with. */
export interface HookRunnerOptions {
  readonly clock: Clock;
  /** How long one hook may take, in ms. */
  readonly hookMs: number;
  /** Told of hooks that fail; never throws. */
  readonly onFault: (fault: unknown) => void;
}

const feedbackCharsMax = 2_000;
const reasonCharsMax = 500;

/** What a hook that failed counts as, told to whoever is kept by it. */
const failedText = "a check of the host failed, so this can't pass now; try again later, or tell the Lead";

/**
 * Asks the hooks of a host, one set after the other; the first that says no is the answer. Whatever a hook does, asking
 * ends within its time and throws nothing but the abort of the signal that was given.
 */
export class HookRunner {
  readonly #hooks: readonly TeamHooks[];
  readonly #options: HookRunnerOptions;

  constructor(hooks: readonly (TeamHooks | undefined)[], options: HookRunnerOptions) {
    this.#hooks = hooks.filter((each) => each !== undefined);
    this.#options = options;
  }

  /** These hooks, and then an agent's own. A fault of those counts as the first set here says. */
  with(own: AgentHooks | undefined): HookRunner {
    if (own === undefined) return this;
    const { onFailure = "pass" } = this.#hooks[0] ?? {};
    const set: AgentHooks = Object.fromEntries(hookNames.flatMap((name) => (own[name] ? [[name, own[name]]] : [])));
    return new HookRunner([...this.#hooks, { ...set, onFailure }], this.#options);
  }

  /** Whether anybody would be asked. */
  has(name: keyof HookEvents): boolean {
    return this.#hooks.some((each) => each[name] !== undefined);
  }

  /** Asks; rejects only with the reason of `signal`, once that is aborted. */
  async ask<Name extends keyof HookEvents>(
    name: Name,
    event: HookEvents[Name],
    signal?: AbortSignal,
  ): Promise<HookVerdict> {
    for (const hooks of this.#hooks) {
      const hook = hooks[name];
      if (hook === undefined) continue;
      signal?.throwIfAborted();
      let verdict: HookVerdict;
      try {
        // TypeScript cannot see that the hook of a name takes the event of that name.
        verdict = readAnswer(
          name,
          await this.#call(name, (given) => hook({ ...event, signal: given } as never), signal),
        );
      } catch (fault) {
        signal?.throwIfAborted();
        this.#options.onFault(fault);
        verdict = hooks.onFailure === "block" ? { block: failedText } : null;
      }
      if (verdict !== null) return verdict;
    }
    return null;
  }

  /** Calls one hook; rejects when it throws, when its time is over, when it asks for itself, or when `outer` is aborted. */
  async #call(name: string, hook: (signal: AbortSignal) => unknown, outer: AbortSignal | undefined): Promise<unknown> {
    if (hookDepth() >= hookDepthMax) throw circleError(name);
    const { clock, hookMs } = this.#options;
    const controller = new AbortController();
    const ended = Promise.withResolvers<never>();
    const end = (reason: unknown): void => {
      ended.reject(reason);
      controller.abort(reason);
    };
    const onAbort = (): void => end(outer?.reason);
    const timer = clock.setTimeout(() => end(lateError(name, hookMs)), hookMs);
    outer?.addEventListener("abort", onAbort, { once: true });
    try {
      // Also what is thrown before a promise is made; and a hook that fails after its time has somebody who hears of it.
      return await Promise.race([
        ended.promise,
        Promise.resolve().then(() => withinHook(() => hook(controller.signal))),
      ]);
    } finally {
      clock.clearTimeout(timer);
      outer?.removeEventListener("abort", onAbort);
    }
  }
}

const lateError = (name: string, hookMs: number): TeamError =>
  new TeamError("bad_input", { what: `hooks.${name}`, problem: `it gave no answer within hookMs (${hookMs} ms)` });

function circleError(name: string): TeamError {
  const problem = `it is asked about what hooks have done, ${hookDepthMax} deep; let it not do by itself what it is asked about`;
  return new TeamError("bad_input", { what: `hooks.${name}`, problem });
}

/** An answer as it counts. Throws for one that is none: a typo must not let pass what it was to stop. */
function readAnswer(name: string, answer: unknown): HookVerdict {
  if (answer === undefined || answer === null) return null;
  const { block, stop, ...rest } =
    // Any object may be asked for its entries; what they are is looked at below.
    typeof answer === "object" ? (answer as Readonly<Record<string, unknown>>) : { answer };
  const isOne = (block === undefined) !== (stop === undefined) && Object.keys(rest).length === 0;
  if (isOne && typeof block === "string") return { block: boundedFeedback(block) };
  if (isOne && typeof stop === "string") return { stop: bounded(stop, reasonCharsMax) };
  const problem = `it answered ${JSON.stringify(toJson(answer))?.slice(0, 200)}; answer nothing, { block } or { stop }`;
  throw new TeamError("bad_input", { what: `hooks.${name}`, problem });
}

/** What is told to whoever is kept, as long as it may be. */
export const boundedFeedback = (text: string): string => bounded(text, feedbackCharsMax);

/** A text that fits; what is cut says so. */
function bounded(text: string, charsMax: number): string {
  const whole = text.trim() === "" ? "no reason was given" : text;
  if (whole.length <= charsMax) return whole;
  const note = ` [cut: ${whole.length - charsMax} characters and more]`;
  return `${whole.slice(0, charsMax - note.length).toWellFormed()}${note}`;
}

/** Why a member was stopped, as the reason of its failure. */
export const stopReason = (name: string, reason: string): string => `interrupted: stopped by ${name}: ${reason}`;
