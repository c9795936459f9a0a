import type { EventLine } from "../protocol/recording.ts";
import type { AppliedStep, KernelRecord } from "./kernel/applied.ts";
import type { Applied } from "./kernel/kernel.ts";
import { displayName } from "./kernel/roster.ts";
import type { SessionState } from "./kernel/state.ts";

/**
 * What an applied input looks like from outside: a line for itself and one for each post that followed. `session` is the
 * state after it. Names only, never tokens.
 */
export function eventLines(
  session: SessionState,
  applied: Pick<Applied, "steps">,
  { seq, input }: Pick<KernelRecord, "seq" | "input">,
): EventLine[] {
  const team = session.team?.name ?? null;
  const nameOf = (token: string): string => {
    const name = displayName(session, (each) => session.members.get(each), token);
    return name === token ? formerName(token) : name;
  };
  return applied.steps.map((step) => lineOf(step, { seq, at: input.at, team, nameOf }));
}

interface Place {
  readonly seq: number;
  readonly at: number;
  readonly team: string | null;
  readonly nameOf: (token: string) => string;
}

const lineOf = ({ step, actor, from, event, verdict, status }: AppliedStep, place: Place): EventLine => ({
  type: "event",
  seq: place.seq,
  step,
  at: place.at,
  team: place.team,
  actor: place.nameOf(actor),
  from: place.nameOf(from),
  event,
  verdict,
  ...(step === 0 ? {} : { derived: true, cause: place.seq }),
  ...(status === null ? {} : { status }),
});

/** The name in the token of a member that is gone with its team; any other token as it is. */
function formerName(token: string): string {
  const [, name] = /^(.+)-t\d+$/.exec(token) ?? [];
  if (name === undefined) return token;
  const bytes: number[] = [];
  for (let at = 0; at < name.length; at++) {
    const [, hex] = /^_([0-9a-f]{2})/.exec(name.slice(at, at + 3)) ?? [];
    bytes.push(hex === undefined ? (name.codePointAt(at) ?? 0) : Number.parseInt(hex, 16));
    if (hex !== undefined) at += 2;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
