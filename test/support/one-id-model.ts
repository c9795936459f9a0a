import type { LanguageModelV4, StreamPart } from "../../src/actors/models/language-model-v4.ts";

/** The same model, whose calls all have the same id, as some servers give them. */
export const oneIdModel = (model: LanguageModelV4): LanguageModelV4 => ({
  ...model,
  doStream: async (options) => {
    const { stream } = await model.doStream(options);
    const rename = new TransformStream<StreamPart, StreamPart>({
      transform: (part, out) => {
        if (part.type === "tool-call") out.enqueue({ ...part, toolCallId: "call_0" });
        else if (!part.type.startsWith("tool-input")) out.enqueue(part);
      },
    });
    return { stream: stream.pipeThrough(rename) };
  },
});
