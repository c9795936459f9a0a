import { badInput, kindOf } from "./fields.ts";
import { readLines } from "./read-lines.ts";
import { RecordingFold, type FoldObserver, type Replayed } from "./recording-fold.ts";

export type { Replayed } from "./recording-fold.ts";

/** A recording: the path of its file, or its lines as text or parsed. */
export type RecordingSource = string | Iterable<unknown>;

/** How far a replay goes. */
export interface ReplayOptions {
  /** The last sequence to fold: what comes after it is neither folded nor checked. */
  readonly until?: number;
}

/**
 * Folds a recording with the machines of this version and holds every line against what they do now. A difference, or a
 * value that was changed, is `replay_mismatch` with the record (line, from 0) and the field; other machines are
 * `machine_version`; a file that cannot be read is `bad_file`. A recording that just ends early is no fault: see `truncated`.
 */
export const replay = (source: RecordingSource, options: ReplayOptions = {}): Promise<Replayed> =>
  foldRecording(source, options, null);

const isSource = (source: unknown): boolean =>
  typeof source === "string" ||
  (typeof source === "object" && source !== null && (Symbol.iterator in source || Symbol.asyncIterator in source));

/** Replays a recording with somebody who looks at every input of it. */
export async function foldRecording(
  source: RecordingSource,
  { until = Infinity }: ReplayOptions,
  observer: FoldObserver | null,
): Promise<Replayed> {
  if (!isSource(source))
    throw badInput("recording", `give the path of a file, its lines, or a stream of them, not ${kindOf(source)}`);
  const fold = new RecordingFold(until, observer);
  for await (const line of typeof source === "string" ? readLines(source) : source) {
    if (!fold.take(line)) break;
  }
  return fold.finish();
}
