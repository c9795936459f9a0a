/** A key whose form alone tells what it is. */
export interface KeyFormat {
  readonly name: string;
  /** Whether only its issuer can make one: whatever else is made by everyone's tests. */
  readonly isIssued: boolean;
  readonly pattern: RegExp;
}

/** Forms that issuers publish so that scanners can find leaked keys. */
export const KEY_FORMATS: readonly KeyFormat[] = [
  { name: "an AWS access key", isIssued: true, pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/ },
  {
    name: "a GitHub token",
    isIssued: true,
    pattern: /\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{50,90}\b/,
  },
  { name: "a GitLab token", isIssued: true, pattern: /\bglpat-[A-Za-z0-9_-]{20}\b/ },
  { name: "an npm token", isIssued: true, pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { name: "a Slack token", isIssued: true, pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20,200}\b/ },
  { name: "a Stripe live key", isIssued: true, pattern: /\b[rs]k_live_[A-Za-z0-9]{20,200}\b/ },
  {
    name: "a model provider's API key",
    isIssued: true,
    pattern: /\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{24,200}\b/,
  },
  { name: "a Google API key", isIssued: true, pattern: /\bAIza[A-Za-z0-9_-]{35}\b/ },
  { name: "a SendGrid key", isIssued: true, pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/ },
  {
    name: "a signed JSON web token",
    isIssued: false,
    pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/,
  },
  {
    name: "a private key",
    isIssued: false,
    pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----[\s\\nr"'+,]{0,20}[A-Za-z0-9+/=]{30}/,
  },
];

/** A password inside an address: `postgres://user:password@host`. */
export const URL_PASSWORD = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`]{1,80}:([^\s:/@"'`]{3,100})@[^\s/"'`]/i;

const PLACEHOLDER =
  /^[<[{(%$*]|^(?:your|my|insert|enter|put|add|replace|set|some|the)[-_ ]|\*\*\*|xxx|\.\.\.|…|redacted|placeholder|todo|dummy|fake|mock|^(?:lorem|foo|bar)|^(?:null|undefined|none|empty|n\/a|true|false)$|^(.)\1*$|^(?:0123|1234|abcd)\w*$/i;

const WEAK =
  /change[-_ ]?(?:me|this|it)|(?:^|[^a-z])(?:example|sample|insecure|default|test)(?:[^a-z]|$)|^(?:admin|root|letmein|qwerty|postgres|guest|hunter2|secret|dev|demo|user)\d*$/i;

/** Shapes that are names or addresses of something rather than secrets. */
const NAME_LIKE =
  /^[a-z]+([-_.:/ ][a-z]+)+$|^[A-Z]+(_[A-Z]+)*$|^[a-z]+([A-Z][a-z]+)*$|^\.{0,2}\/|^(https?|wss?|file|data):|^#|^\w+\(.*\)$|\$\{|\{\{|%s|^--/;

/** Bits per character: how unpredictable a text is by its letters alone. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const length = [...text].length;
  return [...counts.values()].reduce((bits, count) => bits - (count / length) * Math.log2(count / length), 0);
};

const hasDigitOrSymbol = (text: string): boolean => /\d|[!@#$%^&*?+=~]/.test(text);

const isRandomLooking = (text: string): boolean =>
  text.length >= 16 && /\d/.test(text) && /[a-z]/i.test(text) && !/\s/.test(text) && entropyOf(text) >= 3;

/**
 * Whether a text under a secret's name is one: `real`; `weak` for well-known stand-ins such as "changeme"; null for
 * placeholders, labels, paths and whatever else is no secret. Passwords may be short; tokens and keys look random.
 */
export const judgeSecret = (kind: "password" | "token" | "key", text: string): "real" | "weak" | null => {
  if (text.length < 4 || text.length > 4_000 || PLACEHOLDER.test(text)) return null;
  if (WEAK.test(text)) return /\s|[/:()<>]/.test(text) || text.length > 40 ? null : "weak";
  if (NAME_LIKE.test(text)) return null;
  if (kind !== "password") return isRandomLooking(text) ? "real" : null;
  return text.length >= 6 && !/\s/.test(text) && hasDigitOrSymbol(text) && /[a-z]/i.test(text) ? "real" : null;
};

/** What a text is said to be, the part that must not be shown, and whether it gives itself away as an example. */
export interface KnownKey {
  readonly name: string;
  readonly isIssued: boolean;
  readonly value: string;
  readonly isWeak: boolean;
}

/** What people write when they make a key up. */
const MADE_UP = /0123|1234|2345|abcd|bcde|0{6}|xxxx|example|sample|dummy|fake|mock|canary|test/i;

/** The key of a published form in a text, or null. */
export const knownKeyIn = (text: string): KnownKey | null => {
  for (const { name, isIssued, pattern } of KEY_FORMATS) {
    const value = pattern.exec(text)?.[0];
    if (value === undefined) continue;
    const isWeak = MADE_UP.test(value);
    return { name, value, isIssued, isWeak };
  }
  return null;
};

/** The password in an address in a text, or null. Passwords of this machine's own services are `weak`. */
export const urlPasswordIn = (text: string): KnownKey | null => {
  const [url, value] = URL_PASSWORD.exec(text) ?? [];
  if (url === undefined || value === undefined || PLACEHOLDER.test(value)) return null;
  if (/^(pass(word)?|pwd|pw|secret)$|[${}<>]/i.test(value)) return null;
  const isLocal = /@(localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker|[\w-]+\.(example|test|local)\b|example\.)/i.test(
    text,
  );
  return { name: "an address with a password in it", value, isIssued: false, isWeak: isLocal || WEAK.test(value) };
};
