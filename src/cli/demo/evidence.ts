import { maskSecrets } from "./security/mask-secrets.ts";

/** Longest evidence, in characters. */
export const EVIDENCE_LENGTH_MAX = 160;

/** Characters that show nothing, or change how the text around them is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text on one line: blanks collapsed, invisible characters replaced, cut at `lengthMax` with an ellipsis. */
export const oneLine = (text: string, lengthMax: number): string => {
  const plain = text.replaceAll(/\s+/gu, " ").replaceAll(INVISIBLE, "\u{FFFD}").trim();
  if (plain.length <= lengthMax) return plain;
  // Half a surrogate pair at the cut is no text.
  return `${plain.slice(0, lengthMax - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};

/** A source line as evidence. `secrets` are texts to mask beside those that give themselves away. */
export const evidenceOf = (line: string, secrets: readonly string[]): string =>
  oneLine(maskSecrets(line.slice(0, 4_000), secrets), EVIDENCE_LENGTH_MAX);
