import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/** `[claim](path/of/a.test.ts)` in a document, with the path from the root. */
const testLinks = ({ path, text }: SourceFile) =>
  [...text.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.test\.tsx?)\)/g)].map(([, claim = "", link = ""]) => ({
    claim,
    target: posix.join(posix.dirname(path), link),
  }));

/**
 * Every link to a test whose text is not the name of a test there. A document that says what proves a claim names the
 * test itself, so that it can't outlive it; a link whose text is the file's path in backticks stands for the whole file.
 */
export function testLinkFaults(documents: readonly SourceFile[], files: readonly SourceFile[]): readonly string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return documents.flatMap((document) =>
    testLinks(document).flatMap(({ claim, target }) => {
      const text = texts.get(target);
      if (text === undefined) return [`${document.path}: ${target} does not exist`];
      const names = claim.startsWith("`") || text.includes(`"${claim}"`) || text.includes(`"${claim}:`);
      return names ? [] : [`${document.path}: ${target} has no test "${claim}"`];
    }),
  );
}

/** Every path of this repository that a document names in backticks and that is not there. */
export function pathFaults(documents: readonly SourceFile[], paths: readonly string[]): readonly string[] {
  const exists = (target: string) => paths.some((path) => path === target || path.startsWith(`${target}/`));
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:test|src|examples|scripts|docs)\/[\w./-]+)`/g)].flatMap(([, target = ""]) =>
      exists(target.replace(/\/$/, "")) ? [] : [`${path}: ${target} does not exist`],
    ),
  );
}
