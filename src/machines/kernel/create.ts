import { refusal, type Refusal } from "../../errors/index.ts";
import { findAgentType } from "../../protocol/default-agent-type.ts";
import { collisionKey, nameCharsMax, normalizeName, refuseName } from "../../protocol/names.ts";
import type { CreateResult } from "../../protocol/reply.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { MemberSpec, TeamSpec } from "../../protocol/spec.ts";
import { memberToken, teamToken } from "../../protocol/subject.ts";
import { downstreamsOf, findCycle } from "../dag.ts";
import { memberContext } from "../member-events.ts";
import { teamContext } from "../team-machine.ts";
import type { Draft } from "./draft.ts";
import { Faults } from "./faults.ts";
import type { InvitedAgent } from "./invited-agent.ts";
import { notifyLead } from "./mail.ts";
import { declaredTasks, emptyBoard, placeTasks } from "./new-tasks.ts";
import { isDissolving } from "./standing.ts";
import { checkDescription, checkMember, membersMaxOf, NameTable } from "./plan-check.ts";
import { startIfReady } from "./schedule.ts";
import { emptyRun, emptyTurn, type MemberRecord } from "./state.ts";

/** A declaration that passed: members with their dependencies by index. */
interface Checked {
  /** Collision keys of the members' names: dear to compute, and needed again for the roster. */
  readonly keys: readonly string[];
  readonly dependsOn: readonly (readonly number[])[];
  readonly downstream: readonly (readonly number[])[];
  readonly board: ReturnType<typeof declaredTasks>;
}

/** Checks a whole team before anything exists; its faults are reported together. */
function checkTeam(
  spec: TeamSpec,
  config: SessionConfig,
  { membersMax, k }: { readonly membersMax: number; readonly k: number },
): { readonly problems: readonly Refusal[] } | Checked {
  const faults = new Faults();
  const badName = refuseName(normalizeName(spec.name), { reserved: false });
  if (badName !== null) faults.keep(badName);
  checkDescription("the team's description", spec.description, config, faults);
  if (spec.members.length === 0) faults.add("empty_team", {});
  if (spec.members.length > membersMax) {
    faults.add("too_many_members", { count: spec.members.length, membersMax });
    return { problems: faults.list };
  }
  const table = new NameTable<number>();
  const keys: string[] = [];
  for (const [index, member] of spec.members.entries()) {
    if (faults.full) return { problems: faults.list };
    checkMember(member, config, faults);
    const name = normalizeName(member.name);
    const key = collisionKey(name);
    keys.push(key);
    const other = table.add(name, index, key);
    if (other !== null) faults.add("name_collision", { name: member.name, other });
  }
  const dependsOn = spec.members.map((member) => resolveDependencies(member, table, faults));
  const downstream = downstreamsOf(dependsOn);
  const cycle = findCycle(dependsOn, downstream);
  if (cycle !== null) faults.add("cycle", { path: cycle.map((index) => spec.members[index]?.name ?? "") });
  const tokens = tokensOf(spec, k);
  const tokenOf = (name: string): string | null => tokens[table.get(name) ?? -1] ?? null;
  const board = declaredTasks(spec, { config, tokens, tokenOf }, faults);
  return faults.list.length > 0 ? { problems: faults.list } : { keys, dependsOn, downstream, board };
}

/** Tokens of the members of a session's k-th team. */
const tokensOf = (spec: TeamSpec, k: number): string[] =>
  spec.members.map((member) => memberToken(normalizeName(member.name), k));

/** Indices of the upstreams; a name given twice counts once. */
function resolveDependencies(member: MemberSpec, table: NameTable<number>, faults: Faults): number[] {
  const upstreams = new Set<number>();
  for (const dependency of member.dependsOn) {
    if (faults.full) break;
    const index = table.get(dependency);
    if (index === undefined) faults.unknownDependency(member.name, dependency, table.names());
    else upstreams.add(index);
  }
  return [...upstreams];
}

