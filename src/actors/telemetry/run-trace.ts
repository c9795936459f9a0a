import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { ModelAnswer } from "../model-run/model-call.ts";
import { createRedactor, type Redactor } from "../recording/redactor.ts";
import { failureText, toJson, type EndedCall } from "../model-run/tool-calls.ts";
import type { TelemetryOptions } from "./telemetry-options.ts";

/** Whose run it is. */
export interface TracedRun {
  readonly session: string;
  /** Display name. */
  readonly actor: string;
  readonly agentType: string | null;
  readonly team: string | null;
  readonly run: number;
  readonly attempt: number;
}

/** A call of a tool. */
interface TracedCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
}

/** How a span begins; inputs are made only where they are wanted. */
interface SpanStart {
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly inputs: () => Attributes;
}

/** How runs are traced. */
export interface TraceOptions extends TelemetryOptions {
  /** What the spans of a session belong to: what was active when it was opened. */
  readonly parent: Context;
  /** Told of what the SDK throws, which harms no run. */
  readonly onFault: (fault: unknown) => void;
}

/** Bytes of a text in a span; what is longer is cut and says so. */
const textMax = 32_768;

/** The spans of one run, after the conventions for generative AI: `invoke_agent`, and in it `chat` and `execute_tool`. */
export class RunTrace {
  readonly #tracer: Tracer;
  readonly #options: TraceOptions;
  readonly #span: Span;
  readonly #context: Context;
  readonly #common: Attributes;
  #redactor: Redactor | null = null;

  constructor(tracer: Tracer, { session, actor, agentType, team, run, attempt }: TracedRun, options: TraceOptions) {
    this.#tracer = tracer;
    this.#options = options;
    this.#common = { "gen_ai.agent.name": actor, "gen_ai.conversation.id": session };
    const own: Attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "teamchart.run": run,
      "teamchart.attempt": attempt,
    };
    if (agentType !== null) own["teamchart.agent_type"] = agentType;
    if (team !== null) own["teamchart.team"] = team;
    const attributes = { ...this.#common, ...own };
    this.#span = tracer.startSpan(`invoke_agent ${actor}`, { kind: SpanKind.INTERNAL, attributes }, options.parent);
    this.#context = trace.setSpan(options.parent, this.#span);
  }

  /** Runs something in the context of this run, so that spans of its own belong to it. */
  within<Value>(work: () => Value): Value {
    return context.with(this.#context, work);
  }

  /** A call of a model. */
  chat(
    call: { readonly model: string; readonly prompt: unknown },
    ask: () => Promise<ModelAnswer>,
  ): Promise<ModelAnswer> {
    const { model, prompt } = call;
    const [name = model] = model.split(" ");
    const [provider = name] = name.split("/");
    const attributes: Attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name.slice(provider.length + 1) || name,
    };
    const inputs = (): Attributes => ({ "gen_ai.input.messages": this.#text(prompt) });
    return this.#traced(`chat ${name}`, { kind: SpanKind.CLIENT, attributes, inputs }, ask, (answer) => ({
      "gen_ai.usage.input_tokens": answer.usage.input,
      "gen_ai.usage.output_tokens": answer.usage.output,
      "gen_ai.response.finish_reasons": [answer.finish],
      ...(this.#options.recordOutputs === true ? { "gen_ai.output.messages": this.#text(answer.content) } : {}),
    }));
  }

  /** A call of a tool that is executed. */
  tool(call: TracedCall, execute: () => Promise<EndedCall>): Promise<EndedCall> {
    return this.#traced(`execute_tool ${call.tool}`, this.#toolSpan(call), execute, (ended) => ({
      "teamchart.tool.verdict": ended.verdict,
      ...(ended.verdict === "error" ? { "error.type": "tool_error" } : {}),
      ...(this.#options.recordOutputs === true ? { "gen_ai.tool.call.result": this.#text(ended.output) } : {}),
    }));
  }

  #toolSpan(call: TracedCall): SpanStart {
    const attributes: Attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool,
      "gen_ai.tool.call.id": call.call,
      "gen_ai.tool.type": "function",
    };
    const inputs = (): Attributes => ({ "gen_ai.tool.call.arguments": this.#text(call.input) });
    return { kind: SpanKind.INTERNAL, attributes, inputs };
  }

  /** A call that a function agent makes of a tool of its own; what the tool throws is thrown on. */
  ownTool(call: TracedCall, execute: () => Promise<unknown>): Promise<unknown> {
    return this.#traced(`execute_tool ${call.tool}`, this.#toolSpan(call), execute, (value) =>
      this.#options.recordOutputs === true ? { "gen_ai.tool.call.result": this.#text(value) } : {},
    );
  }

  /** Ends the span of the run; `failure` is the reason of a run that failed. */
  end(failure: string | null): void {
    this.#guard(() => {
      if (failure !== null) fail(this.#span, failure, this.#hide);
      this.#span.end();
    });
  }

  async #traced<Value>(
    name: string,
    { kind, attributes, inputs }: SpanStart,
    work: () => Promise<Value>,
    outcome: (value: Value) => Attributes,
  ): Promise<Value> {
    const span = this.#guard(() => {
      const given = this.#options.recordInputs === true ? inputs() : {};
      return this.#tracer.startSpan(
        name,
        { kind, attributes: { ...this.#common, ...attributes, ...given } },
        this.#context,
      );
    });
    if (span === null) return work();
    try {
      const value = await context.with(trace.setSpan(this.#context, span), work);
      this.#guard(() => span.setAttributes(outcome(value)));
      return value;
    } catch (error) {
      this.#guard(() => fail(span, failureText(error).replace("tool_error: ", ""), this.#hide));
      throw error;
    } finally {
      this.#guard(() => span.end());
    }
  }

  /** What an SDK or an exporter throws belongs to nobody's run. */
  #guard<Value>(work: () => Value): Value | null {
    try {
      return work();
    } catch (fault) {
      this.#options.onFault(fault);
      return null;
    }
  }

  #text(value: unknown): string {
    this.#redactor ??= createRedactor();
    const text = JSON.stringify(this.#redactor.value(toJson(value))) ?? "null";
    if (text.length <= textMax) return text;
    return `${text.slice(0, textMax).toWellFormed()}... (${text.length - textMax} characters more)`;
  }

  readonly #hide = (text: string): string => (this.#redactor ??= createRedactor()).text(text);
}

/** Marks a span as failed; its type is the class of the failure, as `model_error`. */
function fail(span: Span, reason: string, hide: (text: string) => string): void {
  const [kind = "error"] = reason.split(":");
  span.setAttribute("error.type", /^[a-z_]{1,40}$/.test(kind) ? kind : "error");
  span.setStatus({ code: SpanStatusCode.ERROR, message: hide(reason.slice(0, 500)) });
}
