import type { Mail } from "../../machines/index.ts";
import { formatMail } from "../../tools/team/index.ts";

/**
 * Mail as texts of one user message, in its order. What the user says to the lead is the conversation itself and not a
 * message of a teammate, so it stands unframed, between the frames of what came before it and after it.
 */
export function batchTexts(
  batch: readonly Mail[],
  { contentOf, now }: { readonly contentOf: (mail: Mail) => string; readonly now: number },
): string[] {
  const texts: string[] = [];
  let framed: Mail[] = [];
  const close = (): void => {
    if (framed.length === 0) return;
    const mail = framed.map((each) => ({ ...each, text: contentOf(each) }));
    texts.push(formatMail(mail, { now }));
    framed = [];
  };
  for (const mail of batch) {
    if (mail.notice !== "user_said") {
      framed.push(mail);
      continue;
    }
    close();
    texts.push(contentOf(mail));
  }
  close();
  return texts;
}