/** Creates a team whole, or refuses it with nothing left behind. */
export function createTeam(draft: Draft, spec: TeamSpec, byModel: boolean): readonly Refusal[] | CreateResult {
  const { config, team } = draft.state;
  if (config === null) return [refusal("fenced", { reason: "the session is not open" })];
  if (team !== null && (!isDissolving(draft) || draft.facts.team(team.snapshot) === "dissolving")) {
    return [refusal("team_exists", { team: team.name })];
  }
  const k = draft.state.teamsMade + 1;
  const checked = checkTeam(spec, config, { membersMax: membersMaxOf(config, byModel), k });
  if ("problems" in checked) return checked.problems;
  buildTeam(draft, spec, checked);
  draft.postTeam(draft.input.from, { type: "team.accepted" });
  draft.postLead(draft.team.token, { type: "team.activated" });
  const names: { started: string[]; blocked: string[] } = { started: [], blocked: [] };
  for (const token of draft.team.order) {
    const member = draft.mustMember(token);
    const ready = draft.roster.unmet(member.index) === 0;
    (ready ? names.started : names.blocked).push(member.name);
    if (ready) startIfReady(draft, token);
  }
  draft.visible = true;
  if (draft.input.from === "user" && config.lead === "hosted") notifyLead(draft, "user_planned", {});
  return { team: draft.team.name, revision: draft.state.revision, ...names };
}

function buildTeam(draft: Draft, spec: TeamSpec, { keys, dependsOn, downstream, board }: Checked): void {
  const k = draft.state.teamsMade + 1;
  const revision = draft.state.revision + 1;
  const tokens = tokensOf(spec, k);
  const toTokens = (indices: readonly number[]) => indices.map((index) => tokens[index] ?? "");
  draft.roster.replace(tokens.length);
  draft.set({ teamsMade: k, revision });
  const byKey = new Map<string, string>();
  spec.members.forEach((member, index) => {
    const token = tokens[index] ?? "";
    byKey.set(keys[index] ?? "", token);
    const upstreams = toTokens(dependsOn[index] ?? []);
    const place = { token, index, revision, dependsOn: upstreams, downstream: toTokens(downstream[index] ?? []) };
    draft.putMember(newMember(draft, member, place));
    draft.roster.setUnmet(index, upstreams.length);
  });
  draft.set({
    team: {
      token: teamToken(k),
      k,
      name: freeTeamName(draft, normalizeName(spec.name)),
      description: spec.description ?? null,
      comms: spec.comms,
      upstreamFailure: spec.upstreamFailure,
      snapshot: draft.steppers.team.initial(teamContext),
      order: tokens,
      graph: downstream,
      byKey,
      counts: {
        total: tokens.length,
        completed: 0,
        failed: 0,
        cancelled: 0,
        working: 0,
        running: 0,
        idle: 0,
        shutdown: 0,
      },
      board: board === null ? null : emptyBoard(board.board),
      createdAt: draft.input.at,
      since: draft.input.at,
      dissolveWaiters: [],
      cancelledBefore: [],
      cancelledByDissolve: [],
      grace: null,
    },
  });
  if (board !== null) placeTasks(draft, board.tasks);
}

/** A member that was just declared: blocked, with nobody there. */
export function newMember(
  draft: Draft,
  spec: Omit<MemberSpec, "dependsOn">,
  place: Pick<MemberRecord, "token" | "index" | "revision" | "dependsOn" | "downstream">,
  invited: InvitedAgent | null = null,
): MemberRecord {
  // Who is invited has nothing of an agent type, whatever it is called.
  const agentType = invited === null ? findAgentType(draft.state.config?.agentTypes ?? [], spec.agentType) : undefined;
  return {
    token: place.token,
    name: normalizeName(spec.name),
    index: place.index,
    agentType: invited?.agent ?? agentType?.name ?? spec.agentType,
    description: spec.description ?? null,
    invited,
    lifetime: spec.lifetime,
    idleMs: spec.idleMs ?? agentType?.idleMs ?? null,
    prompt: spec.prompt,
    dependsOn: place.dependsOn,
    downstream: place.downstream,
    snapshot: draft.steppers.member.initial(memberContext(spec.lifetime, spec.requirePlan)),
    since: draft.input.at,
    revision: place.revision,
    reason: null,
    result: null,
    replacedBy: null,
    run: emptyRun,
    turn: emptyTurn,
    unread: [],
    unreadBytes: 0,
    received: 0,
    tokens: 0,
    cost: 0,
    modelCalls: 0,
  };
}

/** A team may be named like an earlier one of its session; then it gets `-2`, `-3`, ..., in the length of a name. */
function freeTeamName(draft: Draft, name: string): string {
  const taken = new Set(draft.state.pastTeams.map((team) => collisionKey(team.name)));
  for (let count = 2, free = name; ; count++) {
    if (!taken.has(collisionKey(free))) return free;
    const suffix = `-${count}`;
    free = `${[...name].slice(0, nameCharsMax - suffix.length).join("")}${suffix}`;
  }
}
