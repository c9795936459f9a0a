import { secretKindOf } from "./secret-names.ts";
import { KEY_FORMATS, URL_PASSWORD } from "./secret-values.ts";

const MASK = "***";

/** `name: "value"` and `NAME=value` in whatever language. */
const NAMED_VALUE = /([A-Za-z_][\w-]{2,60})(["']?\s{0,4}(?::=|=>|[:=])\s{0,4})(["'`]?)([^\s"'`,;){}]{4,400})/g;

const head = (value: string): string => `${/^([a-z]{2,6}[_-]|[A-Z]{4}|eyJ)/.exec(value)?.[0] ?? ""}${MASK}`;

const withoutKeys = (text: string): string => {
  const formats = KEY_FORMATS.reduce(
    (plain, { pattern }) => plain.replaceAll(new RegExp(pattern.source, "g"), (key) => head(key)),
    text.replace(/(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----).+$/s, `$1${MASK}`),
  );
  return formats.replaceAll(new RegExp(URL_PASSWORD.source, "gi"), (url: string, password: string) =>
    url.replace(`:${password}@`, `:${MASK}@`),
  );
};

/**
 * A text without the secrets in it: `secrets` themselves, keys of known form, passwords in addresses, and quoted or
 * plain values behind a name that says secret.
 */
export const maskSecrets = (text: string, secrets: readonly string[]): string => {
  const longestFirst = [...secrets].filter((secret) => secret.length >= 3).toSorted((a, b) => b.length - a.length);
  const known = longestFirst.reduce((plain, secret) => plain.replaceAll(secret, () => MASK), text);
  return withoutKeys(known).replaceAll(NAMED_VALUE, (all, name: string, sign: string, quote: string, value: string) => {
    const isSecret = secretKindOf(name) !== null && (quote !== "" || /\d/.test(value)) && !/^[\w$]+[.([]/.test(value);
    return isSecret && !value.includes(MASK) ? `${name}${sign}${quote}${MASK}` : all;
  });
};
