import type { SourceFile } from "./source-file.ts";

/** What may stand in no text, each with what to do instead. The character classes keep the patterns from meeting themselves. */
const BANNED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:TOD[O]|FIXM[E]|XX[X])\b(?!\(#\d+\))/, "name an issue: the word, then (#12)"],
  [/\bas an[y]\b/, "parse it, or name its type"],
  [/@ts-(?:ignor[e]|nochec[k])/, "@ts-expect-error with the reason"],
  [/@ts-expect-erro[r]\s*$/, "write the reason behind it"],
  [/\b(?:it|test|describe)\.(?:concurrent\.)?onl[y]\(/, "run every test"],
  [/\b(?:it|test|describe)\.ski[p]\(/, "delete it, or skipIf with what is missing"],
  [/\b(?:ox|es)lint-disabl[e](?!.* -- \S)/, "write ` -- ` and the reason behind it"],
  [/^export \* fro[m]/, "export by name"],
];

const isChecked = ({ path }: SourceFile): boolean => path !== "package-lock.json" && path !== "CHANGELOG.md";

/** Every banned word in these files, as `path:line: word; what to do`. */
export const wordFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(isChecked).flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) =>
      BANNED.flatMap(([pattern, instead]) => {
        const found = pattern.exec(line);
        return found === null ? [] : [`${path}:${index + 1}: ${found[0]}; ${instead}`];
      }),
    ),
  );
