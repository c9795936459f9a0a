import type { ModelMessage, Tool, ToolSet } from "ai";
import { isTeamError, toolRefusalText } from "../../errors/index.ts";
import { isPending, type PendingCall } from "../../tools/pending.ts";
import { capOutput, type OutputCap } from "./cap-output.ts";
import type { ToolEndedBody, ToolOutput } from "./conversation.ts";
import type { ModelToolCall } from "./model-call.ts";

/** How a call ended. */
export interface EndedCall extends ToolEndedBody {
  readonly verdict: "ok" | "error" | "refused" | "interrupted";
  /** The tool's raw result, for the run itself. */
  readonly value: unknown;
}

/** What a failing tool tells the model. */
export function failureText(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message : String(error);
    return `tool_error: ${text.slice(0, 600)}`;
  } catch {
    // A thrown value may have a hostile toString; that it failed is all that can be said.
    return "tool_error: the tool threw something unreadable";
  }
}

/** A value as JSON data: circular, giant and exotic values become text instead of a fault. */
export function toJson(value: unknown): unknown {
  if (value === undefined) return null;
  try {
    const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner));
    if (text === undefined) return `[${typeof value}]`;
    return JSON.parse(text);
  } catch (error) {
    return `[unserialisable: ${failureText(error)}]`;
  }
}

const textTypes: ReadonlySet<unknown> = new Set(["text", "error-text"]);
const outputTypes: ReadonlySet<unknown> = new Set([...textTypes, "json", "error-json", "content", "execution-denied"]);

/** What a tool's own `toModelOutput` made, as a copy: it is journalled, and nobody else may change it. Throws for no output. */
function readOutput(given: unknown): ToolOutput {
  const output: unknown = JSON.parse(JSON.stringify(given) ?? "null");
  const { type, value } = { type: undefined, value: undefined, ...(typeof output === "object" ? output : {}) };
  if (!outputTypes.has(type) || (textTypes.has(type) && typeof value !== "string")) {
    throw new TypeError("its toModelOutput gave no tool output");
  }
  // The SDK's types of outputs, by the check above; what is inside a `content` is the provider's to judge.
  return output as ToolOutput;
}

/** The output in the form in which the model reads it. */
async function modelOutput(tool: Tool | undefined, call: ModelToolCall, value: unknown): Promise<ToolOutput> {
  if (tool?.toModelOutput !== undefined) {
    return readOutput(await tool.toModelOutput({ toolCallId: call.call, input: call.input, output: value }));
  }
  const json = toJson(value);
  // `toJson` gives JSON data and nothing else.
  return typeof json === "string" ? { type: "text", value: json } : ({ type: "json", value: json } as ToolOutput);
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A tool that streams preliminary results: each replaces the last. An abort ends the stream, so that it can clean up. */
async function settle(value: unknown, signal: AbortSignal): Promise<unknown> {
  const awaited = await value;
  if (!isIterable(awaited)) return awaited;
  const iterator = awaited[Symbol.asyncIterator]();
  // After an abort nobody waits for it; that it can't be ended is of no use to anybody.
  const end = (): void => void (async () => iterator.return?.())().catch(() => {});
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    let last: unknown;
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) return last;
      last = next.value;
    }
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Waits for the result of a call that somebody outside finishes; rejects with what the model is told of its failure. */
export type Pend = (call: Pick<ModelToolCall, "call" | "tool">, pending: PendingCall) => Promise<unknown>;

/** What a call is executed with. */
export interface CallScope {
  /** The conversation so far. */
  readonly messages: ModelMessage[];
  readonly signal: AbortSignal;
  readonly cap: OutputCap;
  /** What the tool gets as its `context`. */
  readonly context: unknown;
  /** Null for who can't wait for somebody outside. */
  readonly pend: Pend | null;
}

/** Executes one call; never throws. An abort does not wait for a tool that ignores its signal. */
export async function executeCall(tools: ToolSet, call: ModelToolCall, scope: CallScope): Promise<EndedCall> {
  const tool = toolOf(tools, call);
  if (tool?.execute === undefined) {
    const value = `tool_error: there is no tool "${call.tool}"; use one of ${Object.keys(tools).join(", ")}`;
    return { call: call.call, tool: call.tool, output: { type: "error-text", value }, verdict: "error", value: null };
  }
  const { execute } = tool;
  const { messages, signal, context, pend } = scope;
  return endCall(tools, call, scope, async () => {
    // A tool's types are its owner's; the SDK has checked the input by its schema.
    const options = { toolCallId: call.call, messages, abortSignal: signal, context: context as never };
    const value = await settle(execute(call.input, options), signal);
    if (!isPending(value)) return value;
    if (pend === null) throw new Error("its result would come from outside, and a sub-agent can't wait for that");
    return pend(call, value);
  });
}

/** A call is made under whatever name the model gives; only the agent's own tools are tools. */
const toolOf = (tools: ToolSet, { tool }: ModelToolCall): Tool | undefined =>
  Object.hasOwn(tools, tool) ? tools[tool] : undefined;

/** Ends a call with what `make` gives, in the form in which its model reads it; never throws. */
export async function endCall(
  tools: ToolSet,
  call: ModelToolCall,
  { signal, cap }: Pick<CallScope, "signal" | "cap">,
  make: () => Promise<unknown>,
): Promise<EndedCall> {
  const base = { call: call.call, tool: call.tool };
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const work = (async () => {
      const value = await make();
      return { value, output: await modelOutput(toolOf(tools, call), call, value) };
    })();
    // After an abort nobody waits for it; its failure is of no use to anybody.
    work.catch(() => {});
    const { value, output } = await Promise.race([work, aborted.promise]);
    return { ...base, ...capOutput(output, call.call, cap), verdict: isRefusal(value) ? "refused" : "ok", value };
  } catch (error) {
    if (isTeamError(error, "permission_denied")) {
      const value = error.problems.map(toolRefusalText).join("\n");
      return { ...base, output: { type: "error-text", value }, verdict: "refused", value };
    }
    return { ...base, output: { type: "error-text", value: failureText(error) }, verdict: "error", value: null };
  } finally {
    signal.removeEventListener("abort", onAbort);
    aborted.promise.catch(() => {});
  }
}

/** Our own tools refuse by a text that begins with its code. */
const isRefusal = (value: unknown): boolean => typeof value === "string" && /^[A-Z][A-Z_]+: .* Do: /su.test(value);
