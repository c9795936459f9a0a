import type { Binding } from "../syntax/bindings.ts";
import { kindOf } from "../syntax/kinds.ts";
import { lastName, propertyName, qualifiedName } from "../syntax/names.ts";
import { bare, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { functionAround } from "../syntax/surroundings.ts";
import { because, heatOf, hotter, performanceRule, type PerformanceRule } from "./performance-rule.ts";

const jsonClone: PerformanceRule = performanceRule("json-clone", ["CallExpression"], (node, module, heat) => {
  const [argument] = node.arguments;
  const inner = argument === undefined ? null : bare(argument);
  if (inner?.type !== "CallExpression" || inner.arguments.length !== 1 || node.arguments.length !== 1) return null;
  if (qualifiedName(node.callee, module) !== "JSON.parse" || qualifiedName(inner.callee, module) !== "JSON.stringify")
    return null;
  const isOften = heat().loops.length > 0 || heat().handler !== null;
  const message = `A copy by way of a text costs several times as much as structuredClone, and drops undefined, Map, Set and Date.${because(heat())}`;
  return { at: node, severity: isOften ? "medium" : "low", message };
});

const ADDING = /^(set|add|push|unshift)$/;
const READING =
  /^(get|has|includes|find|values|keys|entries|forEach|map|filter|some|every|size|length|at|indexOf|join|slice)$/;

/** How one use treats a collection; `unknown` when it leaves sight. */
type Use = "adds" | "reads" | "removes" | "unknown";

const useOf = (reference: Node, module: SourceModule): Use => {
  const member = module.parentOf(reference);
  if (member?.type === "ForOfStatement" && member.right === reference) return "reads";
  if (member?.type === "SpreadElement") return "reads";
  if (member?.type !== "MemberExpression" || member.object !== reference) return "unknown";
  const parent = module.parentOf(member);
  if (member.computed) {
    if (parent?.type === "AssignmentExpression" && parent.left === member) return "adds";
    return parent?.type === "UnaryExpression" && parent.operator === "delete" ? "removes" : "reads";
  }
  const name = propertyName(member) ?? "";
  if (parent?.type === "AssignmentExpression" && parent.left === member) return "removes";
  if (ADDING.test(name)) return "adds";
  return READING.test(name) ? "reads" : "removes";
};

/** Names of collections that are filled per visitor or per question, whoever looks them up. */
const GROWING_NAMES = /cache|memo|sessions?$|seen$|visited$/i;

/** Names of functions that fill a table on purpose, by hand: registries, not caches. */
const REGISTERING =
  /^(register|define|add|use|install|declare|extend|plugin|setup|init|mount|configure|on[A-Z]|subscribe)/;

const nameOfFunctionAround = (node: Node, module: SourceModule): string => {
  const fn = functionAround(node, module);
  const parent = fn === null ? null : module.parentOf(fn);
  return fn?.id?.name ?? (parent?.type === "VariableDeclarator" ? (lastName(parent.id) ?? "") : "");
};

const isAtTop = (node: Node, module: SourceModule): boolean => functionAround(node, module) === null;

/** Where a module-level collection grows for ever: only added to, by functions that look up what they add. */
const growingAt = (binding: Binding, module: SourceModule): Node | null => {
  const references = module.referencesTo(binding);
  const uses = references.map((reference) => ({ reference, use: useOf(reference, module) }));
  if (uses.some(({ use }) => use === "removes" || use === "unknown") || module.isReassigned(binding)) return null;
  const adds = uses.filter(({ reference, use }) => use === "adds" && !isAtTop(reference, module));
  const reads = uses.filter(({ use }) => use === "reads");
  const lookups = new Set(reads.map(({ reference }) => functionAround(reference, module)));
  const cached = adds.find(
    ({ reference }) =>
      (lookups.has(functionAround(reference, module)) || GROWING_NAMES.test(binding.name)) &&
      !REGISTERING.test(nameOfFunctionAround(reference, module)) &&
      isKeyedByCaller(reference, module),
  );
  return cached?.reference ?? null;
};

/** Whether what is added under comes from a parameter, so that there is no end to it. */
const isKeyedByCaller = (reference: Node, module: SourceModule): boolean => {
  const member = module.parentOf(reference);
  const parent = member === null ? null : module.parentOf(member);
  const key =
    parent?.type === "CallExpression"
      ? parent.arguments[0]
      : member?.type === "MemberExpression"
        ? member.property
        : null;
  if (key === null || key === undefined) return false;
  const root = bare(key);
  const binding = module.bindingOf(root);
  if (binding === null)
    return root.type === "TemplateLiteral" || root.type === "MemberExpression" || root.type === "CallExpression";
  return binding.kind === "param" || binding.kind === "const" || binding.kind === "let";
};

const unboundedCache: PerformanceRule = {
  name: "unbounded-cache",
  check: (module, hot) =>
    module.nodes("VariableDeclarator").flatMap((node) => {
      if (module.role !== "source" || node.id.type !== "Identifier" || !isAtTop(node, module) || node.init === null)
        return [];
      const isExported = module.parentOf(module.parentOf(node) ?? node)?.type === "ExportNamedDeclaration";
      const isWeak = isWeakName(
        lastName(bare(node.init).type === "NewExpression" ? calleeOf(node.init) : node.init) ?? "",
      );
      const isCollection = /^(map|set|array|object)$/.test(kindOf(node.init, module) ?? "");
      const binding = module.bindingOf(node.id);
      if (isExported || isWeak || !isCollection || binding === null) return [];
      const at = growingAt(binding, module);
      if (at === null) return [];
      const heat = heatOf(at, module, hot);
      const message = `${node.id.name} is only ever added to, so it grows as long as the process lives. Give it a limit, or use a WeakMap.${because(heat)}`;
      return [{ at, severity: hotter("low", heat), message }];
    }),
};

const isWeakName = (name: string): boolean => name.startsWith("Weak");

const calleeOf = (node: Node): Node => {
  const inner = bare(node);
  return inner.type === "NewExpression" ? inner.callee : inner;
};

/** Whether a timer can be stopped: its handle goes to where the code stops or frees one, or leaves sight. */
const isTimerKept = (call: NodeOf<"CallExpression">, module: SourceModule): boolean => {
  const parent = module.parentOf(call);
  if (parent?.type === "MemberExpression") return /^(unref|close)$/.test(propertyName(parent) ?? "");
  if (parent?.type === "ExpressionStatement") return false;
  if (parent?.type === "AssignmentExpression")
    return module.ask(stoppedNames, module.program).has(lastName(parent.left) ?? "");
  if (parent?.type !== "VariableDeclarator" || parent.id.type !== "Identifier") return !isVoid(parent);
  const binding = module.bindingOf(parent.id);
  return binding !== null && module.referencesTo(binding).length > 0;
};

const isVoid = (node: Node | null): boolean => node?.type === "UnaryExpression" && node.operator === "void";

/** The names of timers that a module clears or frees anywhere. */
const stoppedNames = (_program: Node, module: SourceModule): ReadonlySet<string> => {
  const names = module.nodes("CallExpression").flatMap((call) => {
    const method = lastName(call.callee) ?? "";
    if (/^clear(Interval|Timeout)$/.test(method)) return call.arguments.map((argument) => lastName(argument) ?? "");
    const callee = bare(call.callee);
    const isFreed = callee.type === "MemberExpression" && /^(unref|close)$/.test(method);
    return isFreed ? [lastName(callee.object) ?? ""] : [];
  });
  return new Set(names);
};

const timerKept: PerformanceRule = performanceRule("timer-never-cleared", ["CallExpression"], (node, module, heat) => {
  if (qualifiedName(node.callee, module) !== "setInterval" || isTimerKept(node, module)) return null;
  if (heat().isScript) return null;
  const isOnce = !heat().isInFunction;
  const message = isOnce
    ? "This interval can never be stopped, so importing the module keeps the process alive. Keep the handle, or call unref on it."
    : `Every call starts an interval that nothing can stop. Keep the handle and clear it.${because(heat())}`;
  return { at: node, severity: isOnce ? "low" : hotter("medium", heat()), message };
});

/** What takes memory and keeps it. */
export const memoryRules: readonly PerformanceRule[] = [jsonClone, unboundedCache, timerKept];
