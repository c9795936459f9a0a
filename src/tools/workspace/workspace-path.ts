import { TeamError } from "../../errors/index.ts";

/** A path of the workspace as folder and file names below its root; empty for the root itself. Nothing is looked up yet. */
export interface WorkspacePath {
  /** The path as it was given, for texts. */
  readonly given: string;
  readonly names: readonly string[];
}

const pathBytesMax = 4_096;
const nameBytesMax = 255;
const depthNamesMax = 128;
const shownCharsMax = 200;

// Characters that look like a slash or a backslash but are none to the system. NFKC finds the full-width ones.
const slashLookAlike = /[\u2044\u2215\u29f8\u2571\u2216\u29f5\u29f9]/u;
const controlOrBidi = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
// %2e, %2f, %5c and %00, also encoded several times over (%252e).
const encodedSeparator = /%(?:25)*(?:2e|2f|5c|00)/iu;
const windowsDevice = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*(?:\..*)?$/iu;

const shown = (path: string): string => (path.length > shownCharsMax ? `${path.slice(0, shownCharsMax)}...` : path);

const badPath = (path: string, problem: string): TeamError =>
  new TeamError("bad_input", { what: `the path "${shown(path)}"`, problem });

/** The names below `root` that an absolute path has, or null when it lies elsewhere. Purely lexical. */
export const namesBelow = (roots: readonly string[], absolute: string): string[] | null => {
  for (const root of roots) {
    if (absolute === root) return [];
    const prefix = root.endsWith("/") ? root : `${root}/`;
    if (absolute.startsWith(prefix)) return absolute.slice(prefix.length).split("/");
  }
  return null;
};

const problemOfText = (path: string): string | null => {
  if (path === "") return "it is empty";
  if (!path.isWellFormed()) return "it is not well-formed Unicode";
  if (Buffer.byteLength(path) > pathBytesMax) return `it has more than ${pathBytesMax} bytes`;
  if (controlOrBidi.test(path)) return "it contains control characters";
  if (path.includes("\\")) return "it contains a backslash; separate names by /";
  if (slashLookAlike.test(path)) return "it contains a character that only looks like a slash";
  if (encodedSeparator.test(path)) return "it is percent-encoded; write the characters themselves";
  if (/^[a-z]:/iu.test(path)) return "it starts with a drive letter or a scheme";
  if (path === "~" || path.startsWith("~/")) return "~ is not expanded; use a path relative to the root";
  return null;
};

const problemOfName = (name: string, mayCreate: boolean): string | null => {
  if (Buffer.byteLength(name) > nameBytesMax) return `a name in it has more than ${nameBytesMax} bytes`;
  // What a careless reader or a normalising file system would take for dots or separators.
  const folded = name.replaceAll(/\p{Cf}/gu, "").normalize("NFKC");
  if (folded !== name && (/^\.{0,2}$/u.test(folded) || /[/\\]/u.test(folded))) {
    return "a name in it only looks like a dot or a slash";
  }
  if (!mayCreate) return null;
  if (/[. ]$/u.test(folded)) return "a name in it ends with a dot or a space";
  if (windowsDevice.test(folded)) return `"${name}" names a device on some systems`;
  return null;
};

const normalised = (names: readonly string[], given: string): string[] => {
  const kept: string[] = [];
  for (const name of names) {
    if (name === "" || name === ".") continue;
    if (name !== "..") kept.push(name);
    else if (kept.pop() === undefined) throw new TeamError("workspace_escape", { path: shown(given) });
  }
  return kept;
};

/**
 * Parses a path that a model or a user gave. `..` is resolved by name, without following links.
 *
 * `mayCreate` is for paths that can come into being: it also refuses names that are no plain files on other systems.
 * Throws `workspace_escape` or `bad_input`.
 */
export const parseWorkspacePath = (
  given: string,
  options: { readonly roots: readonly string[]; readonly mayCreate: boolean },
): WorkspacePath => {
  const problem = problemOfText(given);
  if (problem !== null) throw badPath(given, problem);
  const split = given.startsWith("/") ? namesBelow(options.roots, given) : given.split("/");
  if (split === null) throw new TeamError("workspace_escape", { path: shown(given) });
  const names = normalised(split, given);
  if (names.length > depthNamesMax) throw badPath(given, `it has more than ${depthNamesMax} names`);
  for (const name of names) {
    const wrong = problemOfName(name, options.mayCreate);
    if (wrong !== null) throw badPath(given, wrong);
  }
  if (options.mayCreate && (names.length === 0 || given.endsWith("/"))) throw badPath(given, "it names a folder");
  return { given: shown(given), names };
};
