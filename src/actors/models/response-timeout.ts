import type { Clock } from "../../protocol/clock.ts";
import { systemClock } from "../system/system-clock.ts";
import type { LanguageModelV4, StreamResult } from "./language-model-v4.ts";
import { wrapModel } from "./wrap-model.ts";

/** A response that didn't begin. It carries the runtime's own code for this, so it is classed as the network's failure. */
const noResponse = (responseMs: number): Error =>
  Object.assign(new Error(`the provider did not begin to answer within ${responseMs} ms`), {
    code: "UND_ERR_HEADERS_TIMEOUT",
  });

/** Gives up a response that begins after all. */
const discard = (response: PromiseLike<StreamResult>): void => {
  // Nobody waits for it any more: neither its failure nor that of the cancelling is of use to anybody.
  void Promise.resolve(response)
    .then(({ stream }) => stream.cancel())
    .catch(() => undefined);
};

/**
 * The same model, whose streamed calls fail when the response hasn't begun after `responseMs`.
 *
 * The SDK's `firstChunkMs` and `chunkMs` are armed only once there is a response, and `stepMs` counts the tools too; a
 * server that takes a request and says nothing would hold a run for as long as the runtime keeps the socket. Put it
 * inside the call limiter, so that the wait for a slot isn't counted.
 */
export const withResponseTimeout = (
  model: LanguageModelV4,
  { responseMs, clock = systemClock }: { responseMs: number; clock?: Clock },
): LanguageModelV4 =>
  wrapModel(model, {
    doStream: async (options) => {
      const controller = new AbortController();
      const late = Promise.withResolvers<never>();
      const timer = clock.setTimeout(() => {
        const error = noResponse(responseMs);
        late.reject(error);
        controller.abort(error);
      }, responseMs);
      const { abortSignal } = options;
      // A provider that doesn't heed the signal must not keep the timer armed.
      const onAbort = (): void => late.reject(abortSignal?.reason);
      abortSignal?.addEventListener("abort", onAbort, { once: true });
      const signals = abortSignal === undefined ? [] : [abortSignal];
      // As an async function, so that a model that throws at once is caught below like any other.
      const response = (async () =>
        model.doStream({ ...options, abortSignal: AbortSignal.any([...signals, controller.signal]) }))();
      try {
        return await Promise.race([response, late.promise]);
      } catch (error) {
        discard(response);
        throw error;
      } finally {
        abortSignal?.removeEventListener("abort", onAbort);
        clock.clearTimeout(timer);
      }
    },
  });
