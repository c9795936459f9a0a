import type { LanguageModel } from "ai";

/**
 * The interface that every model of the AI SDK 7 implements.
 *
 * Its own package is not ours to depend on: `ai` brings it, and a second copy of it could differ. So the type is taken
 * out of what `ai` exports, and its parts out of it.
 */
export type LanguageModelV4 = Extract<LanguageModel, { readonly specificationVersion: "v4" }>;

/** What a model is called with. */
export type CallOptions = Parameters<LanguageModelV4["doGenerate"]>[0];

/** What a call that isn't streamed gives. */
export type GenerateResult = Awaited<ReturnType<LanguageModelV4["doGenerate"]>>;

/** What a streamed call gives. */
export type StreamResult = Awaited<ReturnType<LanguageModelV4["doStream"]>>;

/** One part of a streamed answer. */
export type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

/** The messages of a call, as a model sees them. */
export type Prompt = CallOptions["prompt"];

/** What a tool's result says to a model. */
export type ToolOutput = Extract<
  Extract<Prompt[number], { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];
