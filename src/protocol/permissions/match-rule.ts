import { wordsMatch } from "./command-words.ts";
import { pathMatches } from "./path-pattern.ts";
import type { PermissionCall } from "./permission-call.ts";
import { isForTool, type PermissionRule } from "./permission-rule.ts";
import { wildcardMatches } from "./wildcard.ts";

/**
 * Rules are matched in two ways, and what is not certain always counts against the call. A rule that grants must match
 * exactly. A rule that refuses (deny, ask) matches in any spelling that a system may take for the same thing, and also
 * what can't be told apart from what it names.
 */

/** File systems may not tell these apart. */
const loose = (text: string): string => text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

/** Whether a rule of `allow` grants this call. */
export function isGranted(rule: PermissionRule, call: PermissionCall): boolean {
  if (!isForTool(rule, call.tool)) return false;
  const { pattern } = rule;
  if (pattern === null) return true;
  if (call.kind === "network") return pattern.kind === "host" && hostMatches(pattern.text, call.host ?? "");
  if (pattern.kind === "host") return false;
  if (pattern.kind === "argument") return isGrantedArgument(pattern.text, argumentOf(call.input, pattern.name));
  if (call.path !== undefined) return pathMatches(pattern.text, call.path, { below: false });
  const words = call.command?.words ?? null;
  return words !== null && wordsMatch(pattern.text, words);
}

/** Whether a rule of `deny` or `ask` speaks of this call. */
export function isRefused(rule: PermissionRule, call: PermissionCall): boolean {
  // What is searched is read.
  const isFor = isForTool(rule, call.tool) || (call.tool === "search_text" && isForTool(rule, "read_file"));
  if (!isFor) return false;
  const { pattern } = rule;
  if (pattern === null) return true;
  if (call.kind === "network") return pattern.kind === "host" && hostMatches(pattern.text, call.host ?? "");
  if (pattern.kind === "host") return false;
  if (pattern.kind === "argument") return isRefusedArgument(pattern.text, argumentOf(call.input, pattern.name));
  if (call.path !== undefined) return pathMatches(loose(pattern.text), loose(call.path), { below: true });
  const words = call.command?.words ?? null;
  if (words === null) return true;
  const [program = "", ...rest] = words.map(loose);
  const wanted = loose(pattern.text);
  return wordsMatch(wanted, [program, ...rest]) || wordsMatch(wanted, [program.split("/").at(-1) ?? "", ...rest]);
}

/** `*.example.com` is every host below it, and not itself. */
function hostMatches(pattern: string, host: string): boolean {
  if (pattern === "*") return true;
  return pattern.startsWith("*.")
    ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
    : host === pattern;
}

/** The value of one argument; undefined when there is none of this name. */
const argumentOf = (input: unknown, name: string): unknown =>
  typeof input === "object" && input !== null && Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;

const scalarText = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;

/** What a `*` may stand for: nothing that a shell, a path or a parser would take for more than a word. */
const plainValue = /^[\p{L}\p{N}_@+=:,./ -]*$/u;

function isGrantedArgument(pattern: string, value: unknown): boolean {
  const text = scalarText(value);
  if (text === null) return false;
  if (!pattern.includes("*")) return text === pattern;
  return plainValue.test(text) && !text.split("/").includes("..") && wildcardMatches(pattern, text);
}

/** A value that is no plain one may hold whatever the rule names. One that is left out can't be judged by it. */
function isRefusedArgument(pattern: string, value: unknown): boolean {
  if (value === undefined) return false;
  const text = scalarText(value);
  return text === null || wildcardMatches(loose(pattern), loose(text));
}
