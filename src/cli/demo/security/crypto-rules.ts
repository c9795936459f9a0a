import { ruleOn, type Rule } from "../rule.ts";
import { keyName, lastName, propertyName, qualifiedName, resolved } from "../syntax/names.ts";
import { bare, descendantsOf, isFunction, type FunctionLike, type Node, type NodeOf } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { functionAround } from "../syntax/surroundings.ts";
import { constantText } from "../syntax/values.ts";
import { isCredentialName, wordsOf } from "./secret-names.ts";

const isLiteral = (node: Node, value: unknown): boolean => {
  const inner = bare(node);
  return inner.type === "Literal" && inner.value === value;
};

const uncheckedOption: Rule = ruleOn("tls-unchecked", ["Property"], (node) => {
  const name = keyName(node);
  if (name === "rejectUnauthorized" || name === "strictSSL") {
    if (!isLiteral(node.value, false)) return null;
    return {
      at: node,
      severity: "high",
      message: `${name}: false accepts any certificate, so anyone in between can read and change the traffic. Add the CA instead.`,
    };
  }
  const value = bare(node.value);
  const isEmpty = isFunction(value) && (isEmptyBlock(value.body) || (value.body !== null && isUndefined(value.body)));
  return name === "checkServerIdentity" && isEmpty
    ? { at: node, severity: "high", message: "This checkServerIdentity accepts a certificate of any host." }
    : null;
});

const isEmptyBlock = (node: Node | null): boolean => node?.type === "BlockStatement" && node.body.length === 0;
const isUndefined = (node: Node): boolean =>
  (node.type === "Identifier" && node.name === "undefined") ||
  (node.type === "UnaryExpression" && node.operator === "void");

const uncheckedProcess: Rule = ruleOn("tls-unchecked", ["AssignmentExpression"], (node, module) => {
  const target = qualifiedName(node.left, module);
  const value = bare(node.right);
  const isOff = value.type === "Literal" && (value.value === "0" || value.value === 0);
  if (target !== "process.env.NODE_TLS_REJECT_UNAUTHORIZED" || !isOff) return null;
  const message =
    "This switches certificate checks off for every connection of the process. Set NODE_EXTRA_CA_CERTS instead.";
  return { at: node, severity: "high", message };
});

/** The name that a function goes by: its own, its variable's, its method's. */
const functionName = (fn: FunctionLike | null, module: SourceModule): string => {
  const parent = fn === null ? null : module.parentOf(fn);
  if (fn?.id) return fn.id.name;
  if (parent?.type === "VariableDeclarator") return lastName(parent.id) ?? "";
  return parent?.type === "MethodDefinition" || parent?.type === "Property" ? (keyName(parent) ?? "") : "";
};

/** The chain of calls that begins with `node`: `createHash("md5").update(x).digest()` as its last call. */
const chainOf = (node: Node, module: SourceModule): Node => {
  let top = node;
  for (let parent = module.parentOf(top); parent !== null; parent = module.parentOf(top)) {
    const continues =
      (parent.type === "MemberExpression" && parent.object === top) ||
      (parent.type === "CallExpression" && parent.callee === top) ||
      parent.type === "ChainExpression";
    if (!continues) break;
    top = parent;
  }
  return top;
};

const PASSWORD_WORDS: ReadonlySet<string> = new Set(["password", "passwd", "pwd", "passphrase"]);

const namesPassword = (name: string): boolean => wordsOf(name).some((word) => PASSWORD_WORDS.has(word));

const passwordHash: Rule = ruleOn("weak-password-hash", ["CallExpression"], (node, module) => {
  const [first] = node.arguments;
  if (qualifiedName(node.callee, module) !== "crypto.createHash" || first === undefined) return null;
  const algorithm = constantText(first, module)?.toLowerCase() ?? "";
  const names = descendantsOf(chainOf(node, module)).flatMap((one) => (one.type === "Identifier" ? [one.name] : []));
  if (![...names, functionName(functionAround(node, module), module)].some(namesPassword)) return null;
  const isBroken = /^(md[245]|sha-?1|ripemd.*)$/.test(algorithm);
  return {
    at: node,
    severity: isBroken ? "high" : "medium",
    message: isBroken
      ? `${algorithm} of a password is found by trying in seconds. Use scrypt or argon2 with a salt of its own for each.`
      : "One round of a fast hash lets passwords be tried by the billion. Use scrypt or argon2 with a salt of its own for each.",
  };
});

const RANDOM_SECRETS = /^(session|csrf|xsrf|nonce|salt|otp|captcha)$/;
const RANDOM_ENDINGS = /^(id|code|hash|session|csrf|xsrf|nonce|salt|otp|captcha)$/;
const RANDOM_IDS = /^(id|uuid|guid|uid|token)$/;

/** What a random value is used for, from a name it is given to: `sessionId` must be secret, `rowId` only different. */
const randomUse = (name: string): "secret" | "id" | null => {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  const isSecret = RANDOM_ENDINGS.test(last) && words.some((word) => RANDOM_SECRETS.test(word));
  if (isSecret || isCredentialName(name) || /^(token|iv|pin)$/.test(words.join(" "))) return "secret";
  return RANDOM_IDS.test(last) ? "id" : null;
};

