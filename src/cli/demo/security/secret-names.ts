const SECRET_WORDS: ReadonlySet<string> = new Set([
  "secret",
  "password",
  "passwd",
  "pwd",
  "passphrase",
  "passcode",
  "token",
  "credential",
  "credentials",
  "apikey",
  "authtoken",
  "privatekey",
  "secretkey",
  "accesstoken",
]);

/** What a key opens, when its name says that it is a secret one. */
const KEY_WORDS: ReadonlySet<string> = new Set(
  "api access auth private secret encryption encrypt signing sign master service jwt session cookie hmac aes license".split(
    " ",
  ),
);

/** Words after the secret's own that leave it the secret: where it is for, or that it is a stand-in. */
const HARMLESS_ENDINGS = /^(value|default|fallback|raw|plain|plaintext|prod|production|dev|staging|live|test|\d+)$/;

/** `apiKey`, `API_KEY`, `api-key` as the words api, key. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");

/** Which kind of secret a name promises, or null: `tokenUrl` and `passwordField` are no secrets, `dbPassword` is. */
export const secretKindOf = (name: string): "password" | "token" | "key" | null => {
  // Most names hold none of these, and splitting them all takes its time.
  if (!/secret|passw|passphrase|passcode|pwd|token|credential|key/i.test(name)) return null;
  const words = wordsOf(name.slice(0, 100));
  while (words.length > 1 && HARMLESS_ENDINGS.test(words.at(-1) ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  if (last === "key") return KEY_WORDS.has(words.at(-2) ?? "") && words.at(-3) !== "public" ? "key" : null;
  if (!SECRET_WORDS.has(last)) return null;
  if (last.endsWith("key")) return "key";
  return last.endsWith("token") ? "token" : "password";
};

/** Which tokens let somebody in: others are words of parsers, pages or drawings. */
const ACCESS_WORDS: ReadonlySet<string> = new Set(
  "access auth authentication authorization refresh bearer session csrf xsrf jwt api login oauth oauth2 reset id bot client user admin account service security verification invite webhook personal github gitlab slack npm".split(
    " ",
  ),
);

/**
 * Whether a name is that of a credential for certain: `accessToken` and `password` are, `charsPerToken` and a bare
 * `token` need not be.
 */
export const isCredentialName = (name: string): boolean => {
  const kind = secretKindOf(name);
  if (kind === null) return false;
  const words = wordsOf(name.slice(0, 100));
  const before = words.at(-2) ?? "";
  if (kind === "token") return words.length === 1 ? words[0] !== "token" : ACCESS_WORDS.has(before);
  return kind === "password" || (kind === "key" && !/^(session|master|cookie|service|license|sign)$/.test(before));
};
