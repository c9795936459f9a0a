import { isUtf8 } from "node:buffer";
import { TeamError } from "../../errors/index.ts";
import { openFile } from "./open-file.ts";
import type { Place } from "./place.ts";
import { scanFile, type FileScan, type LineRange } from "./scan-file.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";

/** Some lines of a text file of the workspace. */
export interface TextRead {
  readonly kind: "text";
  readonly path: string;
  readonly text: string;
  readonly fromLine: number;
  /** The last line that `text` holds; `fromLine - 1` if it holds none. */
  readonly toLine: number;
  readonly linesTotal: number;
  readonly bytes: number;
  /** What the text does not show: left-out lines, a byte order mark, bytes that are no UTF-8. */
  readonly note: string | null;
}

/** A file that is no text; nothing of it is shown. */
export interface BinaryRead {
  readonly kind: "binary";
  readonly path: string;
  readonly bytes: number;
  readonly note: string;
}

const newline = 10;
const bomBytes = 3;

/** Where to cut `bytes` so that at most `bytesMax` are left: after a line, else between two characters. */
const cutAt = (bytes: Buffer, bytesMax: number): number => {
  const afterLine = bytes.lastIndexOf(newline, bytesMax - 1) + 1;
  if (afterLine > 0) return afterLine;
  let at = bytesMax;
  // Back over the continuation bytes (10xxxxxx) of a character that does not fit.
  while (at > bytesMax - 4 && at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
};

const countLines = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count + (bytes.length > 0 && bytes.at(-1) !== newline ? 1 : 0);
};

const notesOf = (scan: FileScan, shown: { fromLine: number; toLine: number; bytes: Buffer; cutLine: boolean }) => {
  const { fromLine, toLine, bytes, cutLine } = shown;
  const notes: string[] = [];
  if (fromLine > Math.max(scan.linesTotal, 1)) notes.push(`The file has only ${scan.linesTotal} lines.`);
  if (cutLine) notes.push(`Line ${fromLine} is cut: only its first ${bytes.length} bytes are shown.`);
  if (toLine < scan.linesTotal && toLine >= fromLine) {
    notes.push(`${scan.linesTotal - toLine} more lines follow; read on with fromLine ${toLine + 1}.`);
  }
  if (scan.startsWithBom)
    notes.push("The file starts with a byte order mark; it is not shown and kept when you write.");
  if (!isUtf8(bytes))
    notes.push("Some bytes are not valid UTF-8 and shown as \u{fffd}; writing this text back changes them.");
  return notes.length === 0 ? null : notes.join(" ");
};

const binaryNote = (start: Buffer): string => {
  const isUtf16 = start.length >= 2 && (start.readUInt16BE(0) === 0xfeff || start.readUInt16BE(0) === 0xfffe);
  return isUtf16 ? "UTF-16 text, which is not shown; only UTF-8 is." : "A binary file; its content is not shown.";
};

const checkedRange = (range: { fromLine: number | null; lines: number | null }, bytesMax: number): LineRange => {
  const { fromLine, lines } = { fromLine: range.fromLine ?? 1, lines: range.lines ?? Number.MAX_SAFE_INTEGER };
  for (const [what, value] of Object.entries({ fromLine, lines })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TeamError("bad_input", { what, problem: `${value} is no line count from 1 on` });
    }
  }
  return { fromLine, lines, bytesMax };
};

/** Reads lines of the text file at `place`, and the digest of the whole file for the write ledger. */
export const readText = async (
  place: Place,
  options: {
    readonly fromLine: number | null;
    readonly lines: number | null;
    readonly limits: WorkspaceLimits;
    readonly signal: AbortSignal | null;
  },
): Promise<{ readonly read: TextRead | BinaryRead; readonly digest: string }> => {
  const { limits, signal } = options;
  const { path } = place;
  const range = checkedRange(options, limits.fileBytesMax);
  await using handle = await openFile(place.folder, place.name, path);
  if (handle === null) throw new TeamError("missing_path", { path });
  const scan = await scanFile(handle, range, { path, scanBytesMax: limits.scanBytesMax, signal });
  const { digest, bytes: size, linesTotal } = scan;
  if (scan.isBinary) return { digest, read: { kind: "binary", path, bytes: size, note: binaryNote(scan.kept) } };
  const isCut = scan.kept.length > range.bytesMax;
  const bytes = isCut ? scan.kept.subarray(0, cutAt(scan.kept, range.bytesMax)) : scan.kept;
  const { fromLine } = range;
  const toLine = fromLine + countLines(bytes) - 1;
  const note = notesOf(scan, { fromLine, toLine, bytes, cutLine: isCut && bytes.at(-1) !== newline });
  const text = bytes.subarray(scan.startsWithBom && fromLine === 1 ? bomBytes : 0).toString("utf8");
  return { digest, read: { kind: "text", path, text, fromLine, toLine, linesTotal, bytes: size, note } };
};
