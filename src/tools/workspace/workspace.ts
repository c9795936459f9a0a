import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { TeamError } from "../../errors/index.ts";
import { listEntries, type Listing } from "./list-entries.ts";
import { addressingFor, type Addressing } from "./open-folder.ts";
import { ownFolder } from "./own-folder.ts";
import { PathLock } from "./path-lock.ts";
import { locatePlace, withPlace, type Place, type WorkspaceRoot } from "./place.ts";
import { readText, type BinaryRead, type TextRead } from "./read-text.ts";
import { searchFiles, type SearchResult } from "./search-files.ts";
import { systemCode } from "./system-error.ts";
import { defaultWorkspaceLimits, type WorkspaceLimits } from "./workspace-limits.ts";
import { parseWorkspacePath } from "./workspace-path.ts";
import { WriteLedger } from "./write-ledger.ts";
import { checkWritable, writeText, type TextWritten } from "./write-text.ts";

/** Every call can be ended early: it then rejects with the reason of the signal. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The workspace as one member sees it: the four operations that never leave the root. Paths are relative to the root;
 * absolute ones must lie inside it. Refusals are TeamErrors (`workspace_escape`, `missing_path`, `bad_input`,
 * `write_conflict`, `payload_too_large`).
 */
export interface WorkspaceView {
  readonly member: string;
  /** The real path of the root, for code that works with the files itself. Nothing confines such code. */
  readonly root: string;
  readonly limits: WorkspaceLimits;
  /** What the root or the folder `path` holds, `depth` levels deep (default 1). */
  list(
    query?: { readonly path?: string | undefined; readonly depth?: number | undefined } & Abortable,
  ): Promise<Listing>;
  /** A text file, or lines of it. From then on this member knows this version of the file. */
  read(
    path: string,
    range?: { readonly fromLine?: number | undefined; readonly lines?: number | undefined } & Abortable,
  ): Promise<TextRead | BinaryRead>;
  /** Writes a whole file, with its folders. Refused if another one changed the file since this member read it. */
  write(path: string, text: string, options?: Abortable): Promise<TextWritten>;
  /** Lines that contain `pattern`, or match it as a JavaScript regular expression. */
  search(
    query: {
      readonly pattern: string;
      readonly path?: string | undefined;
      readonly isRegex?: boolean | undefined;
    } & Abortable,
  ): Promise<SearchResult>;
}

/** What a view is held to beside the root: every path must be the real one, since that is the one that was judged. */
export interface ViewBounds {
  /** Whether a listing shows the entry, and a search the file, at this real path. */
  readonly shows: (tool: "list_files" | "search_text", path: string) => boolean;
}

/** A folder that the members of a session share. It keeps who knows which version of which file. */
export interface Workspace {
  /** The real path of the root. */
  readonly root: string;
  readonly limits: WorkspaceLimits;
  /** How files are reached; `"path"` leaves a moment in which another process could swap a folder for a link. */
  readonly addressing: Addressing;
  /** The view of one member. Views of the same name share what they have read. */
  for(memberName: string, bounds?: ViewBounds): WorkspaceView;
  /** The real path, relative to the root, that `path` means after all links; for one that can come into being too. */
  locate(path: string, options: { readonly mayCreate: boolean }): Promise<string>;
}

/** What `openWorkspace` needs. */
export interface WorkspaceOptions {
  readonly root: string;
  readonly limits?: Partial<WorkspaceLimits>;
  /** Reach files by path even where they could be reached through open folders, which is safer. Default: the safest. */
  readonly addressing?: Addressing;
}

/** What all views of one workspace share. */
interface Shared {
  readonly root: WorkspaceRoot;
  readonly limits: WorkspaceLimits;
  readonly ledger: WriteLedger;
  readonly locks: PathLock;
}

class MemberView implements WorkspaceView {
  readonly member: string;
  readonly #shared: Shared;
  readonly #bounds: ViewBounds | null;

  constructor(member: string, shared: Shared, bounds: ViewBounds | null) {
    this.member = member;
    this.#shared = shared;
    this.#bounds = bounds;
  }

  get root(): string {
    return this.#shared.root.path;
  }

  get limits(): WorkspaceLimits {
    return this.#shared.limits;
  }

