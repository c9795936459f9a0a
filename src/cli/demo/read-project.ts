import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { TeamError } from "../../errors/index.ts";
import { compareTexts } from "./finding.ts";
import { listFiles } from "./list-files.ts";
import { isParsedLanguage, languageOf, type SourceFile } from "./source-file.ts";

/** A file that was not read, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/** Limits of `readProject`. */
export interface ReadOptions {
  /** At most so many files are read: sources first, then the rest. */
  readonly filesMax: number;
  /** Larger files are skipped. */
  readonly fileBytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

/** The files of a folder and what was left out, both by path. */
export interface ReadProject {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedFile[];
}

/** Files opened at a time. */
const CONCURRENCY = 16;

/** Pictures, archives and the like: known by name, so that they do not count against the limit of files. */
const BINARY_NAMES =
  /\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|7z|tar|jar|war|class|so|dylib|dll|exe|bin|wasm|node|woff2?|ttf|otf|eot|mp[34]|m4a|mov|avi|webm|ogg|wav|flac|sqlite3?|db|parquet|pyc|o|a|psd|sketch|icns)$/i;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";

const rootOf = async (dir: string): Promise<string> => {
  try {
    const root = await realpath(dir);
    if ((await lstat(root)).isDirectory()) return root;
  } catch (error) {
    throw new TeamError("bad_input", { what: dir, problem: `cannot be read (${codeOf(error)})` }, { cause: error });
  }
  throw new TeamError("bad_input", { what: dir, problem: "is no folder" });
};

const decode = (bytes: Uint8Array): string | null => {
  if (bytes.subarray(0, 8_192).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the caller reports the file as skipped.
    return null;
  }
};

/** The bytes of a regular file inside `root`, or why it is not read. Nothing is followed and nothing waited for. */
const readBytes = async (root: string, path: string, bytesMax: number): Promise<Uint8Array | string> => {
  const place = join(root, ...path.split("/"));
  const found = await lstat(place);
  if (found.isSymbolicLink()) return "symbolic link";
  if (found.isDirectory()) return "git submodule";
  if (!found.isFile()) return "no regular file";
  if (found.size > bytesMax) return `larger than the limit of ${bytesMax} bytes (${found.size})`;
  // A folder on the way may be a link even when the file is none.
  if ((await realpath(place)) !== place) return "behind a symbolic link";
  await using file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const now = await file.stat();
  if (!now.isFile() || now.size > bytesMax) return "changed while it was read";
  const bytes = new Uint8Array(now.size);
  const { bytesRead } = await file.read(bytes, 0, now.size, 0);
  return bytes.subarray(0, bytesRead);
};

const readOne = async (root: string, path: string, bytesMax: number): Promise<SourceFile | SkippedFile> => {
  try {
    const bytes = await readBytes(root, path, bytesMax);
    if (typeof bytes === "string") return { path, reason: bytes };
    const text = decode(bytes);
    return text === null ? { path, reason: "binary, or not UTF-8" } : { path, text, language: languageOf(path, text) };
  } catch (error) {
    const code = codeOf(error);
    return { path, reason: code === "ENOENT" ? "not there: deleted, or an odd name" : `cannot be read (${code})` };
  }
};

/** Sources before everything else, so that a limit cuts off what matters least. */
const bySource = (a: string, b: string): number =>
  Number(isParsedLanguage(languageOf(b, ""))) - Number(isParsedLanguage(languageOf(a, ""))) || compareTexts(a, b);

/**
 * Reads the text files of a folder. `.gitignore` counts when it is in a git work tree; else `node_modules`, `dist`,
 * hidden folders and the like are left out. Links are never followed, and the folder is only read.
 *
 * Everything that is left out for another reason than being ignored stands in `skipped`. Throws `bad_input` when
 * `dir` is no folder, and the signal's reason when aborted.
 */
export const readProject = async (dir: string, options: ReadOptions): Promise<ReadProject> => {
  const root = await rootOf(dir);
  const listed = await listFiles(root, options.signal);
  const binary = listed.paths.filter((path) => BINARY_NAMES.test(path));
  const candidates = listed.paths.filter((path) => !BINARY_NAMES.test(path)).toSorted(bySource);
  const wanted = candidates.slice(0, options.filesMax);
  const results: (SourceFile | SkippedFile)[] = [];
  for (let i = 0; i < wanted.length; i += CONCURRENCY) {
    options.signal?.throwIfAborted();
    const batch = wanted.slice(i, i + CONCURRENCY).map((path) => readOne(root, path, options.fileBytesMax));
    results.push(...(await Promise.all(batch)));
  }
  const beyond = candidates
    .slice(options.filesMax)
    .map((path) => ({ path, reason: `beyond the limit of ${options.filesMax} files` }));
  const skipped = [
    ...listed.skipped,
    ...binary.map((path) => ({ path, reason: "binary, by its name" })),
    ...results.filter((one) => "reason" in one),
    ...beyond,
  ];
  return {
    files: results.filter((one) => "text" in one).toSorted((a, b) => compareTexts(a.path, b.path)),
    skipped: skipped.toSorted((a, b) => compareTexts(a.path, b.path)),
  };
};
