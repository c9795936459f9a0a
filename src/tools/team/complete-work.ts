import { refusal, type Refusal } from "../../errors/index.ts";
import { byteLength } from "../../protocol/names.ts";
import type { CallContext, TeamPort } from "../port.ts";
import type { Answer } from "./model-input.ts";
import { answerFrom } from "./team-tool.ts";

/** The limits of a delivery: bytes of the summary (UTF-8), how many paths, and bytes of each. */
export const deliveryLimits = Object.freeze({ summaryBytesMax: 4 * 1024, pathsMax: 50, pathBytesMax: 1024 });

/** What is wrong with a delivery in itself. */
function problemsOf(summary: string, paths: readonly string[]): Refusal[] {
  const { summaryBytesMax, pathsMax, pathBytesMax } = deliveryLimits;
  const problems: Refusal[] = [];
  const bytes = byteLength(summary);
  if (summary.trim() === "") problems.push(refusal("bad_input", { what: "summary", problem: "it is empty" }));
  if (bytes > summaryBytesMax) {
    problems.push(refusal("payload_too_large", { what: "summary", bytes, bytesMax: summaryBytesMax }));
  }
  if (paths.length > pathsMax) {
    const problem = `${paths.length} paths are more than the ${pathsMax} allowed`;
    problems.push(refusal("bad_input", { what: "paths", problem }));
  }
  for (const [index, path] of paths.entries()) {
    const length = byteLength(path);
    if (length <= pathBytesMax) continue;
    problems.push(refusal("payload_too_large", { what: `paths[${index}]`, bytes: length, bytesMax: pathBytesMax }));
  }
  return problems;
}

/** Delivers: refused whole, or accepted whole. A path counts once. */
export async function completeWork(
  port: TeamPort,
  { summary, paths: given }: { readonly summary: string; readonly paths: readonly string[] },
  call: CallContext,
): Promise<Answer<{ readonly accepted: true }>> {
  const paths = [...new Set(given)];
  const problems = problemsOf(summary, paths);
  if (problems.length > 0) return { refused: problems };
  const missing: Refusal[] = [];
  for (const path of paths) {
    if (!(await port.pathExists(path, call))) missing.push(refusal("missing_path", { path }));
  }
  if (missing.length > 0) return { refused: missing };
  const reply = await port.command({ type: "work.complete", summary, paths }, call);
  return answerFrom(reply, "accepted", () => ({ accepted: true }));
}
