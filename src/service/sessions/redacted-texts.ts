import { Observable } from "rxjs";
import type { Redactor } from "../../actors/recording/redactor.ts";
import type { TextPiece } from "../../actors/runs/text-stream.ts";

/** Words at the end of a text that are kept back: what looks like a secret may go on over as many. */
const wordsKept = 6;
/** Characters above which a text without words is let out all the same, but for its last ones. */
const charactersMax = 2_048;
const charactersKept = 512;
/** Runs whose text is kept back at once; the oldest is let go of, as its answer is long in the log. */
const runsMax = 1_000;

/** Starts of the last words of a text, from its end on. */
function* wordStarts(text: string): Generator<number> {
  for (let at = text.length; at > 0;) {
    at = text.slice(0, at).trimEnd().search(/\S+$/);
    if (at > 0) yield at;
  }
}

/** Where a text may be cut without cutting a secret in two; 0 = nowhere yet. */
function cutOf(text: string, redactor: Redactor): number {
  if (text.length > charactersMax) return text.length - charactersKept;
  const masked = redactor.text(text);
  let words = 0;
  for (const at of wordStarts(text)) {
    // What is secret because of the word before it must stay with that word.
    const isWhole = ++words > wordsKept && redactor.text(text.slice(0, at)) + redactor.text(text.slice(at)) === masked;
    if (isWhole) return at;
  }
  return 0;
}

/**
 * Texts with secrets hidden. A model's text comes in pieces, and a secret may be cut anywhere: so the last words are kept
 * back until more has come. What is kept back at the end comes with the record of the answer, whole.
 */
export const redactedTexts = (texts$: Observable<TextPiece>, redactor: Redactor): Observable<TextPiece> =>
  new Observable((subscriber) => {
    const kept = new Map<string, string>();
    return texts$.subscribe({
      next: ({ actor, run, text }) => {
        const key = `${run} ${actor}`;
        const whole = (kept.get(key) ?? "") + text;
        const cut = cutOf(whole, redactor);
        kept.delete(key);
        kept.set(key, whole.slice(cut));
        const [oldest] = kept.keys();
        if (kept.size > runsMax && oldest !== undefined) kept.delete(oldest);
        if (cut > 0) subscriber.next({ actor, run, text: redactor.text(whole.slice(0, cut)) });
      },
      complete: () => subscriber.complete(),
    });
  });
