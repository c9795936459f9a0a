import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { TeamError } from "../../errors/index.ts";

/** Which lines of a file to keep while it is scanned; lines count from 1. */
export interface LineRange {
  readonly fromLine: number;
  readonly lines: number;
  /** Bytes kept at most; the last line kept is a whole one unless it alone is larger. */
  readonly bytesMax: number;
}

/** What one pass over a whole file found. */
export interface FileScan {
  readonly digest: string;
  readonly bytes: number;
  readonly linesTotal: number;
  /** Whether it holds a NUL byte, as text in UTF-8 never does. */
  readonly isBinary: boolean;
  readonly startsWithBom: boolean;
  readonly kept: Buffer;
}

const newline = 10;
const chunkBytes = 64 * 1024;
const smallestBufferBytes = 4 * 1024;
const bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** Keeps the bytes of a line range while chunks of the file pass by. */
class LineKeeper {
  readonly #range: LineRange;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #line = 1;

  constructor(range: LineRange) {
    this.#range = range;
  }

  /** The number of newlines seen so far. */
  get newlines(): number {
    return this.#line - 1;
  }

  add(chunk: Buffer): void {
    const { fromLine, lines } = this.#range;
    const endLine = fromLine + lines;
    let start = this.#line >= fromLine ? 0 : chunk.length;
    let end = this.#line >= endLine ? 0 : chunk.length;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) {
      this.#line += 1;
      if (this.#line === fromLine) start = at + 1;
      if (this.#line === endLine) end = at + 1;
    }
    this.#keep(chunk.subarray(start, Math.max(start, end)));
  }

  #keep(bytes: Buffer): void {
    // One byte more than wanted tells a text that just fits from one that was cut.
    const room = this.#range.bytesMax + 1 - this.#keptBytes;
    if (room <= 0 || bytes.length === 0) return;
    // A copy: the chunk is read into again.
    this.#kept.push(Buffer.from(bytes.subarray(0, room)));
    this.#keptBytes += Math.min(bytes.length, room);
  }

  /** The bytes kept, one more than `bytesMax` if there were more. */
  get kept(): Buffer {
    return Buffer.concat(this.#kept);
  }
}

/** Reads a file from its start to its end once. Throws `payload_too_large` for one above `scanBytesMax`. */
export const scanFile = async (
  handle: FileHandle,
  range: LineRange,
  options: { readonly path: string; readonly scanBytesMax: number; readonly signal: AbortSignal | null },
): Promise<FileScan> => {
  const { path, scanBytesMax, signal } = options;
  const tooLarge = (bytes: number) => new TeamError("payload_too_large", { what: path, bytes, bytesMax: scanBytesMax });
  const { size } = await handle.stat();
  if (size > scanBytesMax) throw tooLarge(size);
  const hash = createHash("sha256");
  const keeper = new LineKeeper(range);
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(size + 1, smallestBufferBytes)));
  let [bytes, lastByte, isBinary, startsWithBom] = [0, newline, false, false];
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (bytes === 0) startsWithBom = chunk.subarray(0, bom.length).equals(bom);
    bytes += bytesRead;
    // It may grow while it is read.
    if (bytes > scanBytesMax) throw tooLarge(bytes);
    lastByte = chunk.at(-1) ?? newline;
    isBinary ||= chunk.includes(0);
    hash.update(chunk);
    keeper.add(chunk);
  }
  return {
    digest: hash.digest("base64"),
    bytes,
    linesTotal: keeper.newlines + (lastByte === newline ? 0 : 1),
    isBinary,
    startsWithBom,
    kept: keeper.kept,
  };
};
