/** So long must nothing be typed after another ask is shown, before what is typed counts as an answer to it. */
const quietMs = 750;

/** What the user types below an ask. */
export interface AnswerLine {
  /** Says which ask is on the screen from now on, or null. What was typed below another one is dropped. */
  shows(ask: string | null): void;
  /** Takes text, typed or pasted. */
  type(text: string): void;
  /** Takes the last character back. */
  erase(): void;
  /** The line, if it holds anything, which is empty from then on; null while nothing counts as an answer. */
  send(): string | null;
  readonly typed: string;
  /** What was dropped since the last key that counted. */
  readonly dropped: string;
  /** Whether what is typed now belongs to this ask. */
  isOpenFor(ask: string): boolean;
  close(): void;
}

/** What of typed or pasted text becomes part of an answer: one line, without anything that steers a terminal. */
const textOf = (input: string): string =>
  input.replaceAll(/[\r\n\t]+/g, " ").replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");

/**
 * A line of input that answers only what was on the screen when its first character was typed. Whoever is in the middle
 * of a line when the ask changes types on for a moment: that rest is dropped too, until the keys rest.
 */
export function answerLine(onChange: () => void): AnswerLine {
  let shown: string | null = null;
  let [typed, dropped] = ["", ""];
  let quiet: NodeJS.Timeout | null = null;
  const waitForQuiet = (): void => {
    if (quiet !== null) clearTimeout(quiet);
    quiet = setTimeout(() => {
      quiet = null;
      onChange();
    }, quietMs);
  };
  return {
    shows(ask) {
      if (ask === shown) return;
      shown = ask;
      if (typed !== "") dropped = typed;
      typed = "";
      waitForQuiet();
      onChange();
    },
    type(text) {
      if (quiet !== null) {
        dropped += textOf(text);
        waitForQuiet();
      } else if (shown !== null) {
        typed += textOf(text);
        dropped = "";
      }
      onChange();
    },
    erase() {
      typed = [...typed].slice(0, -1).join("");
      onChange();
    },
    send() {
      const line = typed;
      if (quiet !== null || line.trim() === "") return null;
      [typed, dropped] = ["", ""];
      // The next ask is not on the screen yet: nothing is typed for it.
      waitForQuiet();
      onChange();
      return line;
    },
    get typed() {
      return typed;
    },
    get dropped() {
      return dropped;
    },
    isOpenFor: (ask) => quiet === null && ask === shown,
    close() {
      if (quiet !== null) clearTimeout(quiet);
    },
  };
}
