import { z } from "zod";
import { isTeamError } from "../../errors/index.ts";
import { sessionKeyText, type Bus, type Purged } from "../../bus/bus.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { FoundSession } from "../owner/stored-sessions.ts";

/** Which sessions are old: those in which nothing has happened for so many days. */
export const OldSessions = z.strictObject({
  /** Days, also parts of one. */
  days: z.number().min(0).max(36_500).default(30),
  /** Also those that have not ended and could be gone on with. */
  interrupted: z.boolean().default(false),
});
/** Which sessions are old. */
export type OldSessions = z.infer<typeof OldSessions>;

const dayMs = 24 * 60 * 60 * 1_000;
/** Records that are read at once. */
const pageMax = 500;

/** What is needed to look at what a bus has stored, and to remove it. */
export interface OldSessionsOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly namespace: string;
  readonly find: (session: string) => Promise<FoundSession | null>;
  /** Rejects with `fenced` for a session that somebody has. */
  readonly purge: (session: string) => Promise<Purged>;
}

/** Removes the sessions that are old, one after the other, and gives their names. One that somebody has is never old. */
export async function purgeOldSessions(
  { days, interrupted }: OldSessions,
  { bus, clock, namespace, find, purge }: OldSessionsOptions,
): Promise<readonly string[]> {
  const before = clock.now() - days * dayMs;
  const purged: string[] = [];
  for (const session of await bus.sessions(namespace)) {
    const key = { namespace, session };
    if ((await bus.claims.holder(sessionKeyText(key))) !== null) continue;
    const found = await find(session);
    if (found === null) continue;
    const { lastAt, hasEnded } = await restOf(found, (fromSeq) => bus.read(key, { fromSeq, max: pageMax }));
    if (lastAt > before || (!hasEnded && !interrupted)) continue;
    try {
      await purge(session);
      purged.push(session);
    } catch (fault) {
      // Somebody has taken it meanwhile: it is not old any more.
      if (!isTeamError(fault, "fenced")) throw fault;
    }
  }
  return purged;
}

/** When the last input came, and whether the session has ended: as its checkpoint and the rest of its log say. */
async function restOf(
  { state }: FoundSession,
  read: (fromSeq: number) => ReturnType<Bus["read"]>,
): Promise<{ readonly lastAt: number; readonly hasEnded: boolean }> {
  let lastAt = state.config === null ? -Infinity : state.at;
  let hasEnded = state.snapshot.value === "closed";
  for (let fromSeq = state.seq + 1; ;) {
    const page = await read(fromSeq);
    for (const { input } of page) {
      lastAt = Math.max(lastAt, input.at);
      hasEnded ||= input.event.type === "session.closed";
    }
    fromSeq = (page.at(-1)?.seq ?? 0) + 1;
    if (page.length < pageMax) return { lastAt, hasEnded };
  }
}
