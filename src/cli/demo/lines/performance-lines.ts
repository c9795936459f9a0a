import { evidenceOf } from "../evidence.ts";
import type { FileRole } from "../file-role.ts";
import type { Finding } from "../finding.ts";
import type { SourceFile } from "../source-file.ts";
import { scrubbedLines } from "./line-rule.ts";
import type { ScrubbedLine } from "./scrub.ts";

const BLOCKING =
  /(?<![\w.])(time\.sleep|requests\.(get|post|put|patch|delete|head|request)|urllib\.request\.urlopen|subprocess\.(run|call|check_output|check_call))\s*\(/;

const indentOf = (line: ScrubbedLine): number => line.text.length - line.text.trimStart().length;

/** The lines that stand directly in an `async def`, told by their indentation; functions within it don't count. */
const asyncLines = (lines: readonly ScrubbedLine[]): ScrubbedLine[] => {
  const functions: { indent: number; isAsync: boolean }[] = [];
  return lines.filter((line) => {
    if (line.bare.trim() === "") return false;
    const indent = indentOf(line);
    while ((functions.at(-1)?.indent ?? -1) >= indent) functions.pop();
    const isInAsync = functions.at(-1)?.isAsync === true;
    const [, isAsync] = /^\s*(async\s+)?def\s/.exec(line.bare) ?? [null, null];
    if (/^\s*(async\s+)?def\s/.test(line.bare))
      functions.push({ indent, isAsync: isAsync !== undefined && isAsync !== null });
    return isInAsync;
  });
};

/** The performance findings of a file that no parser reads. Only Python: calls that block inside `async def`. */
export const performanceLineFindings = (file: SourceFile, role: FileRole): Finding[] => {
  if (file.language !== "python" || role === "test") return [];
  return asyncLines(scrubbedLines(file)).flatMap((line): Finding[] => {
    const call = BLOCKING.exec(line.bare)?.[1];
    if (call === undefined) return [];
    const message = `${call} blocks the event loop of this coroutine and of all others. Use the asynchronous form, or asyncio.to_thread.`;
    return [
      {
        rule: "blocking-call",
        severity: "medium",
        path: file.path,
        line: line.line,
        message,
        evidence: evidenceOf(line.text, []),
      },
    ];
  });
};
