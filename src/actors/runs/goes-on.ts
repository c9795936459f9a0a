import type { DesiredRun } from "../../machines/index.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** Whether a run goes on with the turn of one that was lost, or of the owner before: the runs between have answered nothing. */
export function goesOn({ state, journals }: SessionRuntime, { actor, n }: DesiredRun): boolean {
  const answered = journals.answeredRun(actor);
  const { losses } = (state.members.get(actor) ?? state.lead).snapshot.context;
  return answered !== null && answered + losses >= n;
}
