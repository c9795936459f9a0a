import { BodyStore } from "../../src/actors/owner/body-store.ts";
import { createRecorder, type LineSink } from "../../src/actors/recording/recorder.ts";
import { createKernel, messageCounts, type SessionState } from "../../src/machines/index.ts";
import type { ResultLine } from "../../src/protocol/recording.ts";
import { playSession, type Choices } from "./random-session.ts";

/** A sink that keeps its lines. */
export const keepLines = (): LineSink & { readonly lines: string[] } => {
  const lines: string[] = [];
  return {
    lines,
    write(line) {
      lines.push(line);
      return null;
    },
  };
};

/** A result that fits a session. */
export const resultOf = (session: SessionState): ResultLine => ({
  type: "result",
  outcome: "completed",
  answer: "all is well",
  members: [],
  messages: messageCounts(session),
  revision: session.revision,
  durationMs: 12,
});

/** Plays a random session and records it, from its first input or from a later one. */
export function recordSession(numbers: Choices, { fromInput = 0 } = {}): { lines: string[]; session: SessionState } {
  const sink = keepLines();
  const bodies = new BodyStore();
  const { log } = playSession(numbers);
  const kernel = createKernel();
  const session = kernel.create();
  for (const { record } of log.slice(0, fromInput)) kernel.apply(session, record);
  const fail = (fault: unknown): never => {
    throw fault;
  };
  const recorder = createRecorder({ session: "s", sink, from: session, onFault: fail });
  for (const { record, body } of log.slice(fromInput)) {
    const ref = body === undefined ? {} : { body: bodies.hold(body) };
    const whole = { ...record, input: { ...record.input, ...ref } };
    // The sink is never full.
    void recorder.record(session, kernel.apply(session, whole), whole, body);
  }
  recorder.result(resultOf(session));
  return { lines: sink.lines, session };
}
