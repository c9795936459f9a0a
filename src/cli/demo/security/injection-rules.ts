import { ruleOn, type Remark, type Rule } from "../rule.ts";
import { kindOf } from "../syntax/kinds.ts";
import { keyName, lastName, propertyName, qualifiedName, resolved } from "../syntax/names.ts";
import { bare, descendantsOf, isFunction, type Node, type NodeOf } from "../syntax/node.ts";
import { isRequestInput } from "../syntax/requests.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { isConstant, textParts, type TextPart } from "../syntax/values.ts";

const SQL_METHODS =
  /^(query|execute|exec|prepare|raw|all|get|run|each|any|one|none|many|manyOrNone|oneOrNone|\$queryRawUnsafe|\$executeRawUnsafe|whereRaw|orderByRaw|selectRaw|queryRaw|executeRaw|unsafe)$/;
const SQL_START =
  /^\s*(select\s[\s\S]*\bfrom\b|insert\s+(or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(create|drop|alter|truncate)\s+(table|index|view|user|database)\b|replace\s+into\s)/i;
/** Stands for a value in the text of a statement. */
const VALUE = "◦";
const SAFE_CALLS =
  /^(escape\w*|quote\w*|Number|parseInt|parseFloat|format|id|identifier|literal|placeholders?|columns?|table\w*)$/i;
const SAFE_NAMES = /^(placeholders?|columns?|escaped\w*|quoted\w*)$/i;

const calledName = (node: Node): string => {
  const inner = bare(node);
  return inner.type === "CallExpression" ? (lastName(inner.callee) ?? "") : "";
};

/** Values that cannot change the statement: fixed ones, numbers, escaped ones, and lists of placeholders. */
const isHarmlessInSql = (part: Node, module: SourceModule): boolean => {
  const inner = resolved(part, module);
  if (isRequestInput(inner, module)) return false;
  if (isConstant(inner, module) || SAFE_CALLS.test(calledName(inner)) || SAFE_NAMES.test(lastName(inner) ?? "")) {
    return true;
  }
  if (kindOf(part, module) === "number") return true;
  if (inner.type === "UpdateExpression" || inner.type === "MemberExpression") return lastName(inner) === "length";
  // `ids.map(() => "?").join(",")`: as many marks as there are values.
  return (
    calledName(inner) === "join" &&
    descendantsOf(inner).some((one) => {
      if (one.type === "TemplateElement") return one.value.raw.endsWith("$");
      return one.type === "Literal" && typeof one.value === "string" && /^\s*(\?|\$\d?)$/.test(one.value);
    })
  );
};

/** What the name that an identifier declares begins with, and the texts added to it by `+=` anywhere in its module. */
const appendedTo = (identifier: Node, module: SourceModule): TextPart[] => {
  const binding = module.bindingOf(identifier);
  if (binding === null || binding.value === null) return [];
  const start = binding.path?.length === 0 && binding.loop === null ? textParts(binding.value, module) : [];
  const rest = module.referencesTo(binding).flatMap((reference) => {
    const parent = module.parentOf(reference);
    const isAppended = parent?.type === "AssignmentExpression" && parent.operator === "+=" && parent.left === reference;
    return isAppended ? textParts(parent.right, module) : [];
  });
  return [...start, ...rest];
};

const statementOf = (argument: Node, module: SourceModule): TextPart[] => {
  const inner = resolved(argument, module);
  if (inner.type === "ObjectExpression") {
    const text = inner.properties.find(
      (one) => one.type === "Property" && /^(text|sql|query)$/.test(keyName(one) ?? ""),
    );
    return text?.type === "Property" ? textParts(text.value, module) : [];
  }
  const parts = textParts(argument, module);
  const binding = module.bindingOf(bare(argument));
  if (binding === null || parts.some((part) => typeof part === "string")) return parts;
  return module.ask(appendedTo, binding.identifier);
};

/** Whether the name of a table or a column comes next after these pieces of SQL: quoted, or behind its keyword. */
const isNamePosition = (before: readonly TextPart[]): boolean => {
  const text = before.map((part) => (typeof part === "string" ? part : "x")).join("");
  const isQuoted = text.split(/["`[\]]/).length % 2 === 0;
  return isQuoted || /\b(from|into|update|table|join|column|index|exists|database|schema|view|by)\s+$/i.test(text);
};

/** What stands beyond this in a statement is not looked at. */
const STATEMENT_LENGTH_MAX = 10_000;
const STATEMENT_PARTS_MAX = 100;

const sqlInjection: Rule = ruleOn("sql-injection", ["CallExpression"], (node, module) => {
  const callee = bare(node.callee);
  const [argument] = node.arguments;
  if (callee.type !== "MemberExpression" || argument === undefined) return null;
  if (!SQL_METHODS.test(propertyName(callee) ?? "")) return null;
  const parts = statementOf(argument, module).slice(0, STATEMENT_PARTS_MAX);
  const text = parts
    .map((part) => (typeof part === "string" ? part : VALUE))
    .join("")
    .slice(0, STATEMENT_LENGTH_MAX);
  if (!SQL_START.test(text)) return null;
  const risky = parts.filter(
    (part, i): part is Node =>
      typeof part !== "string" &&
      !isHarmlessInSql(part, module) &&
      // The name of a table can't be a parameter; only a client's choice of it is a fault.
      (!isNamePosition(parts.slice(0, i)) || isRequestInput(part, module)),
  );
  if (risky.length === 0) return null;
  const isInput = risky.some((value) => isRequestInput(value, module));
  const isQuoted = /'◦'|=\s*◦|like\s+'%?◦|\(\s*◦|values\s*\(.*◦/i.test(text);
  return {
    at: node,
    severity: isInput || isQuoted ? "high" : "medium",
    message: isInput
      ? "This SQL statement is put together with what a client sent. Pass values as parameters."
      : "This SQL statement is put together with values, which can change what it does. Pass values as parameters.",
  };
});

/** MongoDB runs the text of `$where` as a program. */
const mongoWhere: Rule = ruleOn("sql-injection", ["Property"], (node, module) => {
  if (keyName(node) !== "$where") return null;
  const values = textParts(node.value, module).filter((part) => typeof part !== "string");
  if (values.every((value) => isConstant(value, module) || isFunction(bare(value)))) return null;
  const message = "$where runs this text as a program in the database, values and all. Use query operators.";
  return { at: node, severity: "high", message };
});

const SANITISERS =
  /sanitiz|sanitis|escape|purify|encode|^h$|^html$|trustedHTML|createHTML|marked|safe|JSON\.stringify/i;

/** Whether a text goes into a page as it came: not written out, not escaped. */
const isRawHtml = (node: Node, module: SourceModule): boolean =>
  textParts(node, module).some((part) => {
    if (typeof part === "string" || isConstant(part, module) || kindOf(part, module) === "number") return false;
    const inner = resolved(part, module);
    if (inner.type === "CallExpression")
      return !SANITISERS.test(qualifiedName(inner.callee, module) ?? calledName(inner));
    if (inner.type === "ConditionalExpression") {
      return isRawHtml(inner.consequent, module) || isRawHtml(inner.alternate, module);
    }
    if (inner.type === "TaggedTemplateExpression") return false;
    return !/(escaped|sanitiz|sanitis|safe)\w*$|innerHTML$/i.test(lastName(inner) ?? "");
  });

const htmlRemark = (at: Node, value: Node, how: string, module: SourceModule): Remark | null => {
  if (!isRawHtml(value, module)) return null;
  const isInput = isRequestInput(value, module);
  return {
    at,
    severity: "high",
    message: `${how} puts ${isInput ? "what a client sent" : "a text that is only known at run time"} into the page as HTML, scripts included. Use textContent, or sanitise it.`,
  };
};

const htmlAssignment: Rule = ruleOn("html-injection", ["AssignmentExpression"], (node, module) => {
  const property = node.left.type === "MemberExpression" ? propertyName(node.left) : null;
  if (property !== "innerHTML" && property !== "outerHTML") return null;
  return htmlRemark(node, node.right, property, module);
});

const htmlCall: Rule = ruleOn("html-injection", ["CallExpression"], (node, module) => {
  const name = qualifiedName(node.callee, module) ?? "";
  const position = lastName(node.callee) === "insertAdjacentHTML" ? 1 : /^document\.write(ln)?$/.test(name) ? 0 : null;
  const value = position === null ? undefined : node.arguments[position];
  return value === undefined ? null : htmlRemark(node, value, lastName(node.callee) ?? name, module);
});

const htmlAttribute: Rule = ruleOn("html-injection", ["JSXAttribute"], (node: NodeOf<"JSXAttribute">, module) => {
  if (node.name.type !== "JSXIdentifier" || node.name.name !== "dangerouslySetInnerHTML") return null;
  if (node.value?.type !== "JSXExpressionContainer") return null;
  const object = resolved(node.value.expression, module);
  const html = object.type === "ObjectExpression" ? object.properties[0] : undefined;
  return html?.type === "Property" ? htmlRemark(node, html.value, "dangerouslySetInnerHTML", module) : null;
});

/** Values that become part of a statement or a page. */
export const injectionRules: readonly Rule[] = [sqlInjection, mongoWhere, htmlAssignment, htmlCall, htmlAttribute];
