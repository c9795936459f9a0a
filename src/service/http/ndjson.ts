import { setImmediate as nextTurn } from "node:timers/promises";

/** Lines as an answer that is written part by part, as fast as it is read; between parts others have their turn. */
export function ndjson(parts: Iterable<readonly string[]>, headers: Readonly<Record<string, string>>): Response {
  const iterator = parts[Symbol.iterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          await nextTurn();
          const next = iterator.next();
          if (next.done === true) return controller.close();
          if (next.value.length > 0) return controller.enqueue(encoder.encode(`${next.value.join("\n")}\n`));
        }
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "application/x-ndjson", ...headers } });
}
