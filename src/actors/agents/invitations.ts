import { TeamError } from "../../errors/index.ts";
import type { MemberRecord } from "../../machines/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import { defaultAgentTypes, isDefaultAgentType } from "../../protocol/default-agent-type.ts";
import { collisionKey } from "../../protocol/names.ts";
import type { InviteSpec } from "../../protocol/spec.ts";
import { isFunctionAgent } from "./agent.ts";
import { OwnAgent, type LivingAgent } from "./living-agent.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** The agents of a system, by what their names are told apart by. Throws for two that nobody can tell apart. */
export function invitableAgents(
  agents: readonly LivingAgent[],
  agentTypes: Iterable<string>,
): ReadonlyMap<string, OwnAgent> {
  const names = new Map<string, string>();
  for (const type of agentTypes) {
    names.set(collisionKey(type), type);
    // Either name of the default type means the one that there is.
    if (isDefaultAgentType(type)) for (const name of defaultAgentTypes) names.set(name, type);
  }
  const byKey = new Map<string, OwnAgent>();
  for (const agent of agents) {
    if (!(agent instanceof OwnAgent)) {
      throw new TeamError("bad_input", { what: "invitables", problem: "expected agents, as createAgent makes them" });
    }
    const key = collisionKey(agent.name);
    const other = names.get(key);
    if (other !== undefined) {
      throw new TeamError("name_collision", { name: agent.name, other, of: "agent types and invitable agents" });
    }
    names.set(key, agent.name);
    byKey.set(key, agent);
  }
  return byKey;
}

/** Agents that an error lists. */
const knownMax = 50;

/** The existing agents that one session may invite, and those that it has. */
export class Invitations {
  readonly #agents: ReadonlyMap<string, OwnAgent>;
  readonly #session: string;
  readonly #onFault: (fault: unknown) => void;

  constructor(agents: ReadonlyMap<string, OwnAgent>, session: string, onFault: (fault: unknown) => void) {
    this.#agents = agents;
    this.#session = session;
    this.#onFault = onFault;
  }

  /** Whom this session may invite now. One whose host can't say so may not be. */
  offered(): readonly OwnAgent[] {
    return [...this.#agents.values()].filter((agent) => this.#isOffered(agent));
  }

  /** The event of an invitation, with what is known of the agent at this moment: the session judges by it. */
  eventOf({ agent: name }: InviteSpec, byModel: boolean): InputOf<"team.invite"> {
    const agent = this.find(name);
    const known = this.offered();
    const facts = agent === undefined || !known.includes(agent) ? null : factsOf(agent);
    return {
      type: "team.invite",
      plan: "",
      byModel,
      agent: facts,
      known: known.slice(0, knownMax).map((each) => each.name),
    };
  }

  /** The agent of this name, whether or not it may be invited. */
  find(name: string): OwnAgent | undefined {
    return this.#agents.get(collisionKey(name.normalize("NFC")));
  }

  /** The agent that a member is; throws `not_invitable` when this process doesn't have it. */
  agentOf({ invited }: MemberRecord): OwnAgent {
    const name = invited?.agent ?? "";
    const agent = this.find(name);
    if (agent !== undefined) return agent;
    const known = this.offered().map((each) => each.name);
    throw new TeamError("not_invitable", { name, reason: "this process does not have it", known, nearest: null });
  }

  /** Keeps an agent's own view of its teams in step with the member that it is. */
  follow(runtime: SessionRuntime, member: MemberRecord): void {
    const { invited, name, token, prompt } = member;
    const agent = invited === null ? undefined : this.find(invited.agent);
    if (agent === undefined) return;
    const { work, presence } = runtime.facts.member(member.snapshot);
    const key = `${this.#session} ${token}`;
    if (presence !== "shutdown") {
      agent.join(key, { session: this.#session, team: runtime.state.team?.name ?? "", name });
      return;
    }
    const summary = runtime.resultOf(member)?.summary ?? null;
    const memory = { at: runtime.state.at, task: prompt, status: work, summary };
    agent.leave(key, member.snapshot.context.attempt === 0 ? null : memory);
  }

  /** The session is gone: nobody is in its team any more. */
  leaveAll(runtime: SessionRuntime): void {
    for (const { invited, token } of runtime.state.members.values()) {
      if (invited !== null) this.find(invited.agent)?.leave(`${this.#session} ${token}`, null);
    }
  }

  #isOffered(agent: OwnAgent): boolean {
    try {
      return agent.offersTo(this.#session);
    } catch (fault) {
      this.#onFault(fault);
      return false;
    }
  }
}

function factsOf({ name, description, agent }: OwnAgent): NonNullable<InputOf<"team.invite">["agent"]> {
  // A function has no steps, and as many turns as the limits say.
  if (isFunctionAgent(agent)) return { name, description, stepsMax: 0 };
  const { turnsMax, stepsMax } = agent;
  const own = { ...(turnsMax === undefined ? {} : { turnsMax }), ...(stepsMax === undefined ? {} : { stepsMax }) };
  return { name, description, ...own };
}
