import { evidenceOf } from "../evidence.ts";
import type { Finding } from "../finding.ts";
import { secretKindOf } from "../security/secret-names.ts";
import { judgeSecret, knownKeyIn, urlPasswordIn, type KnownKey } from "../security/secret-values.ts";
import type { Language, SourceFile } from "../source-file.ts";
import type { ScrubbedLine } from "./scrub.ts";

/** `name = "value"` in programs: the value is quoted. */
const QUOTED = /["']?([A-Za-z_][\w.-]{1,60})["']?\s{0,8}(?::=|=>|[:=])\s{0,8}["']([^"'\n]{4,400})["']/g;

/** In JSON a name stands in quotes of its own, so that words inside a sentence are none. */
const JSON_QUOTED = /"([A-Za-z_][\w.-]{1,60})"\s{0,8}:\s{0,8}"([^"\n]{4,400})"/g;

/** `NAME=value` and `name: value` in settings: the value may stand without quotes. */
const PLAIN =
  /^\s*(?:export\s+|ENV\s+|-\s+)?["']?([A-Za-z_][\w.-]{1,60})["']?\s{0,8}[:=]\s{0,8}["']?([^\s"'#][^\s"']{3,400})["']?\s*$/g;

const SETTINGS: ReadonlySet<Language> = new Set<Language>(["env", "yaml", "toml", "docker"]);

/** Prose mentions passwords all day; only keys of a known form count in it. */
const PROSE: ReadonlySet<Language> = new Set<Language>(["markdown", "html", "other"]);

const found = (file: SourceFile, line: ScrubbedLine, message: string, isWeak: boolean, secret: string): Finding => ({
  rule: "hardcoded-secret",
  severity: isWeak ? "low" : "high",
  path: file.path,
  line: line.line,
  message,
  evidence: evidenceOf(line.text, [secret]),
});

const byForm = (file: SourceFile, line: ScrubbedLine, key: KnownKey | null): Finding | null => {
  if (key === null) return null;
  const advice = key.isWeak ? "It looks like an example" : "Revoke it, and read its successor from the environment";
  return found(file, line, `The form of this text is that of ${key.name}. ${advice}.`, key.isWeak, key.value);
};

const byName = (file: SourceFile, line: ScrubbedLine): Finding | null => {
  const quoted = file.language === "json" ? JSON_QUOTED : QUOTED;
  const patterns = SETTINGS.has(file.language) ? [PLAIN, quoted] : [quoted];
  for (const [, name = "", value = ""] of patterns.flatMap((pattern) => [...line.code.matchAll(pattern)])) {
    const kind = secretKindOf(name);
    const verdict = kind === null || value.toLowerCase() === name.toLowerCase() ? null : judgeSecret(kind, value);
    if (verdict === null) continue;
    const isWeak = verdict === "weak";
    const message = isWeak
      ? `${name} has a well-known stand-in value. Fail at start when it is not set instead.`
      : `${name} is written into the source. Whoever reads the code has it. Read it from the environment, and replace this one.`;
    return found(file, line, message, isWeak, value);
  }
  return null;
};

/**
 * The secret in a line, at most one, of a file that no parser reads. `next` is the line after it: a private key begins
 * on the line below its heading.
 */
export const secretInLine = (file: SourceFile, line: ScrubbedLine, next: ScrubbedLine | undefined): Finding | null => {
  const isHeading = line.text.includes("PRIVATE KEY-----") && next !== undefined;
  const text = isHeading ? `${line.text}\n${next.text}` : line.text;
  const known = text.length < 12 ? null : byForm(file, line, knownKeyIn(text));
  if (known !== null || PROSE.has(file.language)) return known;
  const address = line.code.includes("://") ? byForm(file, line, urlPasswordIn(line.code)) : null;
  return address ?? byName(file, line);
};
