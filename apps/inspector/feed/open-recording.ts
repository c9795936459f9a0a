import { SessionModel } from "../fold/session-model.ts";

/** Why a file could not be opened. */
class BadRecording extends Error {}

/** Lines folded before the page may draw. */
const sliceMs = 12;

/**
 * Folds a recording, or a counterexample of the checker, of any size. A file that is none of these is `BadRecording`; one
 * that ends early, or breaks in the middle, is opened as far as it goes, and `broken` says where it stopped.
 */
export async function openRecording(
  text: string,
  onProgress: (share: number) => void = () => {},
): Promise<{ readonly model: SessionModel; readonly broken: string | null }> {
  const lines = text.split("\n");
  if (!isHeader(lines[0])) throw new BadRecording("This is no recording of Teamchart: its first line is no header.");
  const model = new SessionModel("recording");
  let broken: string | null = null;
  let until = performance.now() + sliceMs;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      model.takeLine(line);
    } catch (fault) {
      const isLast = index >= lines.length - 1;
      const why = fault instanceof Error ? fault.message : String(fault);
      broken = isLast
        ? "Its last line is cut off: whatever wrote it was stopped."
        : `Line ${index + 1} can't be read: ${why}`;
      break;
    }
    if (performance.now() < until) continue;
    onProgress(index / lines.length);
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + sliceMs;
  }
  model.flush();
  model.timeline.publish();
  return { model, broken };
}

function isHeader(line: string | undefined): boolean {
  try {
    const header: unknown = JSON.parse(line ?? "");
    return (
      typeof header === "object" && header !== null && "format" in header && header.format === "teamchart-recording"
    );
  } catch {
    // No JSON: no header.
    return false;
  }
}
