import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { TeamError } from "../../errors/index.ts";
import { quietFlags, type OpenFolder } from "./open-folder.ts";
import { fileError } from "./system-error.ts";

// A file that another member replaces just now is another one at the second look; that cannot go on for long.
const attemptsMax = 5;

const openOnce = async (folder: OpenFolder, name: string, path: string): Promise<FileHandle | "changed" | null> => {
  const refuse = (problem: string): never => {
    throw new TeamError("bad_input", { what: `the path "${path}"`, problem });
  };
  const before = await folder.look(name);
  if (before === null) return null;
  if (before.isDirectory()) return refuse("it is a folder; list_files shows what is in it");
  // Opening a device can have effects of its own, so this is asked before the opening as well.
  if (!before.isFile() && !before.isSymbolicLink()) return refuse("it is no regular file");
  const handle = await open(folder.entry(name), constants.O_RDONLY | quietFlags);
  let isRight = false;
  try {
    const opened = await handle.stat();
    isRight = opened.isFile() && (await folder.isEntry(name, opened));
  } finally {
    if (!isRight) await handle.close();
  }
  return isRight ? handle : "changed";
};

/**
 * Opens the regular file `name` of `folder` for reading; null if there is nothing. Never follows a link, never waits
 * for the other end of a pipe, and refuses folders, pipes, sockets and devices.
 */
export const openFile = async (folder: OpenFolder, name: string, path: string): Promise<FileHandle | null> => {
  try {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const opened = await openOnce(folder, name, path);
      if (opened !== "changed") return opened;
    }
  } catch (error) {
    throw fileError(error, path);
  }
  throw new TeamError("workspace_escape", { path });
};
