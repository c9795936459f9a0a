import { TeamError } from "../../errors/index.ts";
import { scanFolders, type ScannedEntry, type ScanRest } from "./folder-scan.ts";
import { literalMatcher, type LineMatcher } from "./line-matcher.ts";
import { hiddenNote, restNotes } from "./list-entries.ts";
import { openFile } from "./open-file.ts";
import type { OpenFolder } from "./open-folder.ts";
import type { Place, WorkspaceRoot } from "./place.ts";
import { regexMatcher } from "./regex-matcher.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";

/** One matching line; a long one is shown around its first match. */
export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a search found. */
export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  readonly filesSearched: number;
  /** Whether everything asked for was searched; false when the time or an entry limit ended it. */
  readonly isComplete: boolean;
  /** What is not shown or was not searched; null if nothing. */
  readonly note: string | null;
}

/** What a search looks for. */
export interface SearchQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
}

interface SearchOptions {
  readonly limits: WorkspaceLimits;
  readonly signal: AbortSignal | null;
  /** Which files may be searched; null = all. */
  readonly shows: ((path: string) => boolean) | null;
}

const matcherFor = ({ pattern, isRegex }: SearchQuery, limits: WorkspaceLimits): LineMatcher => {
  const bad = (problem: string) => new TeamError("bad_input", { what: "pattern", problem });
  if (pattern === "") throw bad("it is empty");
  if (pattern.length > limits.patternCharsMax) throw bad(`it has more than ${limits.patternCharsMax} characters`);
  if (isRegex) return regexMatcher(pattern);
  if (/[\n\r]/u.test(pattern)) throw bad("a search looks at one line at a time; leave out the line break");
  return literalMatcher(pattern);
};

/** One search on its way: what it has found and passed over so far. */
class Search {
  readonly #matcher: LineMatcher;
  readonly #limits: WorkspaceLimits;
  readonly #matches: SearchMatch[] = [];
  #bytesLeft: number;
  #more = 0;
  #filesSearched = 0;
  #binary = 0;
  #tooLarge = 0;
  #unreadable = 0;
  #hidden = 0;
  readonly #shows: SearchOptions["shows"];

  constructor(matcher: LineMatcher, { limits, shows }: Pick<SearchOptions, "limits" | "shows">) {
    this.#matcher = matcher;
    this.#limits = limits;
    this.#shows = shows;
    this.#bytesLeft = limits.fileBytesMax;
  }

  async searchFile(folder: OpenFolder, name: string, path: string, signal: AbortSignal): Promise<void> {
    if (this.#shows?.(path) === false) {
      this.#hidden += 1;
      return;
    }
    const text = await this.#textOf(folder, name, path);
    signal.throwIfAborted();
    if (text === null) return;
    const { lines, count } = await this.#matcher.match(
      text,
      this.#limits.searchMatchesMax - this.#matches.length,
      signal,
    );
    this.#filesSearched += 1;
    let shown = 0;
    for (const { line, text: lineText } of lines) {
      this.#bytesLeft -= Buffer.byteLength(lineText) + Buffer.byteLength(path);
      if (this.#bytesLeft < 0) break;
      this.#matches.push({ path, line, text: lineText });
      shown += 1;
    }
    this.#more += count - shown;
  }

  async #textOf(folder: OpenFolder, name: string, path: string): Promise<string | null> {
    try {
      await using handle = await openFile(folder, name, path);
      if (handle === null) return null;
      const { size } = await handle.stat();
      if (size > this.#limits.searchFileBytesMax) {
        this.#tooLarge += 1;
        return null;
      }
      const bytes = await handle.readFile();
      if (!bytes.includes(0)) return bytes.toString("utf8");
      this.#binary += 1;
      return null;
    } catch {
      // It vanished, may not be read or was swapped while the search was on its way: said in the note, not a failure.
      this.#unreadable += 1;
      return null;
    }
  }

  result(rest: ScanRest | null): SearchResult {
    const notes: string[] = [];
    const { searchMs, searchFileBytesMax } = this.#limits;
    if (rest === null) {
      notes.push(`Stopped after ${searchMs} ms: not everything was searched. Name a path, or use a simpler pattern.`);
    }
    if (rest?.isPartial === true) notes.push("There are too many files: not everything was searched. Name a path.");
    if (this.#more > 0) notes.push(`${this.#more} more matching lines are not shown.`);
    if (this.#binary > 0) notes.push(`${this.#binary} binary files were left out.`);
    if (this.#tooLarge > 0) notes.push(`${this.#tooLarge} files above ${searchFileBytesMax} bytes were left out.`);
    if (this.#unreadable > 0) notes.push(`${this.#unreadable} files could not be read.`);
    if (rest !== null && rest.deeper > 0) notes.push(`${rest.deeper} folders are too deep and were not searched.`);
    if (rest !== null) notes.push(...restNotes(rest));
    if (this.#hidden > 0) notes.push(hiddenNote(this.#hidden));
    return {
      matches: this.#matches,
      filesSearched: this.#filesSearched,
      isComplete: rest !== null && !rest.isPartial && rest.deeper === 0,
      note: notes.length === 0 ? null : notes.join(" "),
    };
  }
}

const scanPlace = async (
  root: WorkspaceRoot,
  place: Place,
  limits: WorkspaceLimits,
  signal: AbortSignal,
  search: Search,
): Promise<ScanRest> => {
  const { path, stats, folder, name } = place;
  if (stats?.isDirectory() !== true) {
    await search.searchFile(folder, name, path, signal);
    return { isPartial: false, skipped: [], unreadable: 0, deeper: 0 };
  }
  const visit = async (entry: ScannedEntry): Promise<boolean> => {
    if (entry.type === "file") await search.searchFile(entry.folder, entry.name, entry.path, signal);
    return true;
  };
  const start = { names: path === "." ? [] : path.split("/"), depth: limits.depthMax };
  return scanFolders(root, start, { scanEntriesMax: limits.scanEntriesMax, signal }, visit);
};

/** Searches the file at `place`, or every file below it, line by line. Ends after `searchMs` with what it has. */
export const searchFiles = async (
  root: WorkspaceRoot,
  place: Place,
  query: SearchQuery,
  { limits, signal, shows }: SearchOptions,
): Promise<SearchResult> => {
  const { stats, path } = place;
  if (stats === null) throw new TeamError("missing_path", { path });
  if (!stats.isDirectory() && !stats.isFile()) {
    throw new TeamError("bad_input", { what: `the path "${path}"`, problem: "it is no regular file or folder" });
  }
  await using matcher = matcherFor(query, limits);
  const search = new Search(matcher, { limits, shows });
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), limits.searchMs);
  const stop = signal === null ? timeUp.signal : AbortSignal.any([signal, timeUp.signal]);
  try {
    return search.result(await scanPlace(root, place, limits, stop, search));
  } catch (error) {
    signal?.throwIfAborted();
    if (!timeUp.signal.aborted) throw error;
    return search.result(null);
  } finally {
    clearTimeout(timer);
  }
};
