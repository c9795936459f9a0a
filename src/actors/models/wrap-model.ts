import type { LanguageModelV4 } from "./language-model-v4.ts";

/** The same model, but for the calls that are given: all that a wrapper around a model of the AI SDK must hand on is here. */
export const wrapModel = (
  model: LanguageModelV4,
  calls: Partial<Pick<LanguageModelV4, "doGenerate" | "doStream">>,
): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: model.provider,
  modelId: model.modelId,
  supportedUrls: model.supportedUrls,
  doGenerate: (options) => model.doGenerate(options),
  doStream: (options) => model.doStream(options),
  ...calls,
});
