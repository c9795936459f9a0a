import { eventLines } from "teamchart/machines";
import type { Told } from "./wire-line.ts";
import type { Judge } from "./timeline.ts";

/** Holds what a recording says of an input and its posts against what these machines made of it. */
export const judgeBy =
  (own: Told, posts: readonly Told[] | null): Judge =>
  (session, applied, record) => {
    const lines = eventLines(session, applied, record);
    const told = [own, ...(posts ?? [])];
    // A service may send inputs alone; what it doesn't send can't differ.
    const count = posts === null ? 1 : Math.max(lines.length, told.length);
    for (let at = 0; at < count; at++) {
      const [line, other] = [lines[at], told[at]];
      if (line === undefined)
        return `a ${other?.type ?? "post"} of ${other?.actor ?? "somebody"} was recorded, which does not follow here`;
      if (other === undefined) return `${line.event.type} of ${line.actor} follows here, and was not recorded`;
      if (other.type !== line.event.type || other.actor !== line.actor)
        return `${other.type} of ${other.actor} was recorded where ${line.event.type} of ${line.actor} follows here`;
      if (other.verdict !== line.verdict)
        return `${line.event.type} of ${line.actor} was ${other.verdict} when it was recorded, and is ${line.verdict} here`;
      if (other.status !== (line.status ?? null))
        return `${line.actor} was ${other.status ?? "nothing"} after ${line.event.type} when it was recorded, and is ${line.status ?? "nothing"} here`;
    }
    return null;
  };
