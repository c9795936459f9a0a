// What the protocol has to keep, said without looking into it: the properties of both versions.
import type { SessionView } from "teamchart/testing";

/** As much of a state as these properties read. */
type View = SessionView & { readonly protocol: { readonly value: string } };

/** How many drafts there were, and which one the Reviewer was given when it began; 0 = none. */
export interface Drafts {
  readonly written: number;
  readonly read: number;
}

const none: Drafts = { written: 0, read: 0 };

/** Ghost state: it remembers what neither the team nor the protocol does. */
export const drafts = {
  initial: none,
  next({ written, read }: Drafts, before: SessionView, _step: unknown, after: SessionView): Drafts {
    const [writer, reviewer] = [after.member("Writer"), after.member("Reviewer")];
    const now = written + Number(writer.is("completed") && !before.member("Writer").is("completed"));
    const begins = reviewer.attempt > before.member("Reviewer").attempt;
    return { written: now, read: begins ? (writer.is("completed") ? now : 0) : read };
  },
};

const isPublished = ({ protocol }: View): boolean => protocol.value === "published";

/** Whenever something is published, it is the draft that the Reviewer was given. */
export const approved = (before: View, _step: unknown, after: View, { written, read }: Drafts): boolean =>
  isPublished(before) || !isPublished(after) || (written > 0 && read === written);

/** The same, for drafts that the Reviewer was given at all: it may not be an older one. */
export const ofNoOlderDraft = (before: View, _step: unknown, after: View, { written, read }: Drafts): boolean =>
  isPublished(before) || !isPublished(after) || read === 0 || read === written;

/** Where nothing is due nobody waits for a review: it was given or given up, or the lead knows that the team is stuck. */
export const comesToAnEnd = ({ protocol, team, isClosed }: View): boolean =>
  ["published", "abandoned"].includes(protocol.value) || team.is("stalled") || isClosed;
