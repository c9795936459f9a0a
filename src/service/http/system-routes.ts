import { route, type Route } from "./route.ts";
import { HealthAnswer, ReadyAnswer } from "./schemas.ts";

const health = route({
  method: "get",
  path: "/healthz",
  summary: "Whether the process answers",
  open: true,
  answer: HealthAnswer,
  handle: () => ({ status: "ok" }),
});

const ready = route({
  method: "get",
  path: "/readyz",
  summary: "Whether it can work, and what stands in its way; 503 when it can't",
  open: true,
  answer: ReadyAnswer,
  handle: async ({ service: { directory, closed } }) => {
    const { ready: isReady, reasons } = closed.aborted
      ? { ready: false, reasons: ["the service is closed"] }
      : await directory.health();
    return Response.json({ ready: isReady, reasons }, { status: isReady ? 200 : 503 });
  },
});

const metrics = route({
  method: "get",
  path: "/metrics",
  summary: "Counts and depths for Prometheus",
  answer: "text/plain",
  handle: ({ service }) =>
    new Response(service.metrics.text(service.directory.open(), service.clock.now()), {
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    }),
});

/** Routes about the service itself. */
export const systemRoutes: readonly Route[] = [health, ready, metrics];
