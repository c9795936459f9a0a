import { constants, type Stats } from "node:fs";
import { lstat, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "./system-error.ts";

/**
 * How an entry of an open folder is addressed. `handle`: through the open folder itself (`/proc/self/fd/N/name`), so that
 * nothing done to the path above it matters. `path`: by its path, checked again after use, where there is no /proc.
 */
export type Addressing = "handle" | "path";

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Flags that open a file only if it is no link, and that never wait for a writer or take over a terminal. */
export const quietFlags = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * A folder of the workspace that is held open. Entries are reached by one plain name at a time and a link is never
 * followed, so a folder can only lead to what is really below it.
 */
export class OpenFolder implements AsyncDisposable {
  readonly names: readonly string[];
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #addressing: Addressing;

  private constructor(handle: FileHandle, path: string, names: readonly string[], addressing: Addressing) {
    this.#handle = handle;
    this.#path = path;
    this.names = names;
    this.#addressing = addressing;
  }

  /** Opens the root, given by its real path. */
  static async openRoot(root: string, addressing: Addressing): Promise<OpenFolder> {
    return new OpenFolder(await open(root, folderFlags), root, [], addressing);
  }

  /** Opens a folder in this one. Fails with ELOOP or ENOTDIR if it is a link. */
  async openChild(name: string): Promise<OpenFolder> {
    const handle = await open(this.entry(name), folderFlags);
    return new OpenFolder(handle, join(this.#path, name), [...this.names, name], this.#addressing);
  }

  /** What to hand to node:fs for the entry `name`; `"."` is the folder itself. */
  entry(name: string): string {
    return `${this.#addressing === "handle" ? `/proc/self/fd/${this.#handle.fd}` : this.#path}/${name}`;
  }

  /** The attributes of an entry, of a link itself if it is one; null if there is none. */
  async look(name: string): Promise<Stats | null> {
    try {
      return await lstat(this.entry(name));
    } catch (error) {
      if (systemCode(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** Whether the open folder still is where it was opened, with no link on the way: false once it was moved or swapped. */
  async isInPlace(): Promise<boolean> {
    try {
      if (this.#addressing === "handle") return (await readlink(`/proc/self/fd/${this.#handle.fd}`)) === this.#path;
      const [there, here] = await Promise.all([lstat(this.#path), this.#handle.stat()]);
      return there.ino === here.ino && there.dev === here.dev && (await realpath(this.#path)) === this.#path;
    } catch (error) {
      if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return false;
      throw error;
    }
  }

  /** Whether an opened file, of these attributes, really is the entry `name` of this folder. */
  async isEntry(name: string, opened: Stats): Promise<boolean> {
    if (!(await this.isInPlace())) return false;
    // Through the handle it cannot be another one.
    if (this.#addressing === "handle") return true;
    const now = await this.look(name);
    return now !== null && now.ino === opened.ino && now.dev === opened.dev;
  }

  /** Releases the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

/** The safest addressing that works for `root` on this system. */
export const addressingFor = async (root: string): Promise<Addressing> => {
  await using folder = await OpenFolder.openRoot(root, "handle");
  return (await folder.isInPlace()) ? "handle" : "path";
};
