/** The longest message of a failure; its details stay with the error itself. */
const messageMax = 300;

const mask = "[secret]";

/** Terminal sequences: colours and cursor moves, links and titles, and what is left of a cut one. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ansi = /[\u001B\u009B](?:\][^\u0007\u001B]{0,500}(?:\u0007|\u001B\\)?|[[()#;?]{0,4}[0-9;:]{0,64}[@-~]?)/g;

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g;

/** Keys by the beginnings that their issuers give them, and JSON web tokens. */
const knownSecrets =
  /\b(?:(?:sk|pk|rk|gsk|xai|vck|hf|ghp|gho|ghs|glpat|npm|csk|r8)[-_]|github_pat_|AIza|AKIA|ya29\.|eyJ)[\w.*+/=-]{8,}/g;

/** A value that is called a secret by what stands before it, in a header, a query or JSON. */
const namedSecrets =
  /\b((?:x-|x-goog-)?(?:api[-_ ]?key|access[-_ ]?token|auth[-_ ]?token|token|secret|password|key)["']?\s?[=:]\s?["']?)[^\s"'&,;)}]{6,}/gi;

const credentials = /\b((?:Bearer|Basic)\s)[\w.~+/=*-]{6,}/gi;

const userInfo = /\b(https?:\/\/)[^\s/@]{1,200}@/gi;

const maskSecrets = (text: string): string =>
  text
    .replaceAll(userInfo, `$1${mask}@`)
    .replaceAll(credentials, `$1${mask}`)
    .replaceAll(knownSecrets, mask)
    .replaceAll(namedSecrets, `$1${mask}`);

/** Cuts between characters, not within one. */
const cut = (text: string): string => {
  if (text.length <= messageMax) return text;
  const head = text.slice(0, messageMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
};

/**
 * A text of anyone's making as one short line that is fit for a log: no terminal sequences, no control characters, what
 * looks like a key masked, at most 300 characters.
 */
export const errorText = (text: string): string =>
  cut(maskSecrets(text.replaceAll(ansi, "").replaceAll(controls, " ").replaceAll(/\s+/g, " ").trim()));
