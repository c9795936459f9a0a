import { ruleOn, type Remark, type Rule } from "../rule.ts";
import { keyName, lastName, qualifiedName, resolved } from "../syntax/names.ts";
import { bare, isFunction, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { isAboutAccess } from "./access.ts";
import { isCredentialName, secretKindOf } from "./secret-names.ts";
import { judgeSecret, knownKeyIn, urlPasswordIn, type KnownKey } from "./secret-values.ts";

/** A text that is written out, with its form in the source beside it, for masking. */
interface Written {
  readonly node: Node;
  readonly text: string;
  readonly secrets: readonly string[];
}

const writtenText = (node: Node | null): Written | null => {
  const inner = node === null ? null : bare(node);
  if (inner?.type === "Literal" && typeof inner.value === "string") {
    return {
      node: inner,
      text: inner.value,
      secrets: [inner.value, "raw" in inner ? (inner.raw ?? "").slice(1, -1) : ""],
    };
  }
  if (inner?.type === "TemplateLiteral" && inner.expressions.length === 0) {
    const raw = inner.quasis[0]?.value.raw ?? "";
    return { node: inner, text: inner.quasis[0]?.value.cooked ?? raw, secrets: [raw, ...raw.split("\n")] };
  }
  return null;
};

/** `env.SECRET ?? "text"`: the text that is used when nothing is set, under the name of what is read. */
const fallback = (node: Node): { name: string | null; text: Written | null } => {
  const inner = bare(node);
  if (inner.type !== "LogicalExpression" || inner.operator === "&&") return { name: null, text: writtenText(inner) };
  return { name: lastName(inner.left), text: writtenText(inner.right) };
};

const remarkOn = (name: string | null, node: Node | null, note: string): Remark | null => {
  if (node === null) return null;
  const { name: nameRead, text } = fallback(node);
  const named = [name, nameRead].find((one) => one !== null && secretKindOf(one) !== null) ?? null;
  if (text === null || named === null || knownKeyIn(text.text) !== null) return null;
  const kind = secretKindOf(named);
  const verdict =
    kind === null || text.text.toLowerCase() === named.toLowerCase() ? null : judgeSecret(kind, text.text);
  if (verdict === null) return null;
  const message =
    verdict === "real"
      ? `${named} is written into the source${note}. Whoever reads the code has it. Read it from the environment, and replace this one.`
      : `${named} has a well-known stand-in value${note}. Fail at start when it is not set instead.`;
  return { at: text.node, severity: verdict === "real" ? "high" : "low", message, secrets: text.secrets };
};

const isFallback = (node: Node | null): string =>
  node !== null && bare(node).type === "LogicalExpression" ? " as the value to fall back to" : "";

const namedSecret: Rule = ruleOn(
  "hardcoded-secret",
  ["VariableDeclarator", "Property", "PropertyDefinition", "AssignmentExpression", "AssignmentPattern", "JSXAttribute"],
  (node) => {
    switch (node.type) {
      case "VariableDeclarator":
        return node.id.type === "Identifier" ? remarkOn(node.id.name, node.init, isFallback(node.init)) : null;
      case "Property":
      case "PropertyDefinition":
        return remarkOn(keyName(node), node.value, isFallback(node.value));
      case "AssignmentExpression":
        return node.operator === "+=" ? null : remarkOn(lastName(node.left), node.right, isFallback(node.right));
      case "AssignmentPattern":
        return remarkOn(lastName(node.left), node.right, " as a default");
      case "JSXAttribute":
        return remarkOn(node.name.type === "JSXIdentifier" ? node.name.name : null, node.value, "");
      default:
        return null;
    }
  },
);

const remarkOnKey = (node: Node, text: string, key: KnownKey | null): Remark | null => {
  if (key === null) return null;
  const severity = key.isWeak ? "low" : "high";
  const advice = key.isWeak ? "It looks like an example" : "Revoke it, and read its successor from the environment";
  return {
    at: node,
    severity,
    message: `The form of this text is that of ${key.name}. ${advice}.`,
    secrets: text.includes("PRIVATE KEY") ? [key.value, text, ...text.split("\n")] : [key.value],
  };
};

/** Keys that only their issuer can have made, wherever they stand. */
export const issuedKeyRule: Rule = ruleOn("hardcoded-secret", ["Literal", "TemplateElement"], (node) => {
  const text = textOf(node);
  const key = text.length < 12 ? null : knownKeyIn(text);
  return key?.isIssued === true ? remarkOnKey(node, text, key) : null;
});

/** Keys whose form gives them away. */
const keyFormat: Rule = ruleOn("hardcoded-secret", ["Literal", "TemplateElement"], (node) => {
  const text = textOf(node);
  return text.length < 12 ? null : remarkOnKey(node, text, knownKeyIn(text));
});

const urlPassword: Rule = ruleOn("hardcoded-secret", ["Literal", "TemplateElement"], (node) => {
  const text = textOf(node);
  return text.includes("://") ? remarkOnKey(node, text, urlPasswordIn(text)) : null;
});

/** Longer texts are data; what matters of a key stands at its beginning. */
const TEXT_LENGTH_MAX = 10_000;

const textOf = (node: NodeOf<"Literal" | "TemplateElement">): string => {
  const text = node.type === "TemplateElement" ? (node.value.cooked ?? node.value.raw) : node.value;
  return typeof text === "string" ? text.slice(0, TEXT_LENGTH_MAX) : "";
};

/** Calls whose argument at this position is a key. */
const KEY_ARGUMENTS: Readonly<Record<string, number>> = {
  "jsonwebtoken.sign": 1,
  "jsonwebtoken.verify": 1,
  "crypto.createHmac": 1,
  "crypto.createCipheriv": 1,
  "crypto.createDecipheriv": 1,
  "cookie-parser": 0,
};

const keyArgument: Rule = ruleOn("hardcoded-secret", ["CallExpression"], (node, module) => {
  const name = qualifiedName(node.callee, module) ?? "";
  const position = Object.hasOwn(KEY_ARGUMENTS, name) ? KEY_ARGUMENTS[name] : undefined;
  const argument = position === undefined ? undefined : node.arguments[position];
  if (argument === undefined) return null;
  const { text } = fallback(argument);
  if (text === null || text.text === "" || knownKeyIn(text.text) !== null) return null;
  const message = `The key given to ${name} is written into the source. Whoever reads the code can forge what it signs or read what it hides.`;
  return { at: text.node, severity: "high", message, secrets: text.secrets };
});

/** `if (password === "...")`: a password that the code itself knows. */
const comparedSecret: Rule = ruleOn("hardcoded-secret", ["BinaryExpression"], (node: NodeOf<"BinaryExpression">) => {
  if (!/^[!=]==?$/.test(node.operator) || node.left.type === "PrivateIdentifier") return null;
  const name = lastName(node.left);
  return name !== null && secretKindOf(name) === "password" ? remarkOn(name, node.right, " and compared with") : null;
});

/** Secrets written into the source: by name, by form, as the key of a call, or compared with. */
export const secretRules: readonly Rule[] = [namedSecret, keyFormat, urlPassword, keyArgument, comparedSecret];

/** Whether an identifier is a value that holds a credential: no type, no function, no import, no table of names. */
const holdsCredential = (node: NodeOf<"Identifier">, module: SourceModule): boolean => {
  if (!isCredentialName(node.name) && !(node.name === "token" && isAboutAccess(module))) return false;
  const parent = module.parentOf(node);
  const isCalled = parent?.type === "CallExpression" && parent.callee === node;
  if (parent === null || isCalled || parent.type.startsWith("TS") || parent.type.startsWith("Import")) return false;
  if (/^[A-Z0-9_]+$/.test(node.name)) {
    return parent.type === "MemberExpression" && qualifiedName(parent.object, module) === "process.env";
  }
  if (isFunction(resolved(node, module))) return false;
  const kind = module.bindingOf(node)?.kind;
  return kind !== "import" && kind !== "function" && kind !== "class" && !/^[A-Z]/.test(node.name);
};

/** Where a module handles credentials: the first place that reads, checks or makes one; null when it doesn't. */
export const credentialHandling = (module: SourceModule): { node: Node; what: string } | null => {
  const calls = module.nodes("CallExpression").flatMap((node) => {
    const name = qualifiedName(node.callee, module) ?? "";
    return CREDENTIAL_CALLS.test(name) ? [{ node, what: `calls ${name}` }] : [];
  });
  const names = module
    .nodes("Identifier")
    .flatMap((node) => (holdsCredential(node, module) ? [{ node, what: `handles ${node.name}` }] : []));
  return [...calls, ...names].toSorted((a, b) => a.node.start - b.node.start)[0] ?? null;
};

const CREDENTIAL_CALLS =
  /^(jsonwebtoken|jose|bcrypt(js)?|argon2|passport|jwt-decode)(\.|$)|^crypto\.(createHmac|pbkdf2|scrypt|timingSafeEqual|createSign|createVerify)/;
