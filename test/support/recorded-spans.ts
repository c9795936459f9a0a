import { AsyncLocalStorage } from "node:async_hooks";
import {
  context,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type SpanStatus,
} from "@opentelemetry/api";
import { onTestFinished } from "vitest";

/** A span as a registered SDK was told of it. */
export interface RecordedSpan {
  readonly name: string;
  readonly parent: string | null;
  readonly kind: number | undefined;
  readonly attributes: Attributes;
  status: SpanStatus | null;
  ended: boolean;
}

/** Registers an SDK that keeps every span, for one test: the API's own registration, and the least that may stand behind it. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const start = (name: string, { kind, attributes = {} }: SpanOptions = {}, from: Context = context.active()): Span => {
    const parent = trace.getSpanContext(from)?.spanId;
    const recorded: RecordedSpan = {
      name,
      parent: parent === undefined ? null : (spans[Number.parseInt(parent, 16) - 1]?.name ?? null),
      kind,
      attributes: { ...attributes },
      status: null,
      ended: false,
    };
    const spanId = spans.push(recorded).toString(16).padStart(16, "0");
    const span = {
      spanContext: () => ({ traceId: "1".repeat(32), spanId, traceFlags: 1 }),
      setAttribute: (key: string, value: never) => ((recorded.attributes[key] = value), span),
      setAttributes: (more: Attributes) => (Object.assign(recorded.attributes, more), span),
      setStatus: (status: SpanStatus) => ((recorded.status = status), span),
      end: () => void (recorded.ended = true),
      isRecording: () => true,
      recordException: () => {},
    };
    // Of a span only what is used here.
    return span as unknown as Span;
  };
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.apply(self as never, args)),
    bind: (_active, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
  const startActiveSpan = () => {
    throw new Error("nobody uses it here");
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: start, startActiveSpan }) });
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return spans;
}
