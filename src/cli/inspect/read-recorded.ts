import { isInputLine } from "../../actors/history/transcript.ts";
import { BodyLine, CheckpointLine } from "../../protocol/recording.ts";
import type { Recorded } from "../../service/sessions/recorded-session.ts";
import { readLines } from "../../testing/read-lines.ts";
import { replay } from "../../testing/replay.ts";

/** Reads a recording and folds it again: what is shown is true, or it is refused as `replay` refuses it. */
export async function readRecorded(path: string): Promise<Recorded> {
  const { header, session, kernel, lines: count } = await replay(path);
  const lines: string[] = [];
  // What stands behind the lines that were checked is the torn end of a writer that was killed.
  for await (const { text } of readLines(path)) if (lines.length < count) lines.push(text);
  const bodies = new Map<string, unknown>();
  let checkpoint: Recorded["checkpoint"] = null;
  for (const line of lines) {
    if (line.startsWith('{"type":"body"')) {
      const { digest, value } = BodyLine.parse(JSON.parse(line));
      bodies.set(digest, value);
    } else if (line.startsWith('{"type":"checkpoint"')) {
      const { value } = CheckpointLine.parse(JSON.parse(line));
      // It was read as a checkpoint by the replay.
      checkpoint = { seq: (value as { seq: number }).seq, value };
    }
  }
  const inputs = lines.filter(isInputLine).map((text) => ({ seq: Number(/"seq":(\d+)/.exec(text)?.[1]), text }));
  const { session: id, violation = null } = header;
  return { id, violation, lines, inputs, checkpoint, bodies, state: session, facts: kernel.steppers.facts };
}
