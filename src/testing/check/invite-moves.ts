import { membersInOrder } from "../../machines/index.ts";
import type { CommandKey, InputOf } from "../../protocol/input.ts";
import { InviteSpec } from "../../protocol/spec.ts";
import { inMove } from "./move-name.ts";
import type { World } from "./move.ts";

/** Who invites, and by which call if by one. */
interface Inviter {
  readonly from: string;
  readonly command?: CommandKey;
  /** What the move is called, from `invites Guest` on. */
  readonly called: (text: string) => string;
}

/** The existing agents that the host offers join the team: at once, or behind one of its members. */
export function addInvitations(world: World): void {
  const { session, invitable } = world;
  const from = session.config?.lead === "hosted" ? "user" : "lead";
  const host: Inviter = { from, called: (text) => `the host ${text}` };
  addInvitationsBy(world, host);
  for (const agent of invitable)
    for (const { name } of membersInOrder(session)) addInvitation(world, host, agent, [name]);
}

/** Invitations by somebody; those that are not allowed are here too: they must change nothing. */
export function addInvitationsBy(world: World, inviter: Inviter): void {
  for (const agent of world.invitable) addInvitation(world, inviter, agent, []);
}

function addInvitation(world: World, inviter: Inviter, agent: string, dependsOn: readonly string[]): void {
  const { session, add, invitable } = world;
  const behind = dependsOn.length === 0 ? "" : ` behind ${dependsOn.map(inMove).join(" and ")}`;
  const event: InputOf<"team.invite"> = {
    type: "team.invite",
    plan: "plan",
    byModel: false,
    agent: { name: agent, description: "" },
    known: [...invitable],
  };
  const { from, command } = inviter;
  add(inviter.called(`invites ${inMove(agent)}${behind}`), "invite", {
    actor: session.team?.token ?? "session",
    from,
    event,
    ...(command && { command }),
    plan: InviteSpec.parse({ agent, dependsOn }),
  });
}
