import { ruleOn, type Rule } from "../rule.ts";
import { keyName, lastName, propertyName, qualifiedName, resolved, rootOf } from "../syntax/names.ts";
import { bare, descendantsOf, type Node, type NodeOf } from "../syntax/node.ts";
import { isRequestInput } from "../syntax/requests.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { functionAround } from "../syntax/surroundings.ts";
import { constantText, isConstant, textParts } from "../syntax/values.ts";
import { isAboutAccess } from "./access.ts";
import { isCredentialName, secretKindOf } from "./secret-names.ts";

const TOKEN_PARAMETER =
  /[?&](access_?token|auth_?token|token|api_?key|secret|password|auth|jwt|sig|session(_?id)?|sid)=$/i;

/** One-time links that are sent by mail carry their token in the address by nature. */
const ONE_TIME = /reset|verif|confirm|invit|unsubscribe|activat|magic|signup|sign-up|callback/i;

const tokenInUrl: Rule = ruleOn("token-in-url", ["TemplateLiteral", "BinaryExpression"], (node, module) => {
  if (node.type === "BinaryExpression" && node.operator !== "+") return null;
  const parent = module.parentOf(node);
  if (parent?.type === "BinaryExpression" && parent.operator === "+") return null;
  const parts = textParts(node, module);
  const at = parts.findIndex(
    (part, i) => typeof part === "string" && TOKEN_PARAMETER.test(part) && typeof parts[i + 1] === "object",
  );
  const value = parts[at + 1];
  if (at < 0 || value === undefined || typeof value === "string" || isConstant(value, module)) return null;
  if (parts.some((part) => typeof part === "string" && ONE_TIME.test(part))) return null;
  const message = "A secret in an address ends up in logs, histories and referrers. Send it in a header.";
  return { at: node, severity: "medium", message };
});

const tokenInSearch: Rule = ruleOn("token-in-url", ["CallExpression"], (node, module) => {
  const callee = bare(node.callee);
  const [first, second] = node.arguments;
  if (callee.type !== "MemberExpression" || first === undefined || second === undefined) return null;
  if (!/^(set|append)$/.test(propertyName(callee) ?? "") || lastName(callee.object) !== "searchParams") return null;
  const name = constantText(first, module) ?? "";
  if (!TOKEN_PARAMETER.test(`?${name}=`) || isConstant(second, module)) return null;
  const message = "A secret in an address ends up in logs, histories and referrers. Send it in a header.";
  return { at: node, severity: "medium", message };
});

const LOGGERS = /^(console|log|logger|logging|pino|winston|bunyan)$/i;
const LOG_METHODS = /^(log|info|debug|trace|warn|error|fatal|dir)$/;

/** Parts of an argument whose value is shown: not what is only counted, hidden or compared. */
const shownNames = (node: Node): Node[] => {
  const inner = bare(node);
  switch (inner.type) {
    case "Identifier":
    case "MemberExpression":
      return [inner];
    case "TemplateLiteral":
      return inner.expressions.flatMap(shownNames);
    case "BinaryExpression":
      return inner.operator === "+" ? [inner.left, inner.right].flatMap(shownNames) : [];
    case "ObjectExpression":
      return inner.properties.flatMap((one) => (one.type === "Property" ? shownNames(one.value) : []));
    case "ConditionalExpression":
      return [inner.consequent, inner.alternate].flatMap(shownNames);
    case "LogicalExpression":
      return [inner.left, inner.right].flatMap(shownNames);
    default:
      return [];
  }
};

const secretLogged: Rule = ruleOn("secret-logged", ["CallExpression"], (node, module) => {
  const callee = bare(node.callee);
  if (callee.type !== "MemberExpression" || !LOG_METHODS.test(propertyName(callee) ?? "")) return null;
  if (!LOGGERS.test(lastName(callee.object) ?? "") && !LOGGERS.test(lastName(rootOf(callee)) ?? "")) return null;
  const names = node.arguments.flatMap(shownNames).map((shown) => lastName(shown) ?? "");
  const secret = names.find((name) => isCredentialName(name) || (/^_?token$/i.test(name) && isAboutAccess(module)));
  if (secret === undefined) return null;
  const severity = secretKindOf(secret) === "password" ? "high" : "medium";
  const message = `${secret} is written to the log, where it stays and is read by many. Leave it out, or log that it is set.`;
  return { at: node, severity, message };
});

const PATH_CALLS = /^path\.(join|resolve)$/;
const FILE_CALLS =
  /^(fs|fs\.promises|fs\/promises|fs-extra)\.(readFile|readFileSync|writeFile|writeFileSync|createReadStream|createWriteStream|unlink|unlinkSync|rm|rmSync|open|openSync|appendFile|readdir|readdirSync|stat|copyFile|rename)$/;

/** Whether a function looks where a path leads before it uses it. */
const checksPaths = (fn: Node, module: SourceModule): boolean =>
  descendantsOf(fn).some(
    (one) =>
      one.type === "CallExpression" &&
      (/^(startsWith|isInside\w*|isSubpath|isWithin\w*)$/.test(lastName(one.callee) ?? "") ||
        qualifiedName(one.callee, module) === "path.relative"),
  );

