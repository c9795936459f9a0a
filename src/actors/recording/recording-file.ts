import { createWriteStream, type WriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { TeamError } from "../../errors/index.ts";
import type { LineSink } from "./recorder.ts";

/** A file that lines are written to. */
export interface RecordingFile extends LineSink {
  close(): Promise<void>;
}

/** Bytes that wait for the disk before a recording is given up. */
const waitingMax = 64 * 1024 * 1024;

/**
 * Opens a file for a recording, readable and writable by its owner alone; what was in it is gone. A file that cannot be
 * written is `bad_file`. `write` says when the disk has caught up; a disk that falls behind by more than `waitingBytesMax`
 * ends the recording as `bad_file`, so that it never fills the memory.
 */
export async function openRecordingFile(
  path: string,
  { waitingBytesMax = waitingMax }: { readonly waitingBytesMax?: number } = {},
): Promise<RecordingFile> {
  const stream = await openStream(path);
  let fault: Error | null = null;
  let room: Promise<void> | null = null;
  stream.on("error", (error) => (fault = error));
  const nextRoom = (): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      const done = (error?: Error): void => {
        stream.off("drain", done);
        stream.off("error", done);
        room = null;
        if (error === undefined) resolve();
        else reject(error);
      };
      stream.once("drain", done);
      stream.once("error", done);
    });
  return {
    write(line) {
      if (fault === null && stream.writableLength > waitingBytesMax) {
        const problem = `the disk is too slow: more than ${waitingBytesMax} bytes wait for it`;
        fault = new TeamError("bad_file", { file: path, problem });
        stream.destroy();
      }
      if (fault !== null) return Promise.reject(fault);
      if (stream.write(`${line}\n`)) return null;
      room ??= nextRoom();
      return room;
    },
    async close() {
      if (fault !== null) throw fault;
      stream.end();
      await finished(stream);
    },
  };
}

async function openStream(path: string): Promise<WriteStream> {
  try {
    const file = await open(path, "w", 0o600);
    try {
      // The mode of `open` holds for a new file only, and a device keeps its own.
      if ((await file.stat()).isFile()) await file.chmod(0o600);
    } catch (cause) {
      await file.close();
      throw cause;
    }
    return createWriteStream("", { fd: file, encoding: "utf8" });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TeamError(
      "bad_file",
      { file: path, problem: `it cannot be written: ${problem}`, fault: "unwritable" },
      { cause },
    );
  }
}
