import type { Clock } from "../../protocol/clock.ts";
import { systemClock } from "../system/system-clock.ts";
import { classOfFacts, type ModelErrorClass } from "./error-class.ts";
import { errorChain, type ErrorFacts } from "./error-facts.ts";
import { errorText } from "./error-text.ts";
import { readRetryAfter } from "./retry-after.ts";

/** What is known of a failed model call. */
export interface ModelError {
  readonly class: ModelErrorClass;
  /** How long the provider asks to wait, or null when it doesn't say. */
  readonly retryAfterMs: number | null;
  /** Whether the same call may well succeed later: `overloaded`, `rate_limited` and `network` only. */
  readonly retryable: boolean;
  /** One line of at most 300 characters, without terminal sequences and secrets. */
  readonly message: string;
}

const retryableClasses: ReadonlySet<ModelErrorClass> = new Set(["overloaded", "rate_limited", "network"]);

/** What each error of the chain adds to the ones before it. */
const messageOf = (chain: readonly ErrorFacts[]): string => {
  let told = "";
  for (const { message, name, code } of chain) {
    const text = errorText(message || code || (told === "" ? name : ""));
    if (text !== "" && !told.includes(text)) told += told === "" ? text : `: ${text}`;
  }
  return errorText(told) || "the model call failed and does not say why";
};

/**
 * Sorts whatever a model call has thrown: an error of the AI SDK, of the network or of anyone, or no error at all. It
 * never throws, whatever the value does when it is looked at.
 *
 * Ask your own signal first: an abort of yours is no failure of the model. An abort that isn't yours is the SDK's, for
 * a call that stalled, and is classed `timeout`.
 */
export const classifyModelError = (error: unknown, clock: Pick<Clock, "now"> = systemClock): ModelError => {
  const chain = errorChain(error);
  let found: ModelErrorClass = "unknown";
  let retryAfterMs: number | null = null;
  for (const facts of chain) {
    if (found === "unknown") found = classOfFacts(facts);
    retryAfterMs ??= readRetryAfter(facts.headers, clock.now());
  }
  return { class: found, retryAfterMs, retryable: retryableClasses.has(found), message: messageOf(chain) };
};

/** The failure that an answer's finish reason stands for, or null: a filtered answer throws nothing. */
export const classifyFinish = (finishReason: string): ModelError | null =>
  finishReason === "content-filter"
    ? {
        class: "content_filter",
        retryAfterMs: null,
        retryable: false,
        message: "the provider's content filter held the answer back",
      }
    : null;
