import { trace, type Tracer } from "@opentelemetry/api";

/** The tracer of the SDK that the application has registered, or null: then nothing is to be made for spans. */
export function activeTracer(): Tracer | null {
  const provider = trace.getTracerProvider();
  // Until an SDK is registered the API hands out a stand-in, which has a delegate only once there is one.
  if (!("getDelegateTracer" in provider)) return provider.getTracer("teamchart");
  const { getDelegateTracer } = provider;
  // It is the API's own class, whose method takes the name of a tracer.
  return typeof getDelegateTracer !== "function"
    ? provider.getTracer("teamchart")
    : ((getDelegateTracer.call(provider, "teamchart") as Tracer | undefined) ?? null);
}
