import { escapeBody, frame } from "./frame-text.ts";

/** What a model is asked when its conversation has become too long for it. */
export const compactionPrompt = `This conversation has become too long to go on with, and will be replaced by what you write now. Write a summary from which you can go on without anything else:
- what you were asked to do, by whom, and every rule and wish that still holds, in their own words where the words matter;
- what you have done, found out and decided, and why, with the names of files and members that matter;
- what others have told you and what you have told them, as far as it still matters;
- what is open, and what you were about to do next.
Answer with the summary alone, in plain text. Call no tools.`;

/** What a conversation goes on from. */
export interface CompactedTextInput {
  /** The task of the member, word for word; null for a lead, and where it was not given yet. */
  readonly task: string | null;
  readonly summary: string;
  /** How the team stands. */
  readonly roster: string;
}

/** The one user message that stands for a whole conversation. */
export function compactedText({ task, summary, roster }: CompactedTextInput): string {
  const note =
    "The conversation up to here was too long and is replaced by your own summary of it. What stands in <team-roster> is how your team stands now, told by the system.";
  // The summary quotes what others have said: like their words it must not be able to make a frame.
  const parts = [task, note, frame("conversation-summary", {}, `\n${escapeBody(summary)}\n`), roster];
  return parts.filter((part) => part !== null && part !== "").join("\n\n");
}
