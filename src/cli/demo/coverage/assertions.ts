import { calleeOf } from "../performance/callees.ts";
import type { Project } from "../project.ts";
import { propertyName } from "../syntax/names.ts";
import { bare, descendantsOf, type FunctionLike, type Node } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";

const ASSERTING =
  /^(expect|assert|should|must|verify|check|ensure|validate|chai|sinon|invariant)([A-Z_\d]|$)|snapshot|^to(Be|Equal|Have|Match|Throw)|^(cy|page|browser|screen|waitFor\w*|(find|get)(All)?By\w+)$|^(fail|pass|plan|equal|deepEqual|strictEqual|ok|notOk|throws|rejects|same)$/i;

/** Helpers are followed so many calls deep. */
const CALLS_DEEP_MAX = 4;

/** The names along a callee: `expect`, `a`, `not`, `toBe` for `expect(a).not.toBe`. */
const namesAlong = (callee: Node): string[] => {
  const names: string[] = [];
  let at: Node = bare(callee);
  while (at.type === "MemberExpression" || at.type === "CallExpression") {
    if (at.type === "MemberExpression") names.push(propertyName(at) ?? "");
    at = bare(at.type === "MemberExpression" ? at.object : at.callee);
  }
  if (at.type === "Identifier") names.push(at.name);
  return names;
};

/** Whether the function uses what its test runner hands it: a context with assertions, or `done`. */
const usesParameter = (fn: FunctionLike, module: SourceModule): boolean => {
  const [parameter] = fn.params;
  if (parameter?.type !== "Identifier" || !/^(t|done|assert|ctx|context|test|cb|callback|next)$/.test(parameter.name))
    return false;
  const binding = module.bindingOf(parameter);
  return binding !== null && module.referencesTo(binding).length > 0;
};

/** Whether a line of the function is there to be refused by the compiler. */
const isTypeTest = (fn: FunctionLike, module: SourceModule): boolean =>
  /@ts-expect-\w+/.test(module.file.text.slice(fn.start, fn.end));

/** Whether code can fail a test by more than an accident: it asserts, throws, or calls a helper that does. */
export const canFail = (fn: FunctionLike, module: SourceModule, project: Project, depth = CALLS_DEEP_MAX): boolean => {
  if (usesParameter(fn, module) || isTypeTest(fn, module)) return true;
  return descendantsOf(fn).some((one) => {
    // A type in a test is checked by the compiler: `type _ = Expect<Equal<A, B>>`.
    if (one.type === "TSTypeAliasDeclaration" || one.type === "TSSatisfiesExpression") return true;
    if (one.type === "ThrowStatement") return true;
    if (one.type === "MemberExpression") return propertyName(one) === "should";
    if (one.type !== "CallExpression") return false;
    if (namesAlong(one.callee).some((name) => ASSERTING.test(name))) return true;
    const callee = depth === 0 ? null : calleeOf(one, module, project);
    return (
      callee !== null &&
      callee.fn !== fn &&
      callee.module.role === "test" &&
      canFail(callee.fn, callee.module, project, depth - 1)
    );
  });
};
