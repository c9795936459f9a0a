import { NEVER, Subject } from "rxjs";
import { expect, test } from "vitest";
import type { HistoryPage } from "../../../src/actors/history/session-history.ts";
import type { TextPiece } from "../../../src/actors/runs/text-stream.ts";
import { eventStream } from "../../../src/service/http/event-stream.ts";
import type { SessionSource } from "../../../src/service/sessions/session-source.ts";
import { settle } from "../../support/sessions.ts";
import { allEvents, sentEvents } from "../../support/http-service.ts";

/** A session of `count` records that the test adds to, and lets go of below `first`. */
function source() {
  const changes$ = new Subject<void>();
  const texts$ = new Subject<TextPiece>();
  const held = { first: 1, count: 0, closed: false };
  const read = (from: number, max: number): HistoryPage => {
    if (from < held.first) return { type: "gap", first: held.first };
    if (from > held.count) return { type: "end", closed: held.closed };
    const lines = Array.from({ length: Math.min(max, held.count - from + 1) }, (_, index) => ({
      seq: from + index,
      text: JSON.stringify({ seq: from + index }),
    }));
    return { type: "lines", lines };
  };
  // The parts of a session that a stream looks at.
  const session = { changes$, texts$, read } as unknown as SessionSource;
  return { session, held, changes$, texts$ };
}

const options = { from: 1, heartbeatMs: 60_000, textsMax: 3, signals: [], onEnd: () => {} };
const responseOf = (stream: ReadableStream<Uint8Array>): Response =>
  new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>);

test("a reader that does not read holds one chunk, and then gets every record", async () => {
  const { session, held, changes$ } = source();
  let reads = 0;
  const counted = {
    ...session,
    read: (from: number, max: number) => ((reads += 1), session.read(from, max)),
  } as SessionSource;
  const stream = eventStream(counted, options);
  for (let n = 1; n <= 5_000; n++) {
    held.count = n;
    changes$.next();
    if (n % 500 === 0) await settle(3);
  }
  expect(reads).toBeLessThan(10);
  held.closed = true;
  const events = await allEvents(responseOf(stream));
  expect(events.filter(({ event }) => event === "record").map(({ id }) => id)).toEqual(
    Array.from({ length: 5_000 }, (_, index) => index + 1),
  );
  expect(events.at(-1)?.event).toBe("closed");
});

test("texts that wait for a slow reader are bounded, and it is told how many it missed", async () => {
  const { session, held, texts$ } = source();
  const stream = eventStream(session, options);
  await settle(5);
  for (let n = 0; n < 10; n++) texts$.next({ actor: `A${n}`, run: 1, text: `${n}` });
  held.closed = true;
  const tokens = (await allEvents(responseOf(stream))).filter(({ event }) => event === "token");
  expect(tokens.map(({ data }) => data)).toEqual([
    { actor: "A0", run: 1, text: "0" },
    { actor: "A1", run: 1, text: "1" },
    { actor: "A2", run: 1, text: "2" },
    { dropped: 7 },
  ]);
});

test("a reader behind all that is held gets a gap, and its stream ends", async () => {
  const { session, held, changes$ } = source();
  held.count = 10;
  const stream = eventStream(session, options);
  const reader = sentEvents(responseOf(stream));
  await reader.next();
  held.first = 50;
  held.count = 60;
  changes$.next();
  const rest: string[] = [];
  for await (const { event, data } of reader) rest.push(`${event} ${JSON.stringify(data)}`);
  expect(rest.at(-1)).toBe('gap {"first":50}');
});

test("whoever leaves is forgotten: nothing of the session is followed any more", async () => {
  const { session, changes$, texts$ } = source();
  let ended = 0;
  const stream = eventStream(session, { ...options, onEnd: () => void ended++ });
  await settle(3);
  expect([changes$.observed, texts$.observed]).toEqual([true, true]);
  await stream.cancel();
  expect([changes$.observed, texts$.observed, ended]).toEqual([false, false, 1]);
});

test("what was aborted before it began is over at once", async () => {
  const signals = [AbortSignal.abort()];
  const session = { ...source().session, texts$: NEVER } as SessionSource;
  expect(await allEvents(responseOf(eventStream(session, { ...options, signals })))).toEqual([]);
});
