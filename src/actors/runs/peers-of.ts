import type { MemberRecord } from "../../machines/index.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** The others that a member may write to. */
export function peersOf(runtime: SessionRuntime, member: MemberRecord): readonly MemberRecord[] {
  const comms = runtime.state.team?.comms ?? "all";
  if (comms === "lead") return [];
  const near = new Set([...member.dependsOn, ...member.downstream]);
  return [...runtime.state.members.values()].filter(
    (peer) => peer.token !== member.token && (comms === "all" || near.has(peer.token)),
  );
}
