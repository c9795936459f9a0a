import type { Binding } from "../syntax/bindings.ts";
import { lastName, propertyName, qualifiedName, rootOf } from "../syntax/names.ts";
import { bare, descendantsOf, isFunction, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import {
  dependsOn,
  functionAround,
  isInside,
  isSmallConstant,
  loopsAround,
  type Loop,
} from "../syntax/surroundings.ts";
import { isConstant } from "../syntax/values.ts";
import { because, heatOf, hotter, performanceRule, type PerformanceRule } from "./performance-rule.ts";

const QUERY_METHODS =
  /^(query|execute|findOne|findUnique|findUniqueOrThrow|findFirst|findById|findByPk|findMany|findAll|findOneBy|\$queryRaw|\$executeRaw|insertOne|updateOne|deleteOne|countDocuments|aggregate|upsert)$/;
const GENERIC_METHODS = /^(get|all|run|first|find|insert|update|delete|create|save|count|exec)$/;
const STORES =
  /(^|_)(db|database|pool|knex|prisma|sequelize|conn|connection|repo|repository|model|orm|mongo|sql|pg|mysql)$|(Db|DB|Repo|Repository|Model|Pool|Connection)$/;

/** Whether a call asks a database, by the method and by what it is called on. */
const isQuery = (call: NodeOf<"CallExpression">): boolean => {
  const callee = bare(call.callee);
  if (callee.type !== "MemberExpression") return false;
  const method = propertyName(callee) ?? "";
  const names = descendantsOf(callee.object).flatMap((one) => (one.type === "Identifier" ? [one.name] : []));
  const isStore = names.some((name) => STORES.test(name));
  if (QUERY_METHODS.test(method))
    return isStore || !/^(query|execute|aggregate|upsert)$/.test(method) || names.includes("client");
  return GENERIC_METHODS.test(method) && isStore;
};

const PACED =
  /sleep|delay|wait|pause|timeout|backoff|retry|throttle|tick|yield|drain|next|read|poll|write|send|flush|lock|acquire/i;

/** What an `await` waits for, when that is a call. */
const awaitedCall = (node: NodeOf<"AwaitExpression">): NodeOf<"CallExpression"> | null => {
  const argument = bare(node.argument);
  return argument.type === "CallExpression" ? argument : null;
};

const queryInLoop: PerformanceRule = performanceRule("query-in-loop", ["AwaitExpression"], (node, module, heat) => {
  const call = awaitedCall(node);
  if (call === null || !isQuery(call)) return null;
  const { loops } = heat();
  const loop = loops.find(({ kind }) => kind !== "while") ?? eachAwaited(node, module);
  if (loop === null || loop === undefined || isShort(loop, module)) return null;
  // The same for all elements, or a transaction step after the other, is not one query per element.
  if (!call.arguments.some((argument) => dependsOn(argument, loop.node, module))) return null;
  const message = `One query per element. Ask once for all of them (IN, a join, or a batch).${because(heat())}`;
  return { at: node, severity: heat().isScript ? "low" : hotter("medium", heat()), message };
});

/** `Promise.all(items.map(async (item) => await ...))`: the callback is asynchronous, the query is still one each. */
const eachAwaited = (node: Node, module: SourceModule): Loop | null => {
  const fn = functionAround(node, module);
  const call = fn === null ? null : module.parentOf(fn);
  if (call?.type !== "CallExpression") return null;
  const callee = bare(call.callee);
  const isEach = callee.type === "MemberExpression" && /^(map|forEach|flatMap)$/.test(propertyName(callee) ?? "");
  return isEach ? { node: call, over: callee.object, kind: "callback" } : null;
};

const isShort = (loop: Loop, module: SourceModule): boolean => loop.over !== null && isSmallConstant(loop.over, module);

/** Statements that make the order of a loop's turns matter. */
const BREAKS_ORDER: ReadonlySet<Node["type"]> = new Set<Node["type"]>([
  "BreakStatement",
  "ReturnStatement",
  "YieldExpression",
  "TryStatement",
  "ThrowStatement",
]);

/** Whether turns of a loop depend on each other: they end it early, or write what was declared outside. */
const areTurnsLinked = (loop: Node, module: SourceModule): boolean =>
  descendantsOf(loop).some((one) => {
    if (BREAKS_ORDER.has(one.type)) return true;
    const target =
      one.type === "AssignmentExpression" ? one.left : one.type === "UpdateExpression" ? one.argument : null;
    if (target === null) return false;
    const binding = module.bindingOf(rootOf(target));
    return binding === null || !isInside(binding.identifier, loop);
  });

const awaitsIn = (loop: Node, module: SourceModule): number => {
  const fn = functionAround(loop, module);
  return descendantsOf(loop).filter((one) => one.type === "AwaitExpression" && functionAround(one, module) === fn)
    .length;
};

const awaitInLoop: PerformanceRule = performanceRule("await-in-loop", ["AwaitExpression"], (node, module, heat) => {
  const call = awaitedCall(node);
  if (call === null || isQuery(call) || PACED.test(lastName(call.callee) ?? "")) return null;
  // A method of the object itself may change it, and then the order counts.
  if (rootOf(call.callee).type === "ThisExpression") return null;
  const [loop] = heat().loops;
  if (loop === undefined || loop.kind === "while" || loop.kind === "callback") return null;
  if (heat().isScript || isShort(loop, module) || module.ask(areTurnsLinked, loop.node)) return null;
  if (loop.node.type === "ForOfStatement" && loop.node.await) return null;
  // Several awaits make a sequence per element, whose order may be meant.
  if (module.ask(awaitsIn, loop.node) > 1) return null;
  if (!call.arguments.some((argument) => dependsOn(argument, loop.node, module))) return null;
  const message = `Each turn waits for the one before. If the order does not matter, start them together (Promise.all, or p-queue with a limit).${because(heat())}`;
  return { at: node, severity: hotter("low", heat()), message };
});

const regExpInLoop: PerformanceRule = performanceRule("regexp-in-loop", ["NewExpression"], (node, module, heat) => {
  const [pattern] = node.arguments;
  if (qualifiedName(node.callee, module) !== "RegExp" || pattern === undefined) return null;
  const [loop] = heat().loops;
  if (loop === undefined || isShort(loop, module) || isKept(node, loop.node, module)) return null;
  if (
    node.arguments.some((argument) => dependsOn(argument, loop.node, module)) ||
    !isStable(pattern, loop.node, module)
  )
    return null;
  const message = `The same regular expression is compiled in every turn. Make it once, before the loop.${because(heat())}`;
  return { at: node, severity: hotter("low", heat()), message };
});

/** `cached ??= new RegExp(...)`: made once, and kept outside the loop. */
const isKept = (node: Node, loop: Node, module: SourceModule): boolean => {
  const parent = module.parentOf(node);
  if (parent?.type !== "AssignmentExpression") return false;
  const binding = module.bindingOf(rootOf(parent.left));
  return binding === null || !isInside(binding.identifier, loop);
};

/** Whether an expression is the same in all turns: constants, and plain names declared outside. */
const isStable = (node: Node, loop: Node, module: SourceModule): boolean => {
  if (isConstant(node, module)) return true;
  return descendantsOf(node).every((one) => {
    if (one.type === "CallExpression" || one.type === "AwaitExpression" || one.type === "ThisExpression") return false;
    const binding = one.type === "Identifier" ? module.bindingOf(one) : null;
    return binding === null || (!module.isReassigned(binding) && !isInside(binding.identifier, loop));
  });
};

const sortInLoop: PerformanceRule = performanceRule("sort-in-loop", ["CallExpression"], (node, module, heat) => {
  const callee = bare(node.callee);
  if (callee.type !== "MemberExpression" || !/^(sort|toSorted)$/.test(propertyName(callee) ?? "")) return null;
  const receiver = bare(callee.object);
  const [loop] = heat().loops;
  if (loop === undefined || loop.kind === "while" || receiver.type !== "Identifier" || isShort(loop, module))
    return null;
  if (dependsOn(receiver, loop.node, module) || loop.over === receiver) return null;
  const message = `${receiver.name} is sorted again in every turn. Sort it once after the loop, or keep it in order as it grows.${because(heat())}`;
  return { at: node, severity: hotter("low", heat()), message };
});

const isText = (node: Node): boolean => {
  const inner = bare(node);
  return inner.type === "TemplateLiteral" || (inner.type === "Literal" && typeof inner.value === "string");
};

/** Loops around a place that a name outlives, without those over a few fixed elements. */
const loopsInside = (loops: readonly Loop[], binding: Binding, module: SourceModule): readonly Loop[] =>
  loops.filter((loop) => !isInside(binding.identifier, loop.node) && !isShort(loop, module));

const textInNestedLoop: PerformanceRule = {
  name: "text-in-nested-loop",
  check: (module, hot) => {
    const first = new Map<Binding, Node>();
    for (const node of module.nodes("AssignmentExpression")) {
      const binding = node.operator === "+=" ? module.bindingOf(node.left) : null;
      if (binding === null || binding.value === null || first.has(binding) || !isText(binding.value)) continue;
      if (loopsInside(loopsAround(node, module), binding, module).length > 1) first.set(binding, node);
    }
    return [...first].map(([binding, at]) => {
      const heat = heatOf(at, module, hot);
      const message = `${binding.name} grows piece by piece in nested loops. Collect the pieces in an array and join them once.${because(heat)}`;
      return { at, severity: hotter("low", heat), message };
    });
  },
};

/** `return [...all, x]`, `all = { ...all, x }`: the whole is copied to add one. */
const spreadOf = (node: Node): string | null => {
  const inner = bare(node);
  const spread =
    inner.type === "ArrayExpression"
      ? inner.elements[0]
      : inner.type === "ObjectExpression"
        ? inner.properties[0]
        : null;
  if (spread?.type === "SpreadElement") return spread.argument.type === "Identifier" ? spread.argument.name : null;
  if (inner.type !== "CallExpression") return null;
  const callee = bare(inner.callee);
  if (callee.type !== "MemberExpression") return null;
  if (propertyName(callee) === "concat" && callee.object.type === "Identifier") return callee.object.name;
  const [first] = inner.arguments;
  const isAssign = propertyName(callee) === "assign" && lastName(callee.object) === "Object" && first !== undefined;
  return isAssign && bare(first).type === "ObjectExpression" && inner.arguments[1]?.type === "Identifier"
    ? inner.arguments[1].name
    : null;
};

/** Errors are few: what only a `catch` does is not worth a word. */
const isInCatch = (node: Node, loop: Node, module: SourceModule): boolean => {
  let at = module.parentOf(node);
  while (at !== null && at !== loop && at.type !== "CatchClause") at = module.parentOf(at);
  return at?.type === "CatchClause";
};

const copyInLoop: PerformanceRule = performanceRule("copy-in-loop", ["AssignmentExpression"], (node, module, heat) => {
  if (node.operator !== "=" || node.left.type !== "Identifier" || spreadOf(node.right) !== node.left.name) return null;
  const binding = module.bindingOf(node.left);
  const loop = heat().loops.find(({ node: one }) => binding !== null && !isInside(binding.identifier, one));
  if (loop === undefined || loop.kind === "while" || isShort(loop, module) || isInCatch(node, loop.node, module))
    return null;
  const message = `${node.left.name} is copied as a whole to add to it, in every turn: the time grows with the square. Add in place.${because(heat())}`;
  return { at: node, severity: hotter("low", heat()), message };
});

/** What a reducer gives back, in all its branches. */
const returned = (fn: Node): Node[] => {
  if (!isFunction(fn)) return [];
  if (fn.body?.type !== "BlockStatement") return fn.body === null ? [] : [fn.body];
  return descendantsOf(fn.body).flatMap((one) =>
    one.type === "ReturnStatement" && one.argument !== null ? [one.argument] : [],
  );
};

const copyInReduce: PerformanceRule = performanceRule("copy-in-loop", ["CallExpression"], (node, module, heat) => {
  const [reducer, start] = node.arguments;
  const callee = bare(node.callee);
  if (callee.type !== "MemberExpression" || !/^reduce(Right)?$/.test(propertyName(callee) ?? "")) return null;
  if (reducer === undefined || !isFunction(reducer) || start === undefined) return null;
  const [first] = reducer.params;
  const name = first?.type === "Identifier" ? first.name : null;
  const copies = returned(reducer)
    .flatMap((value) => (bare(value).type === "ConditionalExpression" ? descendantsOf(value) : [value]))
    .some((value) => spreadOf(value) === name);
  if (name === null || !copies || isSmallConstant(callee.object, module)) return null;
  const message = `The reducer copies ${name} as a whole for every element: the time grows with the square. Add in place, or use a loop.${because(heat())}`;
  return { at: reducer, severity: hotter("low", heat()), message };
});

/** Work that loops repeat without need. */
export const loopRules: readonly PerformanceRule[] = [
  queryInLoop,
  awaitInLoop,
  regExpInLoop,
  sortInLoop,
  textInNestedLoop,
  copyInLoop,
  copyInReduce,
];
