import type { LanguageModelV4, StreamPart } from "../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../src/actors/models/scripted-model.ts";

/** A model whose streams the test ends, one by one, in the order in which they were begun. */
export const heldModel = () => {
  const open: ReadableStreamDefaultController<StreamPart>[] = [];
  let begun = 0;
  const answer = scriptedModel([]);
  const model: LanguageModelV4 = {
    ...answer,
    doStream: async () => {
      begun += 1;
      return { stream: new ReadableStream<StreamPart>({ start: (controller) => void open.push(controller) }) };
    },
  };
  return { model, open, begun: () => begun };
};
