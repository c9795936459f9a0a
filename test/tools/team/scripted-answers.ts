import { MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that makes one call per step, with arguments as text, and then ends. */
export const scriptedCalls = (...calls: readonly { toolName: string; input: string }[]): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: [
      ...calls.map((call, n) => ({
        content: [{ type: "tool-call" as const, toolCallId: `c${n}`, ...call }],
        finishReason: { unified: "tool-calls" as const, raw: undefined },
        usage,
        warnings: [],
      })),
      {
        content: [{ type: "text" as const, text: "done" }],
        finishReason: { unified: "stop" as const, raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
