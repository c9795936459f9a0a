import { refusal, type Refusal } from "../errors/index.ts";

/**
 * Names of people-facing things, and the tokens that stand for them in subjects (DESIGN: sessions, actors, subjects).
 *
 * Models and people see display names only; tokens and ids stay inside envelopes.
 */

/** What a broadcast is addressed to. */
export const BROADCAST = "broadcast";
/** The display name of the lead. */
export const LEAD = "Lead";

/** Code points of a name. */
export const nameCharsMax = 64;
const reserved = ["Lead", "Team", "broadcast", "all", "user", "system", "session", "team-lead", "*"];
const utf8 = new TextEncoder();

/** Bytes of a text in UTF-8, the unit of every byte limit. */
export const byteLength = (text: string): number => utf8.encode(text).length;

/** Names of plain letters and digits, nearly all there are: Unicode has nothing to say about them, and asking it is slow. */
const isPlain = (name: string): boolean => /^[A-Za-z0-9]*$/.test(name);

/** The form in which a display name is kept and compared: NFC. */
export const normalizeName = (name: string): string => (isPlain(name) ? name : name.normalize("NFC"));

/**
 * Two names with the same collision key cannot be told apart by people; a team refuses the second. Neither separators nor
 * what shows nothing (joiners, soft hyphens, fillers) tell names apart. Upper case first folds what has several small
 * forms, such as sharp s and the sigmas.
 */
export const collisionKey = (name: string): string =>
  isPlain(name)
    ? name.toLowerCase()
    : name
        .normalize("NFKC")
        .toUpperCase()
        .toLowerCase()
        .replaceAll(/[\p{Z}\p{Default_Ignorable_Code_Point}\-_./]/gu, "");

const reservedKeys = new Set(reserved.map(collisionKey));

/** Why `name` (normalised) can't be the name of a member or team, or null when it can. */
export function refuseName(name: string, options: { reserved: boolean }): Refusal | null {
  if (isPlain(name) && name !== "" && name.length <= nameCharsMax)
    return options.reserved && reservedKeys.has(name.toLowerCase()) ? refusal("reserved_name", { name }) : null;
  const problem = (text: string): Refusal => refusal("bad_name", { name: name.slice(0, 80), problem: text });
  const count = [...name].length;
  if (count === 0) return problem("it is empty");
  if (count > nameCharsMax) return problem(`it has ${count} characters (limit ${nameCharsMax})`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return problem("it contains control characters");
  if (collisionKey(name) === "" && name !== "*") return problem("it has no letter, digit or symbol");
  if (options.reserved && (name === "*" || reservedKeys.has(collisionKey(name))))
    return refusal("reserved_name", { name });
  return null;
}

/** The canonical recipient of an alias: the lead's names and the broadcast's names, else the name itself. */
export function canonicalRecipient(to: string): string {
  const name = normalizeName(to);
  const key = collisionKey(name);
  if (name === "*" || key === "all" || key === BROADCAST) return BROADCAST;
  if (key === "lead" || key === "teamlead") return LEAD;
  return name;
}

/** A name as one subject token: UTF-8 bytes, `[A-Za-z0-9-]` kept, any other byte as `_hh`. Injective. */
export const nameToken = (name: string): string =>
  /^[A-Za-z0-9-]+$/.test(name)
    ? name
    : Array.from(utf8.encode(name), (byte) => {
        const char = String.fromCodePoint(byte);
        return /[A-Za-z0-9-]/.test(char) ? char : `_${byte.toString(16).padStart(2, "0")}`;
      }).join("");

/** The name in `known` that is closest to `name`, or null when none is near (by edits, at most a third of the length). */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = collisionKey(name).slice(0, nameCharsMax);
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, collisionKey(candidate), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance with transpositions counted as one, or `bound` when it is at least that. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? bound) + 1 : bound;
      const change = (previous[j - 1] ?? bound) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] ?? bound) + 1, (row[j - 1] ?? bound) + 1, change, swap));
    }
    [before, previous] = [previous, row];
  }
  return Math.min(bound, previous[b.length] ?? bound);
}
