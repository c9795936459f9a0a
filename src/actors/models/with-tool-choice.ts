import type { CallOptions, LanguageModelV4 } from "./language-model-v4.ts";
import { wrapModel } from "./wrap-model.ts";

/**
 * The same model, whose streamed calls are asked for this tool. Asked of the model and not of the SDK, which throws away
 * the answer of a model that calls something else: one that can't be held to a tool is no failure.
 */
export const withToolChoice = (
  model: LanguageModelV4,
  toolChoice: NonNullable<CallOptions["toolChoice"]>,
): LanguageModelV4 =>
  wrapModel(model, {
    doStream: (options) => model.doStream({ ...options, toolChoice }),
  });
