import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "teamchart";

/** Records a session, as `--record` does, into a file that is gone when it is disposed. */
export async function recordToFile(session: Session): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "teamchart-bench-"));
  const recording = await session.record(join(folder, "recording.ndjson"));
  return {
    async [Symbol.asyncDispose]() {
      await recording.close();
      await rm(folder, { recursive: true });
    },
  };
}
