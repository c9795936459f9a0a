import { wildcardMatches } from "./wildcard.ts";

/** Characters that no shell takes for anything but themselves. */
const plainWord = /^[\p{L}\p{N}_@+=:,./-]+$/u;

/**
 * A command as its words. `exact` words go to a program as they are, without a shell; a shell string has words only when
 * nothing in it means more to a shell than itself.
 */
export type Command = { readonly words: readonly string[] } | { readonly words: null };

const notPlain: Command = { words: null };

/** The words of a string that a shell may read: null when it has quotes, variables, pipes, a second command or the like. */
export function shellCommand(text: string): Command {
  if (/[^\S \t]/u.test(text)) return notPlain;
  const words = text.split(/[ \t]+/u).filter((word) => word !== "");
  return words.length > 0 && words.every((word) => plainWord.test(word)) ? { words } : notPlain;
}

/** Words that come apart, and may still go through a shell. */
export const plainCommand = (words: readonly string[]): Command =>
  words.every((word) => plainWord.test(word)) ? { words } : notPlain;

/**
 * Whether words are what a pattern says, word by word: `*` inside a word stands for any characters of it, alone for one
 * word, and alone at the end for any number of them, none too.
 */
export function wordsMatch(pattern: string, words: readonly string[]): boolean {
  const wanted = pattern.split(/\s+/u).filter((word) => word !== "");
  const isOpen = wanted.at(-1) === "*" && wanted.length > 1;
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length && pattern.trim() !== "*") return false;
  return pattern.trim() === "*" || fixed.every((want, index) => wildcardMatches(want, words[index] ?? ""));
}
