import { memberByName, type LiveActor } from "../../machines/index.ts";
import { canonicalRecipient, LEAD } from "../../protocol/names.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** The live actor of a member's name, `Lead`, `Team` or `session`; undefined for a name that is nobody. */
export function liveActorOf({ live, state }: SessionRuntime, name: string): LiveActor | undefined {
  if (name === "session") return live.get("session");
  if (name === "Team") return state.team === null ? undefined : live.get(state.team.token);
  const token = canonicalRecipient(name) === LEAD ? "lead" : memberByName(state, name)?.token;
  return token === undefined ? undefined : live.get(token);
}
