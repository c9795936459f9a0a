import type { SourceFile } from "./source-file.ts";

/** The one registry that a lock file may name: everybody's default. */
const REGISTRY = "https://registry.npmjs.org/";

/** Traces of the machine that something was written on. The character classes keep the patterns from meeting themselves. */
const TRACES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\/wor[k]\/(?:main|wt|shared|brief)\b/, "a path of somebody's machine"],
  [/(?<![\w.~-])\/(?:hom[e]|User[s])\/(?!ann\b|bob\b|me\b|user\b)[\w.-]+/, "a path of somebody's machine"],
  [/\b[A-Z]:\\User[s]\\/, "a path of somebody's machine"],
  [/\.\.\/share[d]\/(?:cases|facts|hooks|bench|[A-Z])/, "a path outside the repository"],
  [/^\s*(?:@[\w-]+:)?registr[y]\s*=/, "a registry is the user's choice"],
  [/_auth(?:Toke[n])?\s*=/, "a credential"],
  [/https?:\/\/(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+/, "a host of somebody's network"],
  [/https?:\/\/[\w.-]+\.(?:interna[l]|corp|lan|intranet)\b/, "a host of somebody's network"],
];

/** Every trace of a machine or a network in these files, as `path:line: trace: what it is`. */
export const traceFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) =>
      TRACES.flatMap(([pattern, what]) => {
        const found = pattern.exec(line);
        return found === null ? [] : [`${path}:${index + 1}: ${found[0]}: ${what}`];
      }),
    ),
  );

/** Every package of a lock file that comes from somewhere else than the default registry. */
export function lockFaults(lock: string): readonly string[] {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { resolved?: string }> };
  return Object.entries(packages).flatMap(([name, { resolved }]) =>
    resolved === undefined || resolved.startsWith(REGISTRY) ? [] : [`${name}: ${resolved}`],
  );
}