const pathTraversal: Rule = ruleOn("path-traversal", ["CallExpression"], (node, module) => {
  const name = qualifiedName(node.callee, module) ?? "";
  const isSend =
    /^(sendFile|download)$/.test(lastName(node.callee) ?? "") &&
    /^(res|response|reply)$/.test(lastName(rootOf(node.callee)) ?? "");
  const looked = PATH_CALLS.test(name)
    ? node.arguments
    : FILE_CALLS.test(name) || isSend
      ? node.arguments.slice(0, 1)
      : [];
  if (
    !looked.some((argument) => isRequestInput(argument, module)) ||
    module.ask(checksPaths, functionAround(node, module) ?? module.program)
  )
    return null;
  // A path that was joined before is one fault, told where it was joined.
  const inner = looked[0] === undefined ? null : resolved(looked[0], module);
  if (inner?.type === "CallExpression" && PATH_CALLS.test(qualifiedName(inner.callee, module) ?? "")) return null;
  const message =
    "A client can name any file here by .. in the path. Resolve it and check that it still begins with the folder.";
  return { at: node, severity: "high", message };
});

const redirect: Rule = ruleOn("open-redirect", ["CallExpression"], (node, module) => {
  if (!/^(redirect|sendRedirect)$/.test(lastName(node.callee) ?? "")) return null;
  const target = node.arguments.find((argument) => isRequestInput(argument, module));
  // Back to where the browser says it came from, or to the same address: nobody else chooses that.
  const isOwn =
    target !== undefined &&
    /referr?er|\b(c|ctx|context|req|request)\.(originalUrl|url|path)\b/i.test(
      module.file.text.slice(target.start, target.end),
    );
  if (target === undefined || isOwn || isRelativeTarget(target, module)) return null;
  const message =
    "Anyone can make this address lead to another site by a link to yours. Redirect to paths of your own only.";
  return { at: node, severity: "medium", message };
});

/** A target that begins with a path or a host of its own can't lead away: `/a/${id}`. */
const isRelativeTarget = (node: Node, module: SourceModule): boolean => {
  const [first] = textParts(node, module);
  return typeof first === "string" && /^(\/[^/\\]|https?:\/\/[^/]+\/|\?|#)/.test(first);
};

const AUTH_COOKIE = /sess|sid$|token|auth|jwt|remember|login/i;

const cookieRemark = (
  at: Node,
  name: string,
  options: Node | null,
  module: SourceModule,
): ReturnType<Rule["check"]>[0] | null => {
  const object = options === null ? null : resolved(options, module);
  if (!AUTH_COOKIE.test(name) || /csrf|xsrf/i.test(name)) return null;
  if (object !== null && object.type !== "ObjectExpression") return null;
  const properties = object?.properties ?? [];
  if (properties.some((one) => one.type !== "Property")) return null;
  const flag = properties.find((one) => one.type === "Property" && /^httpOnly$/i.test(keyName(one) ?? ""));
  const value = flag?.type === "Property" ? bare(flag.value) : null;
  if (value !== null && !(value.type === "Literal" && value.value === false)) return null;
  const message = `The cookie ${name} is not httpOnly, so any script in the page can read it.`;
  return { at, severity: "medium", message };
};

const cookie: Rule = ruleOn("cookie-readable", ["CallExpression"], (node: NodeOf<"CallExpression">, module) => {
  const callee = bare(node.callee);
  const method = lastName(callee) ?? "";
  const receiver = callee.type === "MemberExpression" ? lastName(callee.object) : null;
  const isOnResponse = /^(cookie|setCookie)$/.test(method) && /^_?(res|response|reply)$/.test(receiver ?? "");
  const isInStore = method === "set" && /^cookies$/.test(receiver ?? "");
  const isHono = method === "setCookie" && callee.type === "Identifier";
  if (!isOnResponse && !isInStore && !isHono) return null;
  const [nameArgument, valueArgument, options] = isHono ? node.arguments.slice(1) : node.arguments;
  if (nameArgument === undefined || valueArgument === undefined) return null;
  const name = constantText(nameArgument, module);
  return name === null ? null : cookieRemark(node, name, options ?? null, module);
});

const cookieHeader: Rule = ruleOn("cookie-readable", ["CallExpression"], (node, module) => {
  const [header, value] = node.arguments;
  if (
    !/^(setHeader|header|append|set)$/.test(lastName(node.callee) ?? "") ||
    header === undefined ||
    value === undefined
  )
    return null;
  if (constantText(header, module)?.toLowerCase() !== "set-cookie") return null;
  const text = textParts(value, module)
    .map((part) => (typeof part === "string" ? part : "?"))
    .join("");
  const name = /^([\w-]+)=/.exec(text)?.[1];
  if (name === undefined || /httponly/i.test(text) || !AUTH_COOKIE.test(name)) return null;
  return {
    at: node,
    severity: "medium",
    message: `The cookie ${name} is not HttpOnly, so any script in the page can read it.`,
  };
});

/** What goes out to clients, logs and files, and what comes in from them. */
export const webRules: readonly Rule[] = [
  tokenInUrl,
  tokenInSearch,
  secretLogged,
  pathTraversal,
  redirect,
  cookie,
  cookieHeader,
];
