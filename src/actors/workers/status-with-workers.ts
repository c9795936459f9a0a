import type { Bus } from "../../bus/bus.ts";
import type { MemberStatus } from "../../protocol/status.ts";
import { parseHolder, runClaimKey } from "../../protocol/work.ts";
import type { Session } from "../session/session.ts";
import type { SessionStatus } from "../session/session-status.ts";

/** The status of a session that is followed, with the workers of its runs: who has them is read from the bus. */
export async function statusWithWorkers(
  session: Session,
  { bus, namespace }: { readonly bus: Bus; readonly namespace: string },
): Promise<SessionStatus> {
  const status = session.status();
  const { config, members } = session.state;
  const placed = new Set(config?.agentTypes.filter(({ runsOn }) => runsOn === "workers").map(({ name }) => name));
  const tokens = new Map([...members.values()].map(({ name, token }) => [name, token]));
  const withWorker = async (member: MemberStatus): Promise<MemberStatus> => {
    const token = tokens.get(member.name);
    const isPlaced = placed.has(member.agentType) && member.kind === undefined && member.activity !== null;
    if (!isPlaced || token === undefined) return member;
    const claim = await bus.claims.holder(runClaimKey({ namespace, session: session.id }, token));
    const holder = claim === null ? null : parseHolder(claim.owner);
    const isCurrent = holder?.n === members.get(token)?.snapshot.context.run;
    return { ...member, worker: isCurrent ? (holder?.worker ?? null) : null };
  };
  return { ...status, members: await Promise.all(status.members.map(withWorker)) };
}
