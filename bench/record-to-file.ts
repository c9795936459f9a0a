import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "teamchart";
import { createRecorder } from "../src/actors/recorder.ts";
import { openRecordingFile } from "../src/actors/recording-file.ts";

/** Records a session as `--record` does, with hashes, bodies and masks, into a file that is gone when it is disposed. */
export async function recordToFile(session: Session): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "teamchart-bench-"));
  const sink = await openRecordingFile(join(folder, "recording.ndjson"));
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const recorder = createRecorder({ session: session.id, sink, onFault });
  const records = session.records$.subscribe(({ stored: { seq, input, body }, plan, applied }) => {
    const record = plan === undefined ? { seq, input } : { seq, input, plan };
    recorder.record(session.state, applied, record, body)?.catch(onFault);
  });
  return {
    async [Symbol.asyncDispose]() {
      records.unsubscribe();
      await recorder.close();
      await rm(folder, { recursive: true });
      if (faults.length > 0) throw new AggregateError(faults, "the recording has failed: nothing was measured");
    },
  };
}
