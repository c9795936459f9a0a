import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

const documents = (files: readonly SourceFile[]) => files.filter(({ path }) => path.endsWith(".md"));

/** Every relative link of a document that leads to no file or folder of the repository. */
export function linkFaults(files: readonly SourceFile[], paths: readonly string[]): readonly string[] {
  const exists = (target: string) => paths.some((path) => path === target || path.startsWith(`${target}/`));
  return documents(files).flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, link = ""]) => {
      const target = posix.join(posix.dirname(path), link).replace(/\/$/, "");
      return exists(target) ? [] : [`${path}: ${link} does not exist`];
    }),
  );
}

/** Every `npm run NAME` of a document that package.json has no script for. */
export const commandFaults = (files: readonly SourceFile[], scripts: readonly string[]): readonly string[] =>
  documents(files).flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm run ([\w:-]+)/g)].flatMap(([, name = ""]) =>
      scripts.includes(name) ? [] : [`${path}: there is no script "${name}"`],
    ),
  );
