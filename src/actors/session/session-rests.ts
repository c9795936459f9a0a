import { filter, firstValueFrom, startWith, take } from "rxjs";
import type { SessionRuntime } from "./session-runtime.ts";

/** Whether nothing will happen any more without somebody's word. */
export function sessionRests({ state, facts }: SessionRuntime): boolean {
  const { lead, requests } = state;
  if (requests.length > 0 || facts.lead(lead.snapshot).live) return false;
  // A turn that failed leaves what came meanwhile unread, for the next one.
  if (lead.failure === null && lead.unread.some((mail) => mail.notice === "user_said")) return false;
  const team = state.team === null ? "none" : facts.team(state.team.snapshot);
  return team !== "running" && team !== "dissolving" && team !== "forming";
}

/** Resolves when the session rests, or is closed. */
export async function untilRests(runtime: SessionRuntime): Promise<void> {
  const rests = runtime.owner.records$.pipe(
    startWith(null),
    filter(() => sessionRests(runtime)),
    take(1),
  );
  await firstValueFrom(rests, { defaultValue: null });
  await runtime.options.worktrees.settled();
}
