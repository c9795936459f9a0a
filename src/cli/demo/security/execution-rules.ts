import { ruleOn, type Rule } from "../rule.ts";
import { keyName, propertyName, qualifiedName, resolved } from "../syntax/names.ts";
import { bare, isFunction, type Node, type NodeOf } from "../syntax/node.ts";
import { isRequestInput } from "../syntax/requests.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { isConstant, textParts } from "../syntax/values.ts";

const VM_CALLS: ReadonlySet<string> = new Set([
  "vm.runInThisContext",
  "vm.runInNewContext",
  "vm.runInContext",
  "vm.compileFunction",
  "vm.Script",
]);

/** What a call runs as code, and by what: null when it runs none. */
const codeRunBy = (
  node: NodeOf<"CallExpression" | "NewExpression">,
  module: SourceModule,
): { by: string; code: readonly Node[] } | null => {
  const name = qualifiedName(node.callee, module) ?? "";
  const [first] = node.arguments;
  if (first === undefined) return null;
  if (name === "eval" && node.type === "CallExpression") return { by: "eval", code: [first] };
  if (name === "Function") return { by: "new Function", code: node.arguments };
  if (VM_CALLS.has(name)) return { by: name, code: [first] };
  const isTimer = name === "setTimeout" || name === "setInterval";
  const text = isTimer ? bare(first) : null;
  return text?.type === "TemplateLiteral" || text?.type === "BinaryExpression" ? { by: name, code: [first] } : null;
};

const dynamicCode: Rule = ruleOn("dynamic-code", ["CallExpression", "NewExpression"], (node, module) => {
  const run = codeRunBy(node, module);
  if (run === null || run.code.every((part) => isConstant(part, module))) return null;
  const isInput = run.code.some((part) => isRequestInput(part, module));
  const why = isInput ? "what a client sent" : "a text that is only known at run time";
  return {
    at: node,
    severity: isInput || run.by === "eval" ? "high" : "medium",
    message: `${run.by} runs ${why} as code. Parse it, or choose from functions that exist.`,
  };
});

const SHELL_CALLS: ReadonlySet<string> = new Set([
  "child_process.exec",
  "child_process.execSync",
  "execa.execaCommand",
  "execa.execaCommandSync",
  "execa.command",
  "shelljs.exec",
]);

const PROGRAM_CALLS: ReadonlySet<string> = new Set([
  "child_process.spawn",
  "child_process.spawnSync",
  "child_process.execFile",
  "child_process.execFileSync",
  "execa",
  "execa.execa",
]);

/** Values that code puts into a text and that cannot carry a command: numbers, and what was quoted for the shell. */
const isQuoted = (node: Node, module: SourceModule): boolean => {
  const inner = resolved(node, module);
  if (isConstant(inner, module)) return true;
  if (inner.type !== "CallExpression") return false;
  const callee = bare(inner.callee);
  const name =
    callee.type === "MemberExpression" ? propertyName(callee) : callee.type === "Identifier" ? callee.name : null;
  return /^(Number|parseInt|parseFloat|shellescape|shellQuote|quote|escape\w*|stringify)$/i.test(name ?? "");
};

const shellCommand: Rule = ruleOn("command-injection", ["CallExpression"], (node, module) => {
  const name = qualifiedName(node.callee, module) ?? "";
  const [command] = node.arguments;
  if (!SHELL_CALLS.has(name) || command === undefined) return null;
  const parts = textParts(command, module).filter((part) => typeof part !== "string");
  if (parts.every((part) => isQuoted(part, module))) return null;
  const isBuilt = bare(command).type !== "Identifier" || parts.length > 1 || parts[0] !== bare(command);
  const isInput = parts.some((part) => isRequestInput(part, module));
  return {
    at: node,
    severity: isBuilt || isInput ? "high" : "medium",
    message: isBuilt
      ? `${name} hands a command line with values in it to a shell, which runs whatever they contain. Use execFile with a list of arguments.`
      : `${name} hands a command line that comes from elsewhere to a shell. Use execFile with a list of arguments.`,
  };
});

const hasShell = (node: Node, module: SourceModule): boolean => {
  const options = resolved(node, module);
  if (options.type !== "ObjectExpression") return false;
  return options.properties.some((property) => {
    if (property.type !== "Property" || keyName(property) !== "shell") return false;
    const value = bare(property.value);
    return value.type === "Literal" && value.value !== false && value.value !== null;
  });
};

const shellOption: Rule = ruleOn("command-injection", ["CallExpression"], (node, module) => {
  const name = qualifiedName(node.callee, module) ?? "";
  if (!PROGRAM_CALLS.has(name) || !node.arguments.slice(1).some((argument) => hasShell(argument, module))) return null;
  const passed = node.arguments.filter((argument) => !hasShell(argument, module) && !isFunction(bare(argument)));
  const isFixed = passed.every((argument) => isConstant(argument, module));
  return {
    at: node,
    severity: isFixed ? "low" : "high",
    message: isFixed
      ? `${name} with shell: true needs no shell for a fixed command. Without it nobody can add one by a later change.`
      : `${name} with shell: true lets the shell read the arguments, which are only known at run time. Leave shell out.`,
  };
});

/** Running what is not code or commands by nature: eval and its relatives, and shells. */
export const executionRules: readonly Rule[] = [dynamicCode, shellCommand, shellOption];
