import { refusal, type Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import { nearestName, normalizeName } from "../../protocol/names.ts";
import type { InviteResult } from "../../protocol/reply.ts";
import type { InviteSpec } from "../../protocol/spec.ts";
import { memberToken } from "../../protocol/subject.ts";
import type { Draft } from "./draft.ts";
import { Faults } from "./faults.ts";
import { checkNameAndPrompt, membersMaxOf, NameTable } from "./plan-check.ts";
import { carryOutPlan } from "./replan.ts";
import { isDissolving } from "./standing.ts";
import { successorOf } from "./successor.ts";

/**
 * Takes an existing agent into the running team, or refuses with nothing changed. It is a member like any other: a node
 * of the graph with a mailbox. It is persistent, and it is never asked to shut down: the team only lets go of it.
 */
export function inviteAgent(
  draft: Draft,
  spec: InviteSpec,
  invitation: InputOf<"team.invite">,
): readonly Refusal[] | InviteResult {
  const { team, config } = draft.state;
  if (team === null || config === null) return [refusal("no_team", {})];
  if (isDissolving(draft)) return [refusal("team_dissolved", { team: team.name })];
  const { agent } = invitation;
  const absence = agent === null ? "nobody offers it" : presenceOf(draft, agent.name);
  if (agent === null || absence !== null) return [notInvitable(spec.agent, invitation.known, absence ?? "")];
  const name = normalizeName(spec.as ?? agent.name);
  const prompt = spec.prompt ?? "";
  const faults = new Faults();
  checkNameAndPrompt({ name, prompt }, config, faults);
  const table = new NameTable<string>();
  for (const token of team.order) table.add(draft.mustMember(token).name, token);
  const dependsOn = resolveDependencies(draft, { name, dependsOn: spec.dependsOn }, table, faults);
  const other = table.add(name, name);
  if (other !== null) faults.add("name_collision", { name, other });
  const membersMax = membersMaxOf(config, invitation.byModel);
  const count = team.order.length + 1;
  if (count > membersMax) faults.add("too_many_members", { count, membersMax });
  if (faults.list.length > 0) return faults.list;
  const { description, turnsMax = null, stepsMax } = agent;
  const token = memberToken(name, team.k);
  const added = {
    token,
    spec: { name, agentType: agent.name, prompt, description, lifetime: "persistent", requirePlan: false },
    invited: { agent: agent.name, turnsMax, ...(stepsMax === undefined ? {} : { stepsMax }) },
  } as const;
  const { revision, stillBlocked } = carryOutPlan(draft, {
    cancel: [],
    retry: [],
    shutdown: [],
    replaced: new Map(),
    add: [added],
    dependsOn: new Map([[token, dependsOn]]),
  });
  return { name, agent: agent.name, revision, started: !stillBlocked.includes(name) };
}

/** Why an agent that is offered can't join: one agent is one member of a team. Null = it can. */
function presenceOf(draft: Draft, agent: string): string | null {
  for (const token of draft.team.order) {
    const member = draft.mustMember(token);
    if (member.invited?.agent === agent && draft.memberFacts(token).presence !== "shutdown")
      return `it is in this team already, as ${member.name}`;
  }
  return null;
}

/** What to say of an agent that can't be invited: which can. */
function notInvitable(name: string, known: readonly string[], reason: string): Refusal {
  return refusal("not_invitable", { name: name.slice(0, 80), known, nearest: nearestName(name, known), reason });
}

function resolveDependencies(
  draft: Draft,
  { name, dependsOn }: { readonly name: string; readonly dependsOn: readonly string[] },
  table: NameTable<string>,
  faults: Faults,
): string[] {
  const upstreams = new Set<string>();
  for (const dependency of dependsOn) {
    if (faults.full) break;
    const token = table.get(dependency);
    if (token === undefined) faults.unknownDependency(name, dependency, table.names());
    else upstreams.add(successorOf(draft, token));
  }
  return [...upstreams];
}
