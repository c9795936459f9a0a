import { streamText, type ModelMessage, type ToolSet } from "ai";
import type { Effort } from "../../protocol/agent-fields.ts";
import type { Usage } from "../../protocol/input.ts";
import type { AnsweredBody, ToolEndedBody, ToolOutput } from "./conversation.ts";
import { estimateTextTokens } from "../models/estimate-tokens.ts";
import type { LanguageModelV4 } from "../models/language-model-v4.ts";
import { scriptOutcomeOf } from "../models/script-call.ts";
import { uniqueCallIds } from "../models/unique-call-ids.ts";
import { wellFormed } from "../models/well-formed.ts";
import { withoutEffortWarnings } from "../models/without-effort-warnings.ts";

/** What one model call needs. */
export interface ModelCallOptions {
  readonly model: LanguageModelV4;
  readonly instructions: string;
  readonly messages: ModelMessage[];
  /** Declared to the model; never executed here. */
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly effort: Effort;
  /** A stream that is silent for this long is given up as a network failure. */
  readonly chunkMs: number;
  readonly providerOptions: NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;
  /** Text as it comes. */
  readonly onText: (delta: string) => void;
}

/** A call that the model made, valid by its schema. */
export interface ModelToolCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
}

/** A whole answer. */
export interface ModelAnswer {
  readonly content: AnsweredBody["content"];
  readonly calls: readonly ModelToolCall[];
  /** Calls that could not be read, with what the model is told. */
  readonly invalid: readonly ToolEndedBody[];
  readonly usage: Usage;
  readonly finish: string;
  /** What the provider says of an effort that it can't make, or makes otherwise. */
  readonly notes: readonly string[];
  /** What the scripted model says of its place in the script. */
  readonly script: { readonly position: number; readonly waiting: boolean } | null;
}

/** An unreadable input is quoted back to the model; quoted at length it would cost its tokens twice. */
const quotedMax = 1_000;

/** The stream was silent for too long, or ended before the answer was whole. */
class BrokenStreamError extends Error {
  override readonly name = "BrokenStreamError";
  /** The platform's word for it, by which it is classed as the network's failure and repeated. */
  readonly code = "UND_ERR_BODY_TIMEOUT";
}

/**
 * Calls the model once, streaming, and returns the whole answer. Tools are declared but not executed: the run journals
 * the answer first. Throws what the provider threw; an abort throws the signal's reason.
 */
export async function callModel(options: ModelCallOptions): Promise<ModelAnswer> {
  const { signal, onText } = options;
  const notes: string[] = [];
  const asksEffort = options.effort !== "provider-default";
  const model = uniqueCallIds(options.model);
  const result = streamText({
    model: asksEffort ? withoutEffortWarnings(model, (note) => notes.push(note)) : model,
    instructions: wellFormed(options.instructions),
    messages: wellFormed(options.messages),
    tools: declared(options.tools),
    maxRetries: 0,
    ...(asksEffort ? { reasoning: options.effort } : {}),
    abortSignal: signal,
    timeout: { chunkMs: options.chunkMs, firstChunkMs: options.chunkMs },
    include: { requestBody: false },
    providerOptions: options.providerOptions,
    // Errors are thrown below; without a handler the SDK prints them.
    onError: () => {},
  });
  const found: { text: number; finish: string; usage?: Usage | undefined; script: ModelAnswer["script"] } = {
    text: 0,
    finish: "unknown",
    script: null,
  };
  const calls: ModelToolCall[] = [];
  let isWhole = false;
  for await (const part of result.stream) {
    if (part.type === "text-delta") {
      found.text += part.text.length;
      onText(part.text);
    } else if (part.type === "tool-call" && part.invalid !== true) {
      calls.push({ call: part.toolCallId, tool: part.toolName, input: part.input });
    } else if (part.type === "finish-step") {
      isWhole = true;
      // A model of somebody's own may leave it out, or say what the SDK doesn't know.
      const finish: unknown = part.finishReason;
      found.finish = typeof finish === "string" ? finish.slice(0, finishCharsMax) : "unknown";
      found.usage = usageOf(part.usage);
      found.script = scriptOutcomeOf(part.providerMetadata);
    } else if (part.type === "error") throw part.error;
    else if (part.type === "abort") break;
  }
  if (signal.aborted) throw signal.reason;
  if (!isWhole) throw new BrokenStreamError(`the stream was silent for ${options.chunkMs} ms or ended early`);
  const { messages } = (await result.finalStep).response;
  return {
    ...readMessages(messages),
    calls,
    usage: found.usage ?? guessUsage(options.messages, found.text),
    finish: found.finish,
    notes,
    script: found.script,
  };
}

/** The tools without their `execute`: the SDK checks the inputs and leaves the rest to us. */
const declared = (tools: ToolSet): ToolSet =>
  Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, { ...tool, execute: undefined }]));

function readMessages(messages: readonly ModelMessage[]): Pick<ModelAnswer, "content" | "invalid"> {
  const content: AnsweredBody["content"] = [];
  const invalid: ToolEndedBody[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      if (typeof message.content === "string") content.push({ type: "text", text: message.content });
      else content.push(...message.content);
    } else if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type !== "tool-result") continue;
        invalid.push({ call: part.toolCallId, tool: part.toolName, output: shorten(part.output) });
      }
    }
  }
  return { content, invalid };
}

const shorten = (output: ToolOutput): ToolOutput =>
  output.type === "error-text" && output.value.length > quotedMax
    ? {
        ...output,
        value: `${output.value.slice(0, quotedMax)} ... (${output.value.length - quotedMax} characters more)`,
      }
    : output;

const usageOf = (usage: { inputTokens: number | undefined; outputTokens: number | undefined }): Usage | undefined =>
  usage.inputTokens === undefined && usage.outputTokens === undefined
    ? undefined
    : { input: countOf(usage.inputTokens), output: countOf(usage.outputTokens) };

const finishCharsMax = 100;

/** More than any call uses; what is above it would add up to numbers that can't be counted. */
const tokensMax = 1_000_000_000;

/** A count as a provider gives it, which may be nothing or nonsense. */
const countOf = (tokens: number | undefined): number =>
  typeof tokens === "number" && tokens > 0 && Number.isFinite(tokens) ? Math.min(Math.round(tokens), tokensMax) : 0;

/** Some servers report no usage: then it is guessed from the lengths and marked so. */
const guessUsage = (messages: readonly ModelMessage[], textLength: number): Usage => ({
  input: estimateTextTokens(JSON.stringify(messages)),
  output: Math.ceil(textLength / 4),
  estimated: true,
});
