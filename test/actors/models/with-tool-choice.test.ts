import { expect, test } from "vitest";
import type { CallOptions } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { withToolChoice } from "../../../src/actors/models/with-tool-choice.ts";
import { partsOf, prompt } from "../../support/model-calls.ts";

test("a streamed call is asked for the tool, and whatever the model answers is the answer", async () => {
  const asked: CallOptions[] = [];
  const model = scriptedModel([{ text: "I will not" }]);
  const spied = {
    ...model,
    doStream: (options: CallOptions) => {
      asked.push(options);
      return model.doStream(options);
    },
  };
  const forced = withToolChoice(spied, { type: "tool", toolName: "complete" });
  const { stream } = await forced.doStream({ prompt, toolChoice: { type: "auto" } });
  expect((await partsOf(stream)).some((part) => part.type === "text-delta" && part.delta === "I will not")).toBe(true);
  expect(asked.map(({ toolChoice }) => toolChoice)).toEqual([{ type: "tool", toolName: "complete" }]);
});
