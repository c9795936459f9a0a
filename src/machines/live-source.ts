import type { AnyMachineSnapshot } from "xstate";
import { LEAD } from "../protocol/names.ts";
import type { SessionState } from "./kernel/state.ts";

/** One actor as the kernel has it. */
export interface LiveSubject {
  /** Its display name, unique in the session at one time. */
  readonly name: string;
  readonly snapshot: AnyMachineSnapshot;
}

/** Where live actors get what they show. */
export interface LiveSource {
  /** The actor of this token, or undefined when there is none any more. */
  read(token: string): LiveSubject | undefined;
  /** Tokens of everybody there is: session, lead, team, members in the order of their declaration. */
  tokens(): Iterable<string>;
  /** Another object whenever somebody came or went, the same one otherwise. */
  roster(): unknown;
}

/** Reads a session's actors; it is asked for the session each time, so that a page can travel in time. */
export const liveSource = (session: () => SessionState): LiveSource => ({
  read(token) {
    const { snapshot, lead, team, members } = session();
    if (token === "session") return { name: "session", snapshot };
    if (token === "lead") return { name: LEAD, snapshot: lead.snapshot };
    if (team?.token === token) return { name: "Team", snapshot: team.snapshot };
    return members.get(token);
  },
  *tokens() {
    const { team } = session();
    yield "session";
    yield "lead";
    if (team === null) return;
    yield team.token;
    yield* team.order;
  },
  roster: () => session().team?.order ?? null,
});
