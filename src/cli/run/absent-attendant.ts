import { printable } from "../printable.ts";
import type { Attendant } from "./attendant.ts";
import type { Ask } from "./open-asks.ts";

const absence =
  "Nobody is here to answer, and nobody will be. Go on without it, or end your turn and say what you need.";

/**
 * Stands in where nobody can be asked: says so once for each kind of ask, leaves permissions to their time limit, which denies them, and
 * answers what has no time limit with the plain truth, so that a run without a terminal never hangs.
 */
export function absentAttendant(tell: (sentence: string) => void, onFault: (fault: unknown) => void): Attendant {
  const seen = new Set<string>();
  const told = new Set<Ask["kind"]>();
  const refuse = (ask: Ask): void => void ask.answer(absence).catch(onFault);
  return {
    review(asks) {
      const open = new Set(asks.map(({ id }) => id));
      // A plan may be submitted again under the same id.
      for (const id of seen) if (!open.has(id)) seen.delete(id);
      for (const ask of asks) {
        if (seen.has(ask.id)) continue;
        seen.add(ask.id);
        const rest =
          ask.kind === "permission"
            ? "it is denied when limits.permissionMs is over"
            : "it is told that nobody is here";
        if (!told.has(ask.kind)) {
          told.add(ask.kind);
          const question = printable(ask.text, { charactersMax: 200 });
          tell(`Nobody can answer without a terminal, so ${rest}: ${question}`);
        }
        if (ask.kind !== "permission") refuse(ask);
      }
    },
    close: () => {},
  };
}
