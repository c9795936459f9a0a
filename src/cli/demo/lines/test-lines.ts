import { basename, dirname } from "node:path/posix";
import { evidenceOf } from "../evidence.ts";
import type { FileRole } from "../file-role.ts";
import type { Finding } from "../finding.ts";
import type { SourceFile } from "../source-file.ts";

interface Classified {
  readonly file: SourceFile;
  readonly role: FileRole;
}

const lineOf = (text: string, pattern: RegExp): number | null => {
  const index = text.split(/\r\n|\n|\r/).findIndex((line) => pattern.test(line));
  return index < 0 ? null : index + 1;
};

const untested = (file: SourceFile, line: number, message: string): Finding => ({
  rule: "untested-module",
  severity: "low",
  path: file.path,
  line,
  message,
  evidence: evidenceOf(file.text.split(/\r\n|\n|\r/)[line - 1] ?? "", []),
});

const escaped = (text: string): string =>
  text.replaceAll(/[^\w]/g, (c) => `\\u{${c.codePointAt(0)?.toString(16) ?? "0"}}`);

/** Python modules whose name stands in no test: neither in a test's name nor in what it imports. */
const python = (sources: readonly SourceFile[], tests: readonly SourceFile[]): Finding[] => {
  const imports = tests.flatMap(({ text }) =>
    text.split(/\r\n|\n|\r/).filter((line) => /^\s*(from|import)\s/.test(line)),
  );
  const names = new Set(tests.map(({ path }) => basename(path, ".py").replaceAll(/^test_|_test$/g, "")));
  return sources.flatMap((file) => {
    const name = basename(file.path, ".py");
    const line = lineOf(file.text, /^(async\s+)?def\s+[a-z]|^class\s+\w/);
    if (line === null || /^__\w+__$|^(setup|conftest|manage)$/.test(name) || names.has(name.replace(/^_+/, "")))
      return [];
    const isImported = new RegExp(`(?<![\\w])${escaped(name)}(?![\\w])`, "u");
    if (imports.some((one) => isImported.test(one))) return [];
    return [untested(file, line, "No test is named after this module or imports it by name.")];
  });
};

/** Go packages, which are folders, without any test. */
const go = (sources: readonly SourceFile[], tests: readonly SourceFile[]): Finding[] => {
  const tested = new Set(tests.map(({ path }) => dirname(path)));
  const seen = new Set<string>();
  return sources.flatMap((file) => {
    const folder = dirname(file.path);
    const line = lineOf(file.text, /^func\s+(\([^)]*\)\s*)?[A-Z]/);
    if (line === null || tested.has(folder) || seen.has(folder)) return [];
    seen.add(folder);
    return [untested(file, line, "There is no test in the folder of this package.")];
  });
};

/** Whether Python and Go code has tests, by the names of files and of what tests import. */
export const testLineFindings = (files: readonly Classified[]): Finding[] => {
  const of = (language: SourceFile["language"], isTest: boolean): SourceFile[] =>
    files
      .filter(({ file, role }) => file.language === language && (isTest ? role === "test" : role === "source"))
      .map(({ file }) => file);
  return [...python(of("python", false), of("python", true)), ...go(of("go", false), of("go", true))];
};
