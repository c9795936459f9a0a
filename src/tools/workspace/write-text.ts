import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { TeamError } from "../../errors/index.ts";
import { openFile } from "./open-file.ts";
import { quietFlags } from "./open-folder.ts";
import type { Place } from "./place.ts";
import { scanFile } from "./scan-file.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";
import type { WriteLedger } from "./write-ledger.ts";

/** What a write did. */
export interface TextWritten {
  readonly path: string;
  readonly bytes: number;
  readonly created: boolean;
}

/** Names of the files that a write makes before it renames them; lists and searches leave them out. */
export const temporaryName = /^\.teamchart-[0-9a-f]{24}\.tmp$/u;

const bom = "\u{feff}";
const permissionBits = 0o777;
const anyWriteBit = 0o222;
const newFileMode = 0o666;

/** Throws unless `text` can be written at all: before any folder is made for it. */
export const checkWritable = (text: string, limits: WorkspaceLimits): void => {
  if (!text.isWellFormed())
    throw new TeamError("bad_input", { what: "text", problem: "it is not well-formed Unicode" });
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.writeBytesMax) {
    throw new TeamError("payload_too_large", { what: "text", bytes, bytesMax: limits.writeBytesMax });
  }
};

interface Version {
  readonly digest: string;
  readonly mode: number;
  readonly startsWithBom: boolean;
}

const currentVersion = async (place: Place, limits: WorkspaceLimits, signal: AbortSignal | null) => {
  const { path } = place;
  await using handle = await openFile(place.folder, place.name, path);
  if (handle === null) return null;
  const { mode } = await handle.stat();
  // Renaming over it would work all the same, but who took the write bits away meant it.
  if ((mode & anyWriteBit) === 0) {
    throw new TeamError("bad_input", { what: `the path "${path}"`, problem: "the file is read-only" });
  }
  const nothing = { fromLine: 1, lines: 1, bytesMax: 0 };
  const { digest, startsWithBom } = await scanFile(handle, nothing, {
    path,
    scanBytesMax: limits.scanBytesMax,
    signal,
  });
  return { digest, mode: mode & permissionBits, startsWithBom } satisfies Version;
};

/** Puts `content` in the place of whatever is there, in one step: a reader sees the old file or the new one. */
const replaceFile = async (place: Place, content: Buffer, mode: number | null, signal: AbortSignal | null) => {
  const { folder, name, path } = place;
  const checkInPlace = async (): Promise<void> => {
    if (!(await folder.isInPlace())) throw new TeamError("workspace_escape", { path });
  };
  await checkInPlace();
  const temporary = folder.entry(`.teamchart-${randomBytes(12).toString("hex")}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | quietFlags;
  const handle = await open(temporary, flags, mode === null ? newFileMode : 0o600);
  try {
    try {
      await handle.writeFile(content);
      if (mode !== null) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    await checkInPlace();
    await rename(temporary, folder.entry(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

/**
 * Writes `text` to `place` for `member`, or throws `write_conflict` if that would lose what another one wrote. To be
 * called with the lock of the path. Keeps the mode and the byte order mark of an existing file.
 */
export const writeText = async (
  place: Place,
  text: string,
  options: {
    readonly member: string;
    readonly ledger: WriteLedger;
    readonly limits: WorkspaceLimits;
    readonly signal: AbortSignal | null;
  },
): Promise<TextWritten> => {
  const { member, ledger, limits, signal } = options;
  const { path } = place;
  signal?.throwIfAborted();
  const current = await currentVersion(place, limits, signal);
  const other = current === null ? null : ledger.otherAuthor(member, path, current.digest);
  if (other !== null) throw new TeamError("write_conflict", { path, member: other });
  const keepBom = current?.startsWithBom === true && !text.startsWith(bom);
  const content = Buffer.from(keepBom ? bom + text : text);
  await replaceFile(place, content, current?.mode ?? null, signal);
  ledger.noteWrite(member, path, createHash("sha256").update(content).digest("base64"));
  return { path, bytes: content.length, created: current === null };
};
