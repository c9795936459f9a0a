import type { ModelMessage } from "ai";
import { isTeamError } from "../../errors/index.ts";
import { costOf } from "../../protocol/prices.ts";
import { callModel, type ModelAnswer } from "./model-call.ts";
import type { ReadyModel } from "./model-pool.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import type { CallOptions } from "../models/language-model-v4.ts";
import { classifyFinish, classifyModelError, type ModelError } from "../models/model-error.ts";
import { scriptCallOptions, scriptOutcomeOf } from "../models/script-call.ts";
import { withToolChoice } from "../models/with-tool-choice.ts";
import { sleep } from "./sleep.ts";

const backoffBaseMs = 1_000;
const backoffMaxMs = 8_000;
/** Characters of a reason that a run reports. */
export const reasonMax = 500;

/** How a failure reason says that a budget is used up. */
export const budgetReason = (limit: string, used: number, max: number): string => `budget: ${limit}: ${used} of ${max}`;

/** There is no way to the model, so no call was made. */
export class UnreachableModelError extends Error {
  override readonly name = "UnreachableModelError";
}

/** An answer came, and the provider has held back what was in it. */
class HeldBackError extends Error {
  override readonly name = "HeldBackError";
  readonly failure: ModelError;
  /** The place in its script, where the answer was a script's. */
  readonly script: ModelAnswer["script"];

  constructor(failure: ModelError, { script }: ModelAnswer) {
    super(failure.message);
    this.failure = failure;
    this.script = script;
  }
}

/** One call: what the model reads, and what is done with its answer. */
export interface ModelRequest {
  readonly messages: ModelMessage[];
  /** About how many tokens that is. */
  readonly promptTokens: number;
  readonly toolChoice: NonNullable<CallOptions["toolChoice"]> | null;
  /** Whether the answer is to be the summary of the conversation. */
  readonly compacts: boolean;
  /** Puts the answer into the log, where it has to be before the prompt's share of the budget is given back. */
  readonly journal: (answer: ModelAnswer, source: AnswerSource) => Promise<unknown>;
}

/** Where an answer came from, as its body says it. */
export interface AnswerSource {
  readonly model: string;
  readonly fallback?: true;
  readonly notes?: readonly string[];
  readonly position?: number;
}

/**
 * Failures after which another model may well answer: this one is out of reach for now, or for this key. A filter's word is
 * not gone round by asking somebody else; a prompt that is too long or wrong is so for every model.
 */
const passesOn: ReadonlySet<ModelError["class"]> = new Set([
  "overloaded",
  "rate_limited",
  "network",
  "timeout",
  "auth",
]);

/** What became of the effort in this answer, told to whoever listens. */
export function tellEffort(
  { notes: told }: Pick<ModelAnswer, "notes">,
  { route, readsEffort }: Pick<ReadyModel, "route" | "readsEffort">,
  { effort, onNote }: Pick<ModelRunOptions, "effort" | "onNote">,
): readonly string[] {
  const passedOver = effort !== "provider-default" && !readsEffort;
  const notes = passedOver ? [...told, "a model of this kind has no setting for the effort"] : told;
  for (const note of notes) onNote(`effort ${effort} of ${route}: ${note}`);
  return notes;
}

/** An answer with what it cost, where the price is known. */
export const priced = (answer: ModelAnswer, { price }: Pick<ReadyModel, "price">): ModelAnswer =>
  price === null ? answer : { ...answer, usage: { ...answer.usage, cost: costOf(answer.usage, price) } };

/** An actor's model for one turn: with its repetitions, its budget, and the fallback model once it has failed for good. */
export class ModelCaller {
  readonly #options: ModelRunOptions;
  /** The fallback, once it has taken over: until the turn ends. */
  #fallback: ReadyModel | null = null;

  constructor(options: ModelRunOptions) {
    this.#options = options;
  }

