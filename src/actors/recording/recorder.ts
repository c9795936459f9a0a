import { createCanonicalizer } from "../../machines/kernel/canonical.ts";
import { toCheckpoint } from "../../machines/kernel/checkpoint.ts";
import { machineHashes } from "../owner/machine-hashes.ts";
import type { Applied, KernelRecord, SessionState } from "../../machines/index.ts";
import {
  recordingFormat,
  recordingVersion,
  type ErrorLine,
  type EventLine,
  type ResultLine,
  type Violation,
} from "../../protocol/recording.ts";
import { digestOf } from "../owner/body-store.ts";
import { eventLines } from "../../machines/event-lines.ts";
import { createHashChain } from "./hash-chain.ts";
import { createRedactor, type Redactor } from "./redactor.ts";

/** Where lines go. */
export interface LineSink {
  /** Takes a line without its end; null, or when there is room for the next one. A rejection ends the recording. */
  write(line: string): Promise<void> | null;
  /** Resolves when everything is out. */
  close?(): Promise<void>;
}

/** What a recorder is made of. */
export interface RecorderOptions {
  readonly session: string;
  readonly sink: LineSink;
  /** Hides secrets; by default what looks like one. */
  readonly redactor?: Redactor;
  /** The session as it is now, when it was not just created: the recording begins with it. */
  readonly from?: SessionState;
  /** What its last step will have violated, where this is a counterexample. */
  readonly violation?: Violation;
  /** Told once when the recording ended by a fault. The session goes on. */
  readonly onFault: (fault: unknown) => void;
}

/** Writes a session down as it happens, so that it can be folded again and every difference is found. */
export interface Recorder {
  /**
   * Writes an applied input; `session` is the state after it, `body` the value that the input refers to. A promise means
   * that the sink is full: wait for it before you go on. Nothing here throws or rejects.
   */
  record(session: SessionState, applied: Applied, record: KernelRecord, body?: unknown): Promise<void> | null;
  /** Writes how the session ended; the last line. */
  result(line: ResultLine): void;
  /** Writes what ended the session instead of a result. */
  error(line: ErrorLine): void;
  /** Resolves when everything is out, or the recording has failed. */
  close(): Promise<void>;
}

/** Starts a recording with its header. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { session, from, violation, redactor = createRedactor() } = options;
  const out = createOutput(options);
  const actors = createCanonicalizer({ digest: digestOf, maskText: (text) => redactor.text(text) });
  const bodies = new Set<string>();

  const writeBody = (digest: string, value: unknown): void => {
    if (bodies.has(digest)) return;
    bodies.add(digest);
    const shown = redactor.value(value);
    out.line({ type: "body", digest, value: shown, ...(shown === value ? {} : { redacted: true }) });
  };
  const writeStep = (line: EventLine, record: KernelRecord, touched: () => string): void => {
    const shown = { ...line, event: redactor.steering(line.event) };
    if (line.step > 0) {
      out.line(shown);
      return;
    }
    const { id, epoch, actor, from: sender, command, body } = record.input;
    const input = { id, epoch, actor, from: sender, ...(command && { command }), ...(body && { body }) };
    const plan = record.plan === undefined ? {} : { plan: redactor.steering(record.plan) };
    out.line({ ...shown, input, ...plan }, touched());
  };

  out.guard(() => {
    const machines = machineHashes();
    const header = { type: "header", format: recordingFormat, version: recordingVersion, session, machines };
    out.line({ ...header, ...(violation && { violation }) });
    if (from !== undefined && from.seq > 0) {
      out.line({ type: "checkpoint", value: redactor.steering(toCheckpoint(from)) });
    }
  });
  return {
    record(state, applied, record, body) {
      const { input } = record;
      out.guard(() => {
        if (input.body !== undefined && body !== undefined) writeBody(input.body.digest, body);
        const touched = (): string => actors.touched(state, applied, input.command);
        for (const line of eventLines(state, applied, record)) writeStep(line, record, touched);
      });
      return out.room();
    },
    result: (line) => out.guard(() => out.line(redactResult(line, redactor))),
    error: (line) =>
      out.guard(() => out.line({ ...line, message: redactor.text(line.message), data: redactor.value(line.data) })),
    close: () => out.close(),
  };
}

/** The result with secrets hidden, for every place that it is shown in. Names stay: people know members by them. */
export const redactResult = (line: ResultLine, redactor: Redactor): ResultLine => {
  const hide = (text: string | null): string | null => (text === null ? null : redactor.text(text));
  return {
    ...line,
    answer: hide(line.answer),
    members: line.members.map((member) => ({
      ...member,
      reason: hide(member.reason),
      summary: hide(member.summary),
      paths: member.paths.map((path) => redactor.text(path)),
    })),
    ...(line.tasks === undefined
      ? {}
      : {
          tasks: line.tasks.map((task) => ({ ...task, subject: redactor.text(task.subject), note: hide(task.note) })),
        }),
  };
};

/** The way out: hashes and writes lines until something fails, and tells of that once. */
function createOutput({ sink, onFault }: RecorderOptions) {
  const chain = createHashChain();
  let failed = false;
  const fail = (fault: unknown): void => {
    if (failed) return;
    failed = true;
    try {
      onFault(fault);
    } catch {
      // Who is told of a lost recording has a fault of its own; there is nobody left to tell, and the session goes on.
    }
  };
  let room: Promise<void> | null = null;
  return {
    line(line: object, actors?: string): void {
      if (failed) return;
      const full = sink.write(JSON.stringify({ ...line, hash: chain.next(line, actors) }));
      // Caught at once: a promise of the sink that nobody waits for must not end the process.
      room = full?.catch(fail) ?? null;
    },
    guard(write: () => void): void {
      if (failed) return;
      try {
        write();
      } catch (fault) {
        fail(fault);
      }
    },
    /** What to wait for before more is written, or null. Never rejects. */
    room: (): Promise<void> | null => room,
    async close(): Promise<void> {
      try {
        await sink.close?.();
      } catch (fault) {
        fail(fault);
      }
    },
  };
}
