import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository: its path from the root, with slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The root of this repository. */
export const ROOT = join(import.meta.dirname, "../../..");

/** Files made to be wrong, for the analysers and the command line to find out. */
const isFixture = (path: string): boolean => /^(test\/fixtures|test\/cli\/fixtures)\//.test(path);

/** Every file that git tracks or would track, without fixtures. */
export function listRepository(): readonly string[] {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  const paths = listing.toString().split("\0").filter(Boolean);
  // A deleted file is listed until the deletion is staged, and a linked folder is listed as a file.
  const isFile = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile();
  return paths.filter((path) => !isFixture(path) && isFile(path));
}

/** Every text file of the repository, without fixtures. */
export const readRepository = (): readonly SourceFile[] =>
  listRepository()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }))
    .filter(({ text }) => !text.includes("\0"));

/** Whether this is a TypeScript module of src. */
export const isSource = ({ path }: SourceFile): boolean => /^src\/.*\.tsx?$/.test(path);

/** `path:line` of an offset in a file. */
export const placeOf = (file: SourceFile, offset: number): string =>
  `${file.path}:${file.text.slice(0, offset).split("\n").length}`;
