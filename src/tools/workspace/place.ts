import type { Stats } from "node:fs";
import { mkdir, readlink } from "node:fs/promises";
import { TeamError } from "../../errors/index.ts";
import { OpenFolder, type Addressing } from "./open-folder.ts";
import { fileError, systemCode } from "./system-error.ts";
import { namesBelow, type WorkspacePath } from "./workspace-path.ts";

/** Where a workspace lies: its real root, every spelling of it that absolute paths may use, and how entries are reached. */
export interface WorkspaceRoot {
  readonly path: string;
  readonly spellings: readonly string[];
  readonly addressing: Addressing;
}

/** An entry of the workspace after all links: its folder, held open, and its name in it. */
export interface Place {
  readonly folder: OpenFolder;
  /** The name in `folder`; `"."` when the place is that folder itself. */
  readonly name: string;
  /** The real path relative to the root, `"."` for the root: the same for every link to it. */
  readonly path: string;
  /** What is there, never a link; null for nothing. */
  readonly stats: Stats | null;
}

const linksMax = 40;
// Every folder on the way is held open; this keeps one deep tree from using up all file handles.
const foldersMax = 256;

/** The walk from the root to one place. Links are followed by hand, so that nothing outside is ever looked at. */
class Walk implements AsyncDisposable {
  readonly #root: WorkspaceRoot;
  readonly #given: string;
  readonly #folders: OpenFolder[];
  readonly #follows: boolean;
  #pending: string[];
  #links = 0;
  // While at least so many names are pending, the current one comes from the text of a link.
  #ownNames = Number.POSITIVE_INFINITY;

  private constructor(root: WorkspaceRoot, path: WorkspacePath, first: OpenFolder, follows: boolean) {
    this.#root = root;
    this.#follows = follows;
    this.#given = path.given;
    this.#folders = [first];
    this.#pending = [...path.names];
  }

  static async start(root: WorkspaceRoot, path: WorkspacePath, follows: boolean): Promise<Walk> {
    return new Walk(root, path, await OpenFolder.openRoot(root.path, root.addressing), follows);
  }

  /** Where the path leads, as far as there is anything: the names that are still to come into being stand behind that. */
  async locate(): Promise<string> {
    for (let name = this.#pending.shift(); name !== undefined; name = this.#pending.shift()) {
      if (name === "..") {
        await this.#leaveFolder();
        continue;
      }
      const stats = await this.#top.look(name);
      if (stats?.isSymbolicLink() === true) {
        await this.#follow(name);
        continue;
      }
      if (stats === null) this.#refuseDangling();
      if (stats === null || this.#pending.length === 0) return [...this.#top.names, name, ...this.#pending].join("/");
      await this.#enter(name, stats, false);
    }
    return this.#top.names.length === 0 ? "." : this.#top.names.join("/");
  }

  /** Goes to the end. With `create`, missing folders on the way are made. */
  async finish(create: boolean): Promise<Place> {
    for (let name = this.#pending.shift(); name !== undefined; name = this.#pending.shift()) {
      if (name === "..") {
        await this.#leaveFolder();
        continue;
      }
      const stats = await this.#top.look(name);
      if (stats?.isSymbolicLink() === true) await this.#follow(name);
      else if (this.#pending.length === 0) return this.#place(name, stats, create);
      else await this.#enter(name, stats, create);
    }
    return this.#place(".", await this.#top.look("."), false);
  }

  get #top(): OpenFolder {
    // The root is never popped, so there always is one.
    return this.#folders.at(-1) as OpenFolder;
  }

  #place(name: string, stats: Stats | null, create: boolean): Place {
    if (stats === null && create) this.#refuseDangling();
    const names = name === "." ? this.#top.names : [...this.#top.names, name];
    return { folder: this.#top, name, path: names.length === 0 ? "." : names.join("/"), stats };
  }

  async #enter(name: string, stats: Stats | null, create: boolean): Promise<void> {
    if (stats === null) {
      if (!create) throw new TeamError("missing_path", { path: this.#given });
      this.#refuseDangling();
      await this.#makeFolder(name);
    }
    if (this.#folders.length >= foldersMax) throw this.#bad(`it is more than ${foldersMax} folders deep`);
    this.#folders.push(await this.#top.openChild(name));
  }

  async #makeFolder(name: string): Promise<void> {
    try {
      if (!(await this.#top.isInPlace())) throw new TeamError("workspace_escape", { path: this.#given });
      await mkdir(this.#top.entry(name));
    } catch (error) {
      // Another write made it a moment ago.
      if (systemCode(error) !== "EEXIST") throw error;
    }
  }

  async #leaveFolder(): Promise<void> {
    if (this.#folders.length === 1) throw new TeamError("workspace_escape", { path: this.#given });
    await this.#folders.pop()?.[Symbol.asyncDispose]();
  }

  async #follow(name: string): Promise<void> {
    if (!this.#follows) throw new TeamError("workspace_escape", { path: this.#given });
    this.#links += 1;
    if (this.#links > linksMax) throw this.#bad("its links lead in a circle");
    const target = await readlink(this.#top.entry(name));
    this.#ownNames = Math.min(this.#ownNames, this.#pending.length);
    const names = target.startsWith("/") ? namesBelow(this.#root.spellings, target) : target.split("/");
    if (names === null) throw new TeamError("workspace_escape", { path: this.#given });
    if (target.startsWith("/")) while (this.#folders.length > 1) await this.#leaveFolder();
    this.#pending = [...names.filter((part) => part !== "" && part !== "."), ...this.#pending];
  }

  /** A write through a link that leads nowhere would create what the link names, not what the caller named. */
  #refuseDangling(): void {
    if (this.#pending.length < this.#ownNames) return;
    throw this.#bad("it is a link that leads nowhere");
  }

  #bad(problem: string): TeamError {
    return new TeamError("bad_input", { what: `the path "${this.#given}"`, problem });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of this.#folders.toReversed()) await folder[Symbol.asyncDispose]();
  }
}

/**
 * Finds the place that `path` means and hands it to `use`, with its folder held open meanwhile.
 *
 * Throws `workspace_escape` as soon as a link would lead out of the root, before anything there is looked at: not even
 * whether something exists outside can be learned. Without `follow` any link is refused so.
 */
export const withPlace = async <Result>(
  root: WorkspaceRoot,
  path: WorkspacePath,
  options: { readonly create: boolean; readonly follow: boolean },
  use: (place: Place) => Promise<Result>,
): Promise<Result> => {
  try {
    await using walk = await Walk.start(root, path, options.follow);
    return await use(await walk.finish(options.create));
  } catch (error) {
    throw fileError(error, path.given);
  }
};

/** The real path that `path` means, relative to the root and after all links; what is not there yet stands as it is named. */
export const locatePlace = async (root: WorkspaceRoot, path: WorkspacePath): Promise<string> => {
  try {
    await using walk = await Walk.start(root, path, true);
    return await walk.locate();
  } catch (error) {
    throw fileError(error, path.given);
  }
};
