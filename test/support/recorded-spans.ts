import { context, trace, type Attributes, type SpanStatus } from "@opentelemetry/api";
import { NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { onTestFinished } from "vitest";

/** A span as the SDK has it. */
export interface RecordedSpan {
  readonly name: string;
  readonly parent: string | null;
  readonly attributes: Attributes;
  readonly events: readonly unknown[];
  readonly status: SpanStatus;
  readonly ended: boolean;
}

/** Registers OpenTelemetry's own SDK for one test, and keeps every span from its start on. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const names = new Map<string, string>();
  const provider = new NodeTracerProvider({
    spanProcessors: [
      {
        onStart: (span: ReadableSpan) => {
          names.set(span.spanContext().spanId, span.name);
          spans.push({
            name: span.name,
            parent: names.get(span.parentSpanContext?.spanId ?? "") ?? null,
            get attributes() {
              return span.attributes;
            },
            get events() {
              return span.events;
            },
            get status() {
              return span.status;
            },
            get ended() {
              return span.ended;
            },
          });
        },
        onEnd: () => {},
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  provider.register();
  onTestFinished(async () => {
    trace.disable();
    context.disable();
    await provider.shutdown();
  });
  return spans;
}
