import { byteLength } from "../../protocol/names.ts";
import type { WorkState } from "../../protocol/reply.ts";
import { escapeBody, frame } from "./frame-text.ts";

/** What a member it depends on delivered, or why it delivered nothing. */
export interface UpstreamResult {
  readonly name: string;
  readonly status: WorkState;
  readonly summary: string | null;
  readonly paths: readonly string[];
  readonly reason: string | null;
  /** The git worktree that its paths are relative to; null = the shared folder. */
  readonly worktree?: { readonly branch: string; readonly path: string } | null;
}

const bytesMax = 64 * 1024;

function formatOne({ name, status, summary, paths, reason, worktree = null }: UpstreamResult): string {
  const content = [
    ...(summary === null ? [] : [frame("summary", {}, escapeBody(summary))]),
    ...paths.map((path) => frame("path", {}, escapeBody(path))),
    ...(reason === null ? [] : [frame("reason", {}, escapeBody(reason))]),
  ];
  const from = { from: name, status, trust: "peer" };
  const where = worktree === null ? from : { ...from, branch: worktree.branch, worktree: worktree.path };
  return frame("upstream-result", where, content.join("\n"));
}

/**
 * The results that a member starts from, for its first prompt; "" when it depends on nobody. Escaped like mail. Results
 * above 64 KiB together are named and left out, and the text says so.
 */
export function upstreamText(upstreams: readonly UpstreamResult[]): string {
  if (upstreams.length === 0) return "";
  const lines: string[] = [];
  let bytes = 0;
  for (const text of upstreams.map(formatOne)) {
    bytes += byteLength(text);
    if (lines.length > 0 && bytes > bytesMax) break;
    lines.push(text);
  }
  const left = upstreams.length - lines.length;
  if (left > 0) lines.push(`${left} more results are left out here; team_status({member}) shows each of them.`);
  return frame("upstream-results", { count: upstreams.length }, `\n${lines.join("\n")}\n`);
}