/** The names that the value of `node` goes to, innermost first, up to its function. */
const namesGivenTo = (node: Node, module: SourceModule): string[] => {
  const names: string[] = [];
  let child = node;
  for (let parent = module.parentOf(child); parent !== null; parent = module.parentOf(child)) {
    if (parent.type === "VariableDeclarator" && parent.init === child) names.push(lastName(parent.id) ?? "");
    if (parent.type === "AssignmentExpression" && parent.right === child) names.push(lastName(parent.left) ?? "");
    if ((parent.type === "Property" || parent.type === "PropertyDefinition") && parent.value === child) {
      names.push(keyName(parent) ?? "");
    }
    if (isFunction(parent)) return [...names, functionName(parent, module)];
    // What is inside a condition, an index or a comparison is not the value itself.
    if (parent.type === "IfStatement" || (parent.type === "MemberExpression" && parent.property === child))
      return names;
    child = parent;
  }
  return names;
};

const insecureRandom: Rule = ruleOn("insecure-random", ["CallExpression"], (node, module) => {
  if (qualifiedName(node.callee, module) !== "Math.random") return null;
  const uses = namesGivenTo(node, module).map((name) => ({ name, use: randomUse(name) }));
  const worst = uses.find(({ use }) => use === "secret") ?? uses.find(({ use }) => use === "id");
  if (worst === undefined) return null;
  return worst.use === "secret"
    ? {
        at: node,
        severity: "high",
        message: `Math.random can be predicted, and ${worst.name} must not be. Use crypto.randomBytes or crypto.randomUUID.`,
      }
    : {
        at: node,
        severity: "low",
        message: `${worst.name} from Math.random can repeat and be guessed. Use crypto.randomUUID.`,
      };
});

const optionOf = (call: NodeOf<"CallExpression">, names: RegExp, module: SourceModule): Node | null => {
  for (const argument of call.arguments) {
    const object = resolved(argument, module);
    if (object.type !== "ObjectExpression") continue;
    for (const one of object.properties) {
      if (one.type === "Property" && names.test(keyName(one) ?? "")) return one.value;
    }
  }
  return null;
};

const namesNone = (option: Node | null, module: SourceModule): boolean =>
  option !== null &&
  descendantsOf(resolved(option, module)).some(
    (one) => one.type === "Literal" && typeof one.value === "string" && one.value.toLowerCase() === "none",
  );

/** Whether a function checks tokens, so that a decode in it is only a first look. */
const verifies = (fn: Node): boolean =>
  descendantsOf(fn).some((one) => one.type === "CallExpression" && /^(jwtV|v)erify/.test(lastName(one.callee) ?? ""));

const jwt: Rule = ruleOn("jwt-unverified", ["CallExpression"], (node, module) => {
  const name = qualifiedName(node.callee, module) ?? "";
  if (/^jsonwebtoken\.(sign|verify)$/.test(name) || /^jose\.(jwtVerify|jwtSign)$/.test(name)) {
    if (namesNone(optionOf(node, /^algorithms?$/, module), module)) {
      return { at: node, severity: "high", message: "The algorithm none accepts tokens that nobody signed." };
    }
    const ignores = optionOf(node, /^ignoreExpiration$/, module);
    return ignores !== null && isLiteral(ignores, true)
      ? { at: node, severity: "medium", message: "ignoreExpiration accepts tokens for ever, stolen ones too." }
      : null;
  }
  const decodes = /^(jsonwebtoken\.decode|jose\.decodeJwt|jwt-decode(\.jwtDecode)?|jwt-simple\.decode)$/.test(name);
  const isUnchecked = name === "jwt-simple.decode" ? isLiteral(node.arguments[2] ?? node, true) : decodes;
  if (!decodes || !isUnchecked || module.ask(verifies, functionAround(node, module) ?? module.program)) return null;
  // A page cannot check its own token; the server does.
  const isPage = name.startsWith("jwt-decode");
  const message = "decode reads a token without checking who signed it. Use verify where anything depends on it.";
  return { at: node, severity: isPage ? "low" : "medium", message };
});

/** `token.alg` and the like are members of the token; the member of a name is what counts. */
const timingUnsafe: Rule = ruleOn("timing-unsafe-compare", ["BinaryExpression"], (node, module) => {
  if (!/^[!=]==?$/.test(node.operator)) return null;
  const sides = [node.left, node.right].map((side) => bare(side));
  const isDigest = sides.some((side) => {
    const value = resolved(side, module);
    const callee = value.type === "CallExpression" ? bare(value.callee) : null;
    if (callee?.type !== "MemberExpression" || propertyName(callee) !== "digest") return false;
    return descendantsOf(value).some(
      (one) => one.type === "CallExpression" && qualifiedName(one.callee, module) === "crypto.createHmac",
    );
  });
  if (!isDigest) return null;
  const message = "Comparing a signature by === takes longer the more of it is right. Use crypto.timingSafeEqual.";
  return { at: node, severity: "medium", message };
});

/** What protects traffic, passwords and tokens, and doesn't. */
export const cryptoRules: readonly Rule[] = [
  uncheckedOption,
  uncheckedProcess,
  passwordHash,
  insecureRandom,
  jwt,
  timingUnsafe,
];
