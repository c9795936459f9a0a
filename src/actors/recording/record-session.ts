import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import type { ResultLine } from "../../protocol/recording.ts";
import { parseOptions } from "../parse-options.ts";
import { createRecorder, redactResult, type LineSink } from "./recorder.ts";
import { openRecordingFile } from "./recording-file.ts";
import { createRedactor } from "./redactor.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** What a recording may be told. */
export interface RecordOptions {
  /** Texts that must not be in it, such as keys of your own. What looks like a key is hidden anyway. */
  readonly secrets?: readonly string[];
}

/** A session that is being written down. */
export interface SessionRecording {
  /**
   * Writes the result as it stands and resolves when everything is out. The end of the session does the same. Closing
   * again waits for the same end.
   */
  close(): Promise<void>;
}

const RecordOptionsShape = z.strictObject({ secrets: z.array(z.string()).optional() });

/**
 * Writes a session down from now on, to a file of its owner's alone or to a sink. A session that has begun is written
 * with a checkpoint first. A file that cannot be opened is `bad_file`; whatever fails later is told to `onFault` once, and
 * the session goes on.
 */
export async function recordSession(
  runtime: SessionRuntime,
  target: string | LineSink,
  { options, result }: { readonly options: RecordOptions; readonly result: () => ResultLine },
): Promise<SessionRecording> {
  const { secrets = [] } = parseOptions(RecordOptionsShape, options, "record");
  const sink = typeof target === "string" ? await openRecordingFile(target) : target;
  const { owner, options: session, state } = runtime;
  if (owner.isClosed) {
    await sink.close?.();
    throw new TeamError("fenced", { reason: "the session is closed", closed: true });
  }
  const redactor = createRedactor({ secrets });
  const { onFault } = session;
  const recorder = createRecorder({ session: session.config.session, sink, redactor, from: state, onFault });
  const end = async (): Promise<void> => {
    records.unsubscribe();
    recorder.result(redactResult(result(), redactor));
    await recorder.close();
  };
  let ending: Promise<void> | null = null;
  const close = (): Promise<void> => (ending ??= end());
  const records = owner.records$.subscribe({
    next: ({ stored: { seq, input, body }, plan, applied }) => {
      const record = { seq, input, ...(plan === undefined ? {} : { plan }) };
      // A slow disk holds nobody up: what waits for it is kept in memory.
      recorder.record(state, applied, record, body)?.catch(onFault);
    },
    complete: () => void close().catch(onFault),
  });
  return { close };
}
