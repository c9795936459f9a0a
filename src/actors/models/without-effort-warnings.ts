import type { LanguageModelV4, StreamPart } from "./language-model-v4.ts";
import { wrapModel } from "./wrap-model.ts";

type Warning = Extract<StreamPart, { type: "stream-start" }>["warnings"][number];

/** A warning is about the effort when the provider calls it by the SDK's name for that. */
const isOfEffort = (warning: Warning): boolean => "feature" in warning && warning.feature === "reasoning";

const textOf = (warning: Warning): string =>
  ("details" in warning ? warning.details : undefined) ?? "it has no setting for the effort";

/**
 * The same model, whose streamed calls tell `onNote` what they make of the effort that they were asked for. Left to the SDK
 * it would be a line on stderr for every single call.
 */
export const withoutEffortWarnings = (model: LanguageModelV4, onNote: (note: string) => void): LanguageModelV4 =>
  wrapModel(model, {
    doStream: async (options) => {
      const result = await model.doStream(options);
      const filter = new TransformStream<StreamPart, StreamPart>({
        transform: (part, out) => {
          if (part.type !== "stream-start" || !Array.isArray(part.warnings)) {
            out.enqueue(part);
            return;
          }
          for (const warning of part.warnings) if (isOfEffort(warning)) onNote(textOf(warning));
          out.enqueue({ ...part, warnings: part.warnings.filter((warning) => !isOfEffort(warning)) });
        },
      });
      return { ...result, stream: result.stream.pipeThrough(filter) };
    },
  });