  /** The model whose turn it is now. Rejects with an `UnreachableModelError`. */
  async ready(): Promise<ReadyModel> {
    if (this.#fallback !== null) return this.#fallback;
    return this.#options.resolve().catch((cause: unknown) => {
      throw new UnreachableModelError("there is no way to the model", { cause });
    });
  }

  /** One model call with its repetitions. Null when the turn is over because it failed, which is reported then. */
  async ask(request: ModelRequest): Promise<ModelAnswer | null> {
    const { port, limits, clock, signal } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#answer(request);
      } catch (error) {
        if (signal.aborted || error instanceof UnreachableModelError) throw error;
        if (isTeamError(error, "budget_exceeded")) {
          const { budget, used, max } = error.data;
          await port.report({ type: "run.failed", reason: budgetReason(budget, used, max) });
          return null;
        }
        const failure = error instanceof HeldBackError ? error.failure : classifyModelError(error, clock);
        const reason = `model_error: ${failure.class}: ${failure.message}`.slice(0, reasonMax);
        const script = error instanceof HeldBackError ? error.script : scriptOutcomeOf(error);
        const body = script === null ? undefined : { position: script.position };
        if (failure.retryable && attempt < limits.retriesMax) {
          const pauseMs = failure.retryAfterMs ?? Math.min(backoffMaxMs, backoffBaseMs * 2 ** attempt);
          await this.#repeat(reason, pauseMs, body);
          continue;
        }
        if (!(await this.#fallBack(failure, reason, body))) return null;
        attempt = -1;
      }
    }
  }

  /** Goes over to the fallback model; false when there is none to go over to, and the turn has failed. */
  async #fallBack(failure: ModelError, reason: string, body: object | undefined): Promise<boolean> {
    const { port, fallback } = this.#options;
    const next = this.#fallback === null && fallback !== null && passesOn.has(failure.class) ? fallback() : null;
    if (next === null) {
      await port.report({ type: "run.failed", reason, called: true }, body);
      return false;
    }
    try {
      this.#fallback = await next;
    } catch (error) {
      const why = isTeamError(error) ? error.code : classifyModelError(error, this.#options.clock).class;
      const both = `${reason.slice(0, reasonMax - 100)} (and its fallback can't be had: ${why})`;
      await port.report({ type: "run.failed", reason: both, called: true }, body);
      return false;
    }
    const { route } = this.#fallback;
    await this.#repeat(`${reason.slice(0, reasonMax - route.length - 40)} (falls back to ${route})`, 0, body);
    return true;
  }

  async #repeat(reason: string, pauseMs: number, body: object | undefined): Promise<void> {
    const { port, clock, signal } = this.#options;
    await port.report({ type: "run.erred", reason: reason.slice(0, reasonMax), retryInMs: pauseMs }, body);
    if (pauseMs > 0) await sleep(clock, pauseMs, signal);
    await port.report({ type: "run.retried" });
  }

  /** One model call, journalled. Its prompt is reserved until what it really cost is in the log. */
  async #answer(request: ModelRequest): Promise<ModelAnswer> {
    const ready = await this.ready();
    const release = this.#options.budget.reserve({ tokens: request.promptTokens, price: ready.price });
    try {
      const answer = priced(await this.#call(request, ready), ready);
      const refused = classifyFinish(answer.finish);
      if (refused !== null) throw new HeldBackError(refused, answer);
      await request.journal(answer, this.#sourceOf(answer, ready));
      return answer;
    } finally {
      release();
    }
  }

  #sourceOf(answer: ModelAnswer, ready: ReadyModel): AnswerSource {
    const { script } = answer;
    const notes = tellEffort(answer, ready, this.#options);
    return {
      model: ready.route,
      ...(this.#fallback === null ? {} : { fallback: true }),
      ...(notes.length === 0 ? {} : { notes }),
      ...(script === null ? {} : { position: script.position }),
    };
  }

  #call({ messages, toolChoice, compacts }: ModelRequest, { model, route }: ReadyModel): Promise<ModelAnswer> {
    const { port, actor, instructions, tools, signal, limits, onText, effort, scriptPosition } = this.#options;
    const options = {
      model: toolChoice === null ? model : withToolChoice(model, toolChoice),
      instructions,
      messages,
      tools,
      signal,
      effort,
      chunkMs: limits.chunkMs,
      providerOptions: scriptCallOptions(actor, scriptPosition(), compacts),
      // Nobody is told a summary as if it were said.
      onText: compacts ? () => {} : onText,
    };
    const ask = (): Promise<ModelAnswer> => callModel(options);
    return port.trace === null ? ask() : port.trace.chat({ model: route, prompt: { instructions, messages } }, ask);
  }
}
