import type { SessionRecording } from "./record-session.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** Ends a session, and then its recordings, whatever became of the session. */
export async function endSession(
  parts: SessionParts,
  runtime: SessionRuntime,
  recordings: readonly SessionRecording[],
): Promise<void> {
  try {
    await parts.close(runtime);
  } finally {
    await Promise.all(recordings.map((recording) => recording.close()));
  }
}
