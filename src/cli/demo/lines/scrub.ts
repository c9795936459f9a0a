import type { Language } from "../source-file.ts";

/** A line of a file in the views that line rules look at. Both are as long as the line itself. */
export interface ScrubbedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Without comments and without what stands inside quotes. */
  readonly bare: string;
}

/** How a language writes comments and texts. */
interface Lexicon {
  /** What begins a comment up to the end of the line. */
  readonly line: RegExp | null;
  readonly block: readonly [open: string, close: string] | null;
  /** Quotes, longest first; those that may span lines are three characters long, or a backtick. */
  readonly quotes: readonly string[];
  /** Whether a backslash in quotes takes the meaning of the next character. */
  readonly escapes: boolean;
}

const HASH: Lexicon = { line: /#/y, block: null, quotes: ['"', "'"], escapes: true };
const SLASHES: Lexicon = { line: /\/\//y, block: ["/*", "*/"], quotes: ['"', "'"], escapes: true };

const LEXICONS: Readonly<Partial<Record<Language, Lexicon>>> = {
  javascript: { ...SLASHES, quotes: ['"', "'", "`"] },
  typescript: { ...SLASHES, quotes: ['"', "'", "`"] },
  python: { ...HASH, quotes: ['"""', "'''", '"', "'"] },
  go: { ...SLASHES, quotes: ['"', "`", "'"] },
  rust: { ...SLASHES, quotes: ['"'] },
  java: { ...SLASHES, quotes: ['"""', '"', "'"] },
  ruby: HASH,
  php: { ...SLASHES, line: /\/\/|#(?!\[)/y },
  c: SLASHES,
  cpp: SLASHES,
  csharp: SLASHES,
  shell: { ...HASH, line: /(?<![^\s;&|(])#/y },
  sql: { line: /--/y, block: ["/*", "*/"], quotes: ["'", '"'], escapes: false },
  yaml: { ...HASH, line: /(?<!\S)#/y, escapes: false },
  toml: { ...HASH, line: /[#;]/y, quotes: ['"""', "'''", '"', "'"] },
  env: { ...HASH, line: /(?<!\S)#/y },
  docker: { ...HASH, line: /(?<!.)#/y },
};

/** What is open at the end of a line. */
type Open = { readonly kind: "quote" | "block"; readonly close: string } | null;

const isMultiLine = (quote: string): boolean => quote.length === 3 || quote === "`";

/** Scrubs one line, given what the lines before left open. */
const scrubLine = (text: string, lexicon: Lexicon, before: Open): { code: string; bare: string; open: Open } => {
  let open = before;
  let code = "";
  let bare = "";
  let at = 0;
  const take = (length: number, shownAs: "both" | "code" | "none"): void => {
    const part = text.slice(at, at + length);
    code += shownAs === "none" ? " ".repeat(part.length) : part;
    bare += shownAs === "both" ? part : " ".repeat(part.length);
    at += part.length;
  };
  while (at < text.length) {
    if (open !== null) {
      const isQuote = open.kind === "quote";
      if (isQuote && lexicon.escapes && text[at] === "\\") take(2, "code");
      else if (text.startsWith(open.close, at)) {
        take(open.close.length, isQuote ? "both" : "none");
        open = null;
      } else take(1, isQuote ? "code" : "none");
      continue;
    }
    if (lexicon.line !== null) {
      lexicon.line.lastIndex = at;
      if (lexicon.line.test(text)) {
        take(text.length - at, "none");
        break;
      }
    }
    const quote = lexicon.quotes.find((one) => text.startsWith(one, at));
    if (quote !== undefined) {
      take(quote.length, "both");
      open = { kind: "quote", close: quote };
    } else if (lexicon.block !== null && text.startsWith(lexicon.block[0], at)) {
      take(lexicon.block[0].length, "none");
      open = { kind: "block", close: lexicon.block[1] };
    } else take(1, "both");
  }
  // A quote that the line doesn't close is none, or ends here; only some may go on.
  return { code, bare, open: open?.kind === "quote" && !isMultiLine(open.close) ? null : open };
};

/**
 * The lines of a file with comments and quoted texts blanked out, so that a comment that mentions a call is no call.
 * Languages without a lexicon here keep their lines as they are. Here-documents and the like are not understood.
 */
export const scrub = (text: string, language: Language): ScrubbedLine[] => {
  const lexicon = LEXICONS[language];
  let open: Open = null;
  return text.split(/\r\n|\n|\r/).map((line, i) => {
    if (lexicon === undefined) return { line: i + 1, text: line, code: line, bare: line };
    const scrubbed = scrubLine(line, lexicon, open);
    ({ open } = scrubbed);
    return { line: i + 1, text: line, code: scrubbed.code, bare: scrubbed.bare };
  });
};
