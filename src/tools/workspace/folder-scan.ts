import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { OpenFolder } from "./open-folder.ts";
import type { WorkspaceRoot } from "./place.ts";
import { systemCode } from "./system-error.ts";
import { temporaryName } from "./write-text.ts";

/** What an entry of a folder is; a link is only named, never followed. */
export type EntryType = "file" | "folder" | "link" | "other";

/** One entry of a folder that is held open while it is visited. */
export interface ScannedEntry {
  readonly folder: OpenFolder;
  readonly name: string;
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly type: EntryType;
}

/** What a scan left out. */
export interface ScanRest {
  /** Whether it stopped at `scanEntriesMax`. */
  readonly isPartial: boolean;
  /** Paths of folders that are not descended into unless named. */
  readonly skipped: readonly string[];
  /** Folders that could not be opened, or vanished meanwhile. */
  readonly unreadable: number;
  /** Folders at the end of the depth asked for, not descended into. */
  readonly deeper: number;
}

// Large, and hardly ever what a member works on: `.teamchart` may hold whole copies of all else. Naming one as `path` looks
// into it.
const skippedFolders: ReadonlySet<string> = new Set([".git", ".teamchart", "node_modules"]);

const typeOf = (entry: Dirent): EntryType => {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
};

const openAt = async (root: WorkspaceRoot, names: readonly string[]): Promise<OpenFolder> => {
  let folder = await OpenFolder.openRoot(root.path, root.addressing);
  for (const name of names) {
    const parent = folder;
    try {
      folder = await parent.openChild(name);
    } finally {
      await parent[Symbol.asyncDispose]();
    }
  }
  return folder;
};

const isGone = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENAMETOOLONG"].includes(systemCode(error) ?? "");

/**
 * Visits what is below a folder, breadth first, each folder sorted by name. `visit` answers whether to go on.
 *
 * The first folder must open; further ones that do not are counted.
 */
export const scanFolders = async (
  root: WorkspaceRoot,
  start: { readonly names: readonly string[]; readonly depth: number },
  options: { readonly scanEntriesMax: number; readonly signal: AbortSignal | null },
  visit: (entry: ScannedEntry) => Promise<boolean>,
): Promise<ScanRest> => {
  const queue = [{ names: start.names, depth: start.depth }];
  const skipped: string[] = [];
  let [left, unreadable, deeper, isPartial] = [options.scanEntriesMax, 0, 0, false];

  const visitFolder = async (names: readonly string[], depth: number): Promise<boolean> => {
    await using folder = await openAt(root, names);
    const entries: Dirent[] = [];
    for await (const entry of await opendir(folder.entry("."))) {
      options.signal?.throwIfAborted();
      if (temporaryName.test(entry.name)) continue;
      left -= 1;
      isPartial ||= left < 0;
      if (left < 0) break;
      entries.push(entry);
    }
    if (!(await folder.isInPlace())) {
      unreadable += 1;
      return !isPartial;
    }
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      options.signal?.throwIfAborted();
      const [type, path] = [typeOf(entry), [...names, entry.name].join("/")];
      if (!(await visit({ folder, name: entry.name, path, type }))) return false;
      if (type !== "folder") continue;
      if (depth <= 1) deeper += 1;
      else if (skippedFolders.has(entry.name)) skipped.push(path);
      else queue.push({ names: [...names, entry.name], depth: depth - 1 });
    }
    return !isPartial;
  };

  // The queue grows while it is read.
  for (const { names, depth } of queue) {
    try {
      if (!(await visitFolder(names, depth))) break;
    } catch (error) {
      if (names === start.names || !isGone(error)) throw error;
      unreadable += 1;
    }
  }
  return { isPartial, skipped, unreadable, deeper };
};
