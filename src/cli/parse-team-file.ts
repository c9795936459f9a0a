import type { z } from "zod";
import { didYouMean, refusal, TeamError, type Refusal } from "../errors/index.ts";
import { nearestName } from "../protocol/names.ts";
import { AgentPermissions, PermissionPolicy, PermissionRules } from "../protocol/permissions/permission-policy.ts";
import { Price } from "../protocol/prices.ts";
import { InviteSpec, MemberSpec, TeamSpec } from "../protocol/spec.ts";
import { BoardSpec, SeedTask, TaskSpec } from "../protocol/task.ts";
import { FileAgent, FileInvitable, FileLead, TeamFile } from "../protocol/team-file.ts";
import { scriptStrangers } from "./script-strangers.ts";
import { parseYaml, type YamlDocument } from "./yaml-document.ts";

/** Faults that one error lists. */
const faultsMax = 20;

/**
 * The team file that `text` says, as YAML or JSON; `file` is what errors call it. Every fault is `bad_file` with its line and
 * column, the place in the file's structure, what is wrong and what would be right.
 */
export function parseTeamFile(text: string, file: string): TeamFile {
  const document = parseYaml(text);
  if (document.faults.length > 0) throw badFile(file, document, document.faults);
  const { value } = document;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const what = value === null || value === undefined ? "it is empty" : "it is no mapping of keys to values";
    throw badFile(file, document, [{ offset: null, problem: `${what}; declare \`lead\` or \`team\`` }]);
  }
  const parsed = TeamFile.safeParse(value);
  if (parsed.success) return checked(parsed.data, file, document);
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, value, document));
  throw badFile(file, document, faults);
}

/** The file, once what its parts say of each other is right too. */
function checked(team: TeamFile, file: string, document: YamlDocument): TeamFile {
  const faults = scriptStrangers(team).map(({ actor, problem }) => ({
    offset: document.offsetOf(["script", actor], true),
    problem,
  }));
  if (faults.length > 0) throw badFile(file, document, faults);
  return team;
}

interface Fault {
  readonly offset: number | null;
  readonly problem: string;
}

function badFile(file: string, document: YamlDocument, faults: readonly Fault[]): TeamError {
  const problems = faults.slice(0, faultsMax).map(({ offset, problem }): Refusal => {
    const place = offset === null ? "" : `line ${document.placeOf(offset)}: `;
    return refusal("bad_file", { file, problem: `${place}${problem}` });
  });
  const [first = refusal("bad_file", { file, problem: "it is no team file" }), ...more] = problems;
  return TeamError.from([first, ...more]);
}

function faultsOf(issue: z.core.$ZodIssue, root: object, document: YamlDocument): Fault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      offset: document.offsetOf([...issue.path, key], true),
      problem: unknownKey(issue.path, key),
    }));
  }
  const place = issue.path.length === 0 ? "" : `${pathText(issue.path)}: `;
  const problem = `${place}${describeIssue(issue, valueAt(root, issue.path))}`;
  return [{ offset: document.offsetOf(issue.path, false), problem }];
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  const known = knownKeys(path);
  const instead = didYouMean(nearestName(key, known));
  const place = path.length === 0 ? "" : `${pathText(path)}: `;
  return `${place}unknown key "${key.slice(0, 80)}"${instead}. Known: ${known.join(", ")}`;
}

const scriptKeys = ["calls", "waitFor", "text", "error", "hang", "compact", "tool", "input", "delayMs", "retryAfterMs"];

/** The keys that the mapping at `path` may have. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const [top, second, ...rest] = path;
  if (path.at(-1) === "rules") return Object.keys(PermissionRules.shape);
  if (path.at(-1) === "permissions" && (top === "agents" || top === "invitables"))
    return Object.keys(AgentPermissions.shape);
  if (path.at(-1) === "permissions") return Object.keys(PermissionPolicy.shape);
  if (path.at(-1) === "board") return Object.keys(BoardSpec.shape);
  if (path.at(-2) === "tasks") return Object.keys((top === "agents" ? SeedTask : TaskSpec).shape);
  if (top === undefined) return Object.keys(TeamFile.shape);
  if (top === "agents") return Object.keys(FileAgent.shape);
  if (top === "invitables") return Object.keys(FileInvitable.shape);
  if (top === "invite") return Object.keys(InviteSpec.shape);
  if (top === "lead") return Object.keys(FileLead.shape);
  if (top === "limits") return Object.keys(TeamFile.shape.limits.unwrap().shape);
  if (top === "prices") return Object.keys(Price.shape);
  if (top === "script") return scriptKeys;
  if (second === "members" && rest.length > 0) return Object.keys(MemberSpec.shape);
  return Object.keys(TeamSpec.shape);
}

/** `team.members[0].name`, with names that are no plain word in quotes. */
function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (/^[\w-]+$/.test(String(segment))) text += `${text === "" ? "" : "."}${String(segment)}`;
    else text += `[${JSON.stringify(String(segment).slice(0, 80))}]`;
  }
  return text;
}

function valueAt(root: object, path: readonly PropertyKey[]): unknown {
  let value: unknown = root;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = Reflect.get(value, segment);
  }
  return value;
}

/** What is wrong with a value, in words of a file rather than of a program. */
function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "invalid_type" && value === undefined) return `it is missing; give a ${issue.expected}`;
  if (
    issue.code === "invalid_type" &&
    issue.expected === "string" &&
    (typeof value === "number" || typeof value === "boolean")
  ) {
    return `${value} is read as a ${typeof value}; put it in quotes`;
  }
  return issue.message.replace(/^Invalid (?:input|option): /, "");
}