  async list({ path = ".", depth, signal }: Parameters<WorkspaceView["list"]>[0] = {}): Promise<Listing> {
    const { root, limits } = this.#shared;
    const options = { depth: depth ?? null, limits, signal: signal ?? null, shows: this.#shows("list_files") };
    return this.#at(path, signal, (place) => listEntries(root, place, options));
  }

  async read(path: string, { fromLine, lines, signal }: Parameters<WorkspaceView["read"]>[1] = {}) {
    const { limits, ledger } = this.#shared;
    const options = { fromLine: fromLine ?? null, lines: lines ?? null, limits, signal: signal ?? null };
    return this.#at(path, signal, async (place) => {
      const { read, digest } = await readText(place, options);
      ledger.noteRead(this.member, place.path, digest);
      return read;
    });
  }

  async write(path: string, text: string, { signal }: Abortable = {}): Promise<TextWritten> {
    const { root, limits, ledger, locks } = this.#shared;
    const parsed = parseWorkspacePath(path, { roots: root.spellings, mayCreate: true });
    checkWritable(text, limits);
    signal?.throwIfAborted();
    const options = { member: this.member, ledger, limits, signal: signal ?? null };
    refuseReserved(parsed.names, path);
    return withPlace(root, parsed, { create: true, follow: this.#bounds === null }, (place) => {
      // A link may have led there.
      refuseReserved(place.path.split("/"), path);
      return locks.run(place.path, () => writeText(place, text, options));
    });
  }

  async search({ pattern, path = ".", isRegex = false, signal }: Parameters<WorkspaceView["search"]>[0]) {
    const { root, limits } = this.#shared;
    const options = { limits, signal: signal ?? null, shows: this.#shows("search_text") };
    return this.#at(path, signal, (place) => searchFiles(root, place, { pattern, isRegex }, options));
  }

  #shows(tool: "list_files" | "search_text"): ((path: string) => boolean) | null {
    const bounds = this.#bounds;
    return bounds === null ? null : (path) => bounds.shows(tool, path);
  }

  async #at<Result>(path: string, signal: AbortSignal | undefined, use: (place: Place) => Promise<Result>) {
    const { root } = this.#shared;
    const parsed = parseWorkspacePath(path, { roots: root.spellings, mayCreate: false });
    signal?.throwIfAborted();
    return withPlace(root, parsed, { create: false, follow: this.#bounds === null }, use);
  }
}

/** Folders whose files the workspace never writes, and why. */
const reserved: ReadonlyMap<string, string> = new Map([
  // What stands there makes git run programs, of whoever uses it next. Writing files must not be a way to run programs.
  [".git", "what is in .git belongs to git, and is changed by git alone"],
  // Sessions, and worktrees of others. Whoever works in a worktree has a root of its own below it.
  [ownFolder, `what is in ${ownFolder} belongs to Teamchart: sessions, and the worktrees of members`],
]);

/** Throws for a path at or below a folder that is reserved, at any depth: commands may have been run in any folder. */
const refuseReserved = (names: readonly string[], given: string): void => {
  for (const name of names) {
    const problem = reserved.get(name.toLowerCase());
    if (problem !== undefined) throw new TeamError("bad_input", { what: `the path "${given}"`, problem });
  }
};

const checkedLimits = (given: Partial<WorkspaceLimits>): WorkspaceLimits => {
  const limits = { ...defaultWorkspaceLimits, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in defaultWorkspaceLimits))
      throw new TeamError("bad_input", { what: "limits", problem: `no limit is called ${name}` });
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new TeamError("bad_input", { what: `limits.${name}`, problem: `${value} is no whole number from 0 on` });
    }
  }
  return Object.freeze(limits);
};

const realRoot = async (root: string): Promise<string> => {
  try {
    const path = await realpath(root);
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      throw new TeamError("missing_path", { path: root, isWorkspace: true }, { cause: error });
    }
    throw error;
  }
  throw new TeamError("bad_input", { what: `the workspace "${root}"`, problem: "it is no folder" });
};

/**
 * Opens the folder `root` as the workspace of a session. Throws `missing_path` if there is none, `bad_input` if it is
 * no folder or a limit is no whole number.
 *
 * What members have read and written is kept in memory: it is forgotten with the workspace, and another process that
 * writes to the same folder counts as somebody outside the team.
 */
export const openWorkspace = async (options: WorkspaceOptions): Promise<Workspace> => {
  const limits = checkedLimits(options.limits ?? {});
  const path = await realRoot(options.root);
  const addressing = options.addressing ?? (await addressingFor(path));
  const root = { path, spellings: [path, resolve(options.root)], addressing };
  const ledger = new WriteLedger({ filesRememberedMax: limits.filesRememberedMax });
  const shared: Shared = { root, limits, ledger, locks: new PathLock() };
  return Object.freeze({
    root: path,
    limits,
    addressing,
    for: (memberName: string, bounds?: ViewBounds) => new MemberView(memberName, shared, bounds ?? null),
    locate: (given: string, { mayCreate }: { readonly mayCreate: boolean }) =>
      locatePlace(root, parseWorkspacePath(given, { roots: root.spellings, mayCreate })),
  });
};
