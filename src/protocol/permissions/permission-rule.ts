import { wildcardMatches } from "./wildcard.ts";

/** What the part in brackets of a rule speaks of. */
export type RulePattern =
  /** `tool(src/**)` or `tool(npm test *)`: the path of a file tool, the command of any other. */
  | { readonly kind: "target"; readonly text: string }
  /** `tool(host:*.example.com)`: a network host that the tool asks for. */
  | { readonly kind: "host"; readonly text: string }
  /** `tool(env=staging)`: one argument by its name. */
  | { readonly kind: "argument"; readonly name: string; readonly text: string };

/** One rule: calls of which tool, and of those which; without a pattern all of them, and its network hosts. */
export interface PermissionRule {
  /** As it was written, for people. */
  readonly text: string;
  /** A tool's name; `*` stands for any characters. */
  readonly tool: string;
  readonly pattern: RulePattern | null;
}

const ruleCharsMax = 1_000;
const ruleForm = /^(?<tool>[^\s()]+)(?:\((?<pattern>.*)\))?$/su;
const argumentForm = /^(?<name>[A-Za-z_][\w-]*)=(?<value>.*)$/su;
const hostForm = /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/u;

/** The rule that names one tool and nothing else, whatever characters the name has. */
export const toolRule = (tool: string): PermissionRule => ({ text: tool, tool, pattern: null });

/** Whether a rule speaks of calls of this tool. */
export const isForTool = (rule: PermissionRule, tool: string): boolean =>
  rule.tool === tool || (rule.tool.includes("*") && wildcardMatches(rule.tool, tool));

/** Reads a rule; a string says what is wrong with it. */
export function parsePermissionRule(text: string): PermissionRule | string {
  if (text.length > ruleCharsMax) return `a rule has at most ${ruleCharsMax} characters`;
  const groups = ruleForm.exec(text)?.groups;
  const tool = groups?.["tool"];
  if (tool === undefined)
    return `"${text}" is no rule; write tool, tool(pattern), tool(host:name) or tool(argument=value)`;
  const inner = groups?.["pattern"];
  if (inner === undefined) return { text, tool, pattern: null };
  const pattern = parsePattern(inner.trim());
  return typeof pattern === "string" ? `"${text}": ${pattern}` : { text, tool, pattern };
}

function parsePattern(inner: string): RulePattern | string {
  if (inner === "") return "there is nothing between the brackets; leave them out to mean every call";
  if (inner.startsWith("host:")) {
    const host = inner.slice("host:".length).toLowerCase();
    if (hostForm.test(host)) return { kind: "host", text: host };
    return "a host is a name such as api.example.com, *.example.com or *, without scheme, port and path";
  }
  const { name, value } = argumentForm.exec(inner)?.groups ?? {};
  if (name !== undefined && value !== undefined) return { kind: "argument", name, text: value };
  const names = inner.split("/");
  if (inner.startsWith("/") || names.includes("..")) {
    return "paths of rules are relative to the workspace and have no `..`";
  }
  return { kind: "target", text: inner };
}
