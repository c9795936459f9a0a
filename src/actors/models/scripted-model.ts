import { z } from "zod";
import { refusal, TeamError } from "../../errors/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import { Script, type ScriptEntry, type ScriptEntryInput, type ScriptInput } from "../../protocol/script.ts";
import { sleep } from "../model-run/sleep.ts";
import { systemClock } from "../system/system-clock.ts";
import type { CallOptions, GenerateResult, LanguageModelV4, StreamResult } from "./language-model-v4.ts";
import { scriptedAnswer } from "./script-answer.ts";
import { readScriptCall, scriptOutcomeOf } from "./script-call.ts";
import { ScriptError } from "./script-error.ts";
import { scriptedFailure, type FailureEntry } from "./script-failure.ts";
import { planCall, type PlayedEntry, type ScriptPlan } from "./script-plan.ts";
import { streamAnswer } from "./stream-answer.ts";

/** A model that answers from a script instead of a language model. */
export interface ScriptedModel extends LanguageModelV4 {
  /** Throws a ScriptError, naming who has entries left, unless every entry of the script was played. */
  assertExhausted(): void;
}

/** What a scripted model may be told. */
export interface ScriptedModelOptions {
  /** Who calls when the call itself doesn't say. Needed only where a script has several actors and no host names them. */
  readonly actor?: string;
  /** The clock of `delayMs`; the machine's own by default. */
  readonly clock?: Clock;
}

const parseScript = (script: ScriptInput | readonly ScriptEntryInput[]): Script => {
  const parsed = Script.safeParse(Array.isArray(script) ? { "": script } : script);
  if (parsed.success) return new Map([...parsed.data].map(([name, entries]) => [name.normalize(), entries]));
  const problems = parsed.error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`);
  const [first = "unreadable"] = problems;
  throw new TeamError(
    "bad_input",
    { what: "script", problem: first },
    { problems: problems.map((problem) => refusal("bad_input", { what: "script", problem })) },
  );
};

const isFailure = (entry: PlayedEntry): entry is FailureEntry =>
  "error" in entry && entry.error !== "content_filter" && entry.error !== "malformed";

/** Ends only by an abort. */
const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** One call on its way: what it does, and where it is noted when it is done. */
interface ScriptedCall {
  readonly plan: ScriptPlan;
  readonly options: CallOptions;
  readonly onOutcome: (position: number) => void;
}

interface ScriptPlayerOptions extends ScriptedModelOptions {
  readonly script: Script;
  /** A script that is a bare list is the script of whoever calls; it stands under the name "". */
  readonly isForAll: boolean;
}

/** Plays a script: who calls, at which position, and what has been played so far. */
class ScriptPlayer {
  readonly #script: Script;
  readonly #isForAll: boolean;
  readonly #actor: string | undefined;
  readonly #clock: Clock;
  /** Positions of the actors whose calls carry none. */
  readonly #counted = new Map<string, number>();
  /** For each actor, how many entries were played, counting one as soon as a call begins it. */
  readonly #played = new Map<string, number>();

  constructor({ script, isForAll, actor, clock }: ScriptPlayerOptions) {
    this.#script = script;
    this.#isForAll = isForAll;
    this.#actor = actor;
    this.#clock = clock ?? systemClock;
  }

  begin(options: CallOptions): ScriptedCall {
    const call = readScriptCall(options);
    const actor = this.#actorOf(call.actor);
    const position = call.position ?? this.#counted.get(actor) ?? 0;
    const onOutcome = (next: number): void => {
      if (call.position === undefined) this.#counted.set(actor, next);
    };
    try {
      const { compacts = false } = call;
      const plan = planCall({ actor, entries: this.#entriesOf(actor), position, compacts }, options.prompt);
      this.#played.set(actor, Math.max(this.#played.get(actor) ?? 0, plan.outcome.position));
      return { plan, options, onOutcome };
    } catch (error) {
      const outcome = scriptOutcomeOf(error);
      if (outcome !== null) onOutcome(outcome.position);
      throw error;
    }
  }

  async perform({ plan, options, onOutcome }: ScriptedCall): Promise<GenerateResult> {
    const { entry, outcome } = plan;
    const signal = options.abortSignal;
    if ("hang" in entry) return untilAborted(signal);
    signal?.throwIfAborted();
    if (entry.delayMs) await sleep(this.#clock, entry.delayMs, signal);
    if (isFailure(entry)) {
      onOutcome(outcome.position);
      throw scriptedFailure(entry, outcome);
    }
    return scriptedAnswer(entry, { plan, options, nowMs: this.#clock.now() });
  }

  assertExhausted(): void {
    const callers = this.#isForAll && this.#played.size > 0 ? this.#played.keys() : this.#script.keys();
    for (const actor of callers) {
      const played = this.#played.get(actor) ?? 0;
      const { length } = this.#entriesOf(actor);
      if (played >= length) continue;
      const whose = actor === "" ? "the script" : `the script of ${actor}`;
      const message = `${whose} is not exhausted: ${played} of ${length} entries were played`;
      throw new ScriptError(message, { actor, call: played + 1, position: played });
    }
  }

  #entriesOf(actor: string): readonly ScriptEntry[] {
    return this.#script.get(this.#isForAll ? "" : actor) ?? [];
  }

  #actorOf(named: string | undefined): string {
    const actor = named ?? this.#actor;
    if (actor !== undefined) return actor.normalize();
    const [only, ...others] = this.#script.keys();
    if (only !== undefined && others.length === 0) return only;
    const problem = `it speaks for ${[...this.#script.keys()].join(", ") || "nobody"}, and this call names no actor`;
    throw new TeamError("bad_input", { what: "script", problem: `${problem}; pass options.actor` });
  }
}

/**
 * A language model that answers from a script: deterministic, free, and without any network. It is a real model of the
 * AI SDK, so it works in `generateText` and `streamText` as in a team.
 *
 * `script` maps each actor's name to its entries, one per model call, or is one list, played to whoever calls. Which
 * entry a call plays is the caller's to say (`scriptCallOptions`): a host passes how many entries the actor's journal
 * has used up. A call that doesn't say is counted here, by the answers and errors that were given in full.
 */
export function scriptedModel(script: readonly ScriptEntryInput[], options?: ScriptedModelOptions): ScriptedModel;
export function scriptedModel(script: ScriptInput, options?: ScriptedModelOptions): ScriptedModel;
export function scriptedModel(
  script: ScriptInput | readonly ScriptEntryInput[],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const player = new ScriptPlayer({ ...options, script: parseScript(script), isForAll: Array.isArray(script) });
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (call): Promise<GenerateResult> => {
      const scripted = player.begin(call);
      const answer = await player.perform(scripted);
      scripted.onOutcome(scripted.plan.outcome.position);
      return answer;
    },
    doStream: async (call): Promise<StreamResult> => {
      const scripted = player.begin(call);
      const answer = await player.perform(scripted);
      const onEnd = (): void => scripted.onOutcome(scripted.plan.outcome.position);
      return { stream: streamAnswer(answer, { signal: call.abortSignal, onEnd }) };
    },
    assertExhausted: () => player.assertExhausted(),
  };
}
