import { parseSync, type OxcError, type ParserOptions, type Program } from "oxc-parser";
import { extname } from "node:path/posix";
import type { SourceFile } from "../source-file.ts";

/** Why a file could not be parsed: the line (from 1) and the parser's words. */
export interface ParseFailure {
  readonly line: number;
  readonly message: string;
}

/** A syntax tree, or why there is none. */
export type ParsedSource =
  | { readonly program: Program; readonly failure: null }
  | { readonly program: null; readonly failure: ParseFailure };

const dialectOf = (path: string): ParserOptions["lang"] => {
  if (/\.d\.[cm]?ts$/.test(path)) return "dts";
  const extension = extname(path);
  if (extension === ".tsx") return "tsx";
  return extension === ".ts" || extension === ".mts" || extension === ".cts" ? "ts" : "jsx";
};

const failureOf = (error: OxcError, text: string): ParseFailure => {
  const before = text.slice(0, error.labels[0]?.start ?? 0);
  return { line: before.split(/\r\n|\n|\r/).length, message: error.message };
};

/**
 * Parses one JavaScript or TypeScript file in this process. Never throws on bad source.
 *
 * The parser is native code that recurses: source nested some thousand levels deep ends the process. Use
 * `parseApart` for files that nobody vouches for.
 */
export const parseSource = (file: SourceFile): ParsedSource => {
  const options: ParserOptions = { lang: dialectOf(file.path), preserveParens: false };
  const first = parseSync(file.path, file.text, { ...options, sourceType: "unambiguous" });
  if (first.errors.length === 0) return { program: first.program, failure: null };
  // A CommonJS file may return at its top level, which nothing in the file itself announces.
  const second = parseSync(file.path, file.text, { ...options, sourceType: "commonjs" });
  if (second.errors.length === 0) return { program: second.program, failure: null };
  const [error] = first.errors;
  return {
    program: null,
    failure: error === undefined ? { line: 1, message: "unknown" } : failureOf(error, file.text),
  };
};
