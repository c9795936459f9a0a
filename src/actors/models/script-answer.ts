import { estimatePromptTokens, estimateTextTokens } from "./estimate-tokens.ts";
import type { CallOptions, GenerateResult } from "./language-model-v4.ts";
import { scriptMetadata } from "./script-call.ts";
import type { FailureEntry } from "./script-failure.ts";
import type { PlayedEntry, ScriptPlan } from "./script-plan.ts";

type Content = GenerateResult["content"];

/** An entry that gives an answer: no failure and no hang. */
export type AnswerEntry = Exclude<PlayedEntry, { hang: true } | FailureEntry> & { readonly hang?: never };

/** Broken where a model breaks off: in the middle of a text. */
const brokenArguments = '{"summary": "cut off in the mid';

/** Broken arguments are given to a tool that exists, so that the arguments are the only fault. */
const toolForBrokenCall = (options: CallOptions): string => {
  const names = (options.tools ?? []).filter((tool) => tool.type === "function").map((tool) => tool.name);
  return names.includes("complete") ? "complete" : (names[0] ?? "complete");
};

const textContent = (text: string | undefined): Content => (text ? [{ type: "text", text }] : []);

const contentOf = (entry: AnswerEntry, { idOf }: ScriptPlan, options: CallOptions): Content => {
  if ("calls" in entry) {
    const calls = entry.calls.map(({ tool, input }, index) => ({
      type: "tool-call" as const,
      toolCallId: idOf(index),
      toolName: tool,
      input: JSON.stringify(input),
    }));
    return [...textContent(entry.text), ...calls];
  }
  if ("text" in entry) return textContent(entry.text);
  if ("compact" in entry) return textContent(entry.compact);
  if (entry.error === "content_filter") return [];
  const broken = { toolCallId: idOf(0), toolName: toolForBrokenCall(options), input: brokenArguments };
  return [{ type: "tool-call", ...broken }];
};

const finishReasonOf = (entry: AnswerEntry, content: Content): GenerateResult["finishReason"] => {
  if ("error" in entry && entry.error === "content_filter") return { unified: "content-filter", raw: "content_filter" };
  return content.some((part) => part.type === "tool-call")
    ? { unified: "tool-calls", raw: "tool_calls" }
    : { unified: "stop", raw: "stop" };
};

/** Estimates, by the same rule every time: a script has no tokenizer. `raw` says so. */
const usageOf = (content: Content, options: CallOptions): GenerateResult["usage"] => {
  const written = content.map((part) => {
    if (part.type === "text") return part.text;
    return part.type === "tool-call" ? part.toolName + part.input : "";
  });
  const input = estimatePromptTokens(options.prompt);
  const output = estimateTextTokens(written.join(""));
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
    raw: { estimated: true },
  };
};

const noEffort = "a script thinks as little as it is told to";

const isEffort = (reasoning: CallOptions["reasoning"]): boolean =>
  reasoning !== undefined && reasoning !== "provider-default";

/** The answer of a planned entry, whole. */
export const scriptedAnswer = (
  entry: AnswerEntry,
  { plan, options, nowMs }: { plan: ScriptPlan; options: CallOptions; nowMs: number },
): GenerateResult => {
  const content = contentOf(entry, plan, options);
  return {
    content,
    finishReason: finishReasonOf(entry, content),
    usage: usageOf(content, options),
    providerMetadata: scriptMetadata(plan.outcome),
    response: { id: plan.idOf(0), modelId: "scripted", timestamp: new Date(nowMs) },
    warnings: isEffort(options.reasoning) ? [{ type: "unsupported", feature: "reasoning", details: noEffort }] : [],
  };
};
