import { basename } from "node:path/posix";
import type { SourceFile } from "./source-file.ts";

/** What a file is for: rules differ between code that runs for users, tests, and what is neither. */
export type FileRole = "source" | "script" | "example" | "test" | "fixture" | "declaration" | "generated" | "vendored";

const FIXTURE_FOLDERS = /(^|\/)(fixtures?|__fixtures__|testdata|test-data|__snapshots__|__mocks__)\//i;
const TEST_FOLDERS = /(^|\/)(tests?|__tests__|specs?|e2e|cypress)\//i;
const TEST_NAMES =
  /(\.(test|spec|tests|cy|e2e)|[-_](test|spec))\.[a-z]+$|^test_.*\.py$|^conftest\.py$|Tests?\.(java|kt|cs)$/;
const SCRIPT_FOLDERS = /(^|\/)(scripts?|bin|tools?|cli|bench(mark)?s?|\w*migrations?|seeds?)\//i;
const EXAMPLE_FOLDERS = /(^|\/)(examples?|demos?|samples?|docs?|playgrounds?|templates?)\//i;
const VENDOR_FOLDERS = /(^|\/)(vendor|third[-_]?party|bower_components|node_modules)\//i;
const CONFIG_NAMES = /(^|\.)(config|conf|rc)\.[cm]?[jt]s$|^(gulpfile|gruntfile|jakefile)\.[cm]?[jt]s$/i;
const LOCK_NAMES = /^(package-lock\.json|npm-shrinkwrap\.json|go\.sum|.*[.-]lock(\.ya?ml|\.json|b)?)$/i;

/** Mean length of a line above which nobody has written the file by hand. */
const MINIFIED_LINE_LENGTH = 500;

const isMinified = (name: string, text: string): boolean =>
  /\.([cm]?js|css)$/.test(name) && text.length > 5_000 && text.length / text.split("\n").length > MINIFIED_LINE_LENGTH;

const isGenerated = (name: string, text: string): boolean =>
  /\.min\.[a-z]+$/.test(name) ||
  LOCK_NAMES.test(name) ||
  /@generated\b|\bDO NOT EDIT\b|\bauto-?generated (by|from|file)\b/i.test(text.slice(0, 600)) ||
  isMinified(name, text);

/** The role of a file, from its path and its first lines. */
export const roleOf = ({ path, text }: Pick<SourceFile, "path" | "text">): FileRole => {
  const name = basename(path);
  if (/\.d\.[cm]?ts$/.test(name)) return "declaration";
  if (FIXTURE_FOLDERS.test(path)) return "fixture";
  if (VENDOR_FOLDERS.test(path)) return "vendored";
  if (isGenerated(name, text)) return "generated";
  if (TEST_NAMES.test(name) || TEST_FOLDERS.test(path)) return "test";
  // Below `src`, a folder of this name belongs to the program.
  if (EXAMPLE_FOLDERS.test(path.replace(/(^|\/)src\/.*$/, "$1"))) return "example";
  if (/(^|\/)\.[^/]+(\/|$)/.test(path)) return "script";
  if (SCRIPT_FOLDERS.test(path) || CONFIG_NAMES.test(name) || text.startsWith("#!")) return "script";
  return "source";
};
