import { TeamError } from "../../errors/index.ts";
import { scanFolders, type EntryType, type ScannedEntry, type ScanRest } from "./folder-scan.ts";
import type { Place, WorkspaceRoot } from "./place.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";

/** One entry of a list. */
export interface ListedEntry {
  readonly path: string;
  readonly type: EntryType;
  /** Size of a file, null for anything else. */
  readonly bytes: number | null;
}

/** What a folder of the workspace holds, shallow entries first, sorted by name within a folder. */
export interface Listing {
  readonly path: string;
  readonly entries: readonly ListedEntry[];
  /** What is not shown, and why; null if everything is. */
  readonly note: string | null;
}

const namedMax = 5;

/** The sentences about what a scan left out, for the note of a result. */
export const restNotes = (rest: ScanRest): string[] => {
  const notes: string[] = [];
  const [named, more] = [rest.skipped.slice(0, namedMax).join(", "), rest.skipped.length - namedMax];
  if (rest.skipped.length > 0) {
    notes.push(`Not looked into: ${named}${more > 0 ? ` and ${more} more` : ""}; name one as path to do so.`);
  }
  if (rest.unreadable > 0) notes.push(`${rest.unreadable} folders could not be read.`);
  return notes;
};

/** The sentence about entries that the caller may not see. */
export const hiddenNote = (count: number): string => `${count} entries that you may not see were left out.`;

const checkedDepth = (depth: number | null, depthMax: number): number => {
  const value = depth ?? 1;
  if (Number.isSafeInteger(value) && value >= 1 && value <= depthMax) return value;
  throw new TeamError("bad_input", { what: "depth", problem: `${value} is not between 1 and ${depthMax}` });
};

/** Lists the folder at `place`, or the one file there. */
export const listEntries = async (
  root: WorkspaceRoot,
  place: Place,
  options: {
    readonly depth: number | null;
    readonly limits: WorkspaceLimits;
    readonly signal: AbortSignal | null;
    /** Which entries may be shown; null = all. */
    readonly shows: ((path: string) => boolean) | null;
  },
): Promise<Listing> => {
  const { limits, signal, shows } = options;
  const { path, stats } = place;
  const depth = checkedDepth(options.depth, limits.depthMax);
  if (stats === null) throw new TeamError("missing_path", { path });
  if (stats.isFile()) return { path, entries: [{ path, type: "file", bytes: stats.size }], note: null };
  if (!stats.isDirectory())
    throw new TeamError("bad_input", { what: `the path "${path}"`, problem: "it is no regular file or folder" });

  const entries: ListedEntry[] = [];
  let [more, hidden, bytesLeft] = [0, 0, limits.fileBytesMax];
  const visit = async ({ folder, name, path: entryPath, type }: ScannedEntry): Promise<boolean> => {
    if (shows?.(entryPath) === false) {
      hidden += 1;
      return true;
    }
    bytesLeft -= Buffer.byteLength(entryPath);
    if (entries.length >= limits.listEntriesMax || bytesLeft < 0) {
      more += 1;
      return true;
    }
    const bytes = type === "file" ? ((await folder.look(name))?.size ?? null) : null;
    entries.push({ path: entryPath, type, bytes });
    return true;
  };
  const names = path === "." ? [] : path.split("/");
  const rest = await scanFolders(root, { names, depth }, { scanEntriesMax: limits.scanEntriesMax, signal }, visit);
  const notes = restNotes(rest);
  if (rest.isPartial) notes.unshift(`At least ${more + 1} more entries are not shown: there are too many to count.`);
  else if (more > 0) notes.unshift(`${more} more entries are not shown; list a folder below instead.`);
  if (hidden > 0) notes.push(hiddenNote(hidden));
  return { path, entries, note: notes.length === 0 ? null : notes.join(" ") };
};
