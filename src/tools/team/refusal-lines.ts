import { toolRefusalText, type Refusal } from "../../errors/index.ts";

const linesMax = 5;

/** Refusals as the text that a model reads: a line each, at most five, then how many more there are. */
export function refusalLines(problems: readonly Refusal[]): string {
  const lines = problems.slice(0, linesMax).map(toolRefusalText);
  if (problems.length > linesMax) lines.push(`${problems.length - linesMax} more`);
  return lines.join("\n");
}
