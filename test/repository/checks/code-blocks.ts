import type { SourceFile } from "./source-file.ts";

/** A fenced block of a document. */
export interface CodeBlock {
  readonly path: string;
  /** Line of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `run`, `output`, `given session`. */
  readonly marks: readonly string[];
  readonly text: string;
}

/** Documents that users read; a changeset is one from the day it is released. */
export const isGuide = ({ path }: SourceFile): boolean =>
  /^(?:[A-Z]+\.md|docs\/.*\.md|\.changeset\/.*\.md)$/.test(path);

/** Every fenced block of a document, in order. */
export function codeBlocks({ path, text }: SourceFile): readonly CodeBlock[] {
  return [...text.matchAll(/^```(\w+)([^\n]*)\n(.*?)^```$/gms)].map((found) => {
    const [, language = "", marks = "", code = ""] = found;
    const line = text.slice(0, found.index).split("\n").length + 1;
    return { path, line, language, marks: marks.split(/[\s,]+/).filter(Boolean), text: code };
  });
}
