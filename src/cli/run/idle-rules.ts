import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { didYouMean } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import { parsePermissionRule } from "../../protocol/permissions/permission-rule.ts";
import type { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import { workspaceOf, type FileRun } from "./team-file-job.ts";
import { fileTools } from "./unknown-tools.ts";

/** Sentences that are told. */
const toldMax = 20;

/** A policy of the file: at which key it stands, and which folder its directories are relative to; null = none. */
interface PlacedPolicy {
  readonly at: string;
  readonly policy: PermissionPolicy | undefined;
  readonly root: string | null;
}

function policiesOf(run: FileRun): PlacedPolicy[] {
  const { file, path, cwd } = run;
  const root = workspaceOf(run);
  const own = (folder: string | undefined): string | null =>
    folder === undefined ? null : resolve(cwd, dirname(path), folder);
  return [
    { at: "permissions", policy: file.permissions, root },
    { at: "lead.permissions", policy: file.lead?.permissions, root },
    ...[...(file.agents ?? [])].map(([name, { permissions }]) => ({
      at: `agents.${name}.permissions`,
      policy: permissions,
      root,
    })),
    ...[...(file.invitables ?? [])].map(([name, { permissions, workspace }]) => ({
      at: `invitables.${name}.permissions`,
      policy: permissions,
      root: own(workspace),
    })),
  ];
}

/**
 * A sentence for each rule of the file that names a tool which no actor of a file can have, and for each directory that is
 * not there. Both are no fault, but hold nothing back: `deny: ["writefile(secret/**)"]` denies nothing. Rules with a wildcard
 * as their tool are not judged.
 */
export function idleRules(run: FileRun): readonly string[] {
  const sentences = policiesOf(run).flatMap(({ at, policy, root }) => [
    ...rulesOf(policy).flatMap(([kind, rule]) => sentenceOfRule(`${at}.rules.${kind}`, rule)),
    ...(root === null ? [] : (policy?.directories ?? []).flatMap((path) => sentenceOfFolder(at, path, root))),
  ]);
  return sentences.slice(0, toldMax);
}

const rulesOf = (policy: PermissionPolicy | undefined): [kind: string, rule: string][] =>
  (["deny", "ask", "allow"] as const).flatMap((kind) =>
    (policy?.rules?.[kind] ?? []).map((rule): [string, string] => [kind, rule]),
  );

function sentenceOfRule(at: string, text: string): readonly string[] {
  const rule = parsePermissionRule(text);
  if (typeof rule === "string" || rule.tool.includes("*") || fileTools.includes(rule.tool)) return [];
  const instead = didYouMean(nearestName(rule.tool, fileTools));
  return [`${at}: "${text}" speaks of no call, since "${rule.tool}" is no tool of a team file${instead}.`];
}

function sentenceOfFolder(at: string, path: string, root: string): readonly string[] {
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? [] : [`${at}.directories: there is no folder "${path}" in the workspace.`];
}
