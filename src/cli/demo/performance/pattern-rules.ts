import { qualifiedName } from "../syntax/names.ts";
import { isRequestInput } from "../syntax/requests.ts";
import { constantText } from "../syntax/values.ts";
import { isExponential } from "./ambiguous-pattern.ts";
import { because, hotter, performanceRule, type PerformanceRule } from "./performance-rule.ts";

const WHY =
  "A loop of this regular expression can read the same text in several ways, so a text that nearly matches takes exponential time. Make the parts of the loop exclude each other.";

const literal: PerformanceRule = performanceRule("slow-regexp", ["Literal"], (node, module, heat) => {
  if (!("regex" in node) || !isExponential(node.regex.pattern, node.regex.flags)) return null;
  return { at: node, severity: hotter("medium", heat()), message: `${WHY}${because(heat())}` };
});

const constructed: PerformanceRule = performanceRule(
  "slow-regexp",
  ["NewExpression", "CallExpression"],
  (node, module, heat) => {
    const [pattern, flags] = node.arguments;
    if (pattern === undefined || qualifiedName(node.callee, module) !== "RegExp") return null;
    if (isRequestInput(pattern, module)) {
      const message =
        "A client can send any regular expression here, one that never ends too. Escape the text, or search without one.";
      return { at: node, severity: "high", message };
    }
    const source = constantText(pattern, module);
    const options = flags === undefined ? "" : (constantText(flags, module) ?? "");
    if (source === null || !isExponential(source, options)) return null;
    return { at: node, severity: hotter("medium", heat()), message: `${WHY}${because(heat())}` };
  },
);

/** Regular expressions that a text can bring to a halt. */
export const patternRules: readonly PerformanceRule[] = [literal, constructed];
