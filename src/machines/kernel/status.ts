import { collisionKey, LEAD } from "../../protocol/names.ts";
import type { BodyRef } from "../../protocol/input.ts";
import type { MemberStatus, MessageCounts, PermissionRequestStatus, TeamStatus } from "../../protocol/status.ts";
import { moneyOf } from "../../protocol/prices.ts";
import { memberBudgets, teamBudgets } from "./budgets.ts";
import type { FactReader } from "./facts.ts";
import type { Open } from "./roster-draft.ts";
import type { MemberRecord, PermissionRequest, SessionState } from "./state.ts";
import { taskStatuses } from "./task-status.ts";
import { worktreeOf } from "./worktrees.ts";

/** What people and models see of a session: names, states and reasons. A pure projection of the state. */

/** The texts that belong to a member's result; the host has the bodies. */
export interface ResultTexts {
  readonly summary?: string;
  readonly paths?: readonly string[];
}

/** Looks up the result of a member; undefined when its body isn't at hand. */
export type ResultLookup = (member: MemberRecord) => ResultTexts | undefined;

/** Looks up a plan that waits for an answer; undefined when it isn't at hand, or not to be shown. */
export type PlanLookup = (body: BodyRef) => unknown;

/** What a request is about, for whoever is to answer it. */
export type RequestTexts = Pick<PermissionRequestStatus, "input" | "target" | "chains">;

/** Looks up what a request is about; undefined when it isn't at hand, or not to be shown. */
export type RequestLookup = (request: PermissionRequest) => RequestTexts | undefined;

const noPlan: PlanLookup = () => undefined;
const noTexts: RequestLookup = () => undefined;

/** Characters of a plan that a status shows; who wants all of it has the body. */
const planCharsMax = 2_000;

function planText(body: BodyRef | null, planOf: PlanLookup): string | undefined {
  const value = body === null ? undefined : planOf(body);
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= planCharsMax) return text;
  return `${text.slice(0, planCharsMax).toWellFormed()}... (${text.length - planCharsMax} characters more)`;
}

/** The status of one member. */
export function memberStatus(
  session: SessionState,
  member: MemberRecord,
  facts: FactReader,
  resultOf: ResultLookup,
  { planOf = noPlan, now = session.at }: { readonly planOf?: PlanLookup; readonly now?: number } = {},
): MemberStatus {
  const plan = planText(member.run.plan, planOf);
  const { work, presence, activity } = facts.member(member.snapshot);
  const dependsOn: string[] = [];
  const waitingOn: string[] = [];
  for (const token of member.dependsOn) {
    const upstream = session.members.get(token);
    dependsOn.push(upstream?.name ?? token);
    if (upstream !== undefined && facts.member(upstream.snapshot).work !== "completed") waitingOn.push(upstream.name);
  }
  const budgets = memberBudgets(session, member, facts, now);
  const status: Open<Omit<MemberStatus, "tokens" | "cost" | "modelCalls" | "budgets">> = {
    name: member.name,
    agentType: member.agentType,
    ...(member.invited === null ? {} : { kind: "invited" as const }),
    status: work,
    presence,
    activity,
    since: member.since,
    dependsOn,
    waitingOn,
    unread: member.unread.length,
    attempt: member.snapshot.context.attempt,
  };
  if (member.reason !== null) status.reason = member.reason;
  const result = resultOf(member);
  if (result !== undefined) Object.assign(status, result);
  if (plan !== undefined) status.plan = plan;
  if (member.replacedBy !== null) status.replacedBy = member.replacedBy;
  const worktree = worktreeOf(session, member.token);
  if (worktree !== undefined) {
    const { branch, path, state } = worktree;
    status.worktree = { branch, path, state };
  }
  const { tokens, cost, modelCalls } = member;
  return {
    ...status,
    tokens,
    ...(cost === 0 ? {} : { cost: moneyOf(cost) }),
    modelCalls,
    ...(budgets.length === 0 ? {} : { budgets }),
  };
}

/** Members of the current team in the order of their declaration. */
export const membersInOrder = (session: SessionState): MemberRecord[] =>
  (session.team?.order ?? []).flatMap((token) => session.members.get(token) ?? []);

/** The member of this name, or undefined. */
export function memberByName(session: SessionState, name: string): MemberRecord | undefined {
  const token = session.team?.byKey.get(collisionKey(name.normalize("NFC")));
  return token === undefined ? undefined : session.members.get(token);
}

/**
 * The status of the whole session as its lead (or the member `caller`) sees it. With `planOf` and `textsOf` it shows what
 * somebody is asked to judge: plans, and what permission requests are about.
 */
export function projectStatus(
  session: SessionState,
  facts: FactReader,
  resultOf: ResultLookup,
  {
    changed,
    caller,
    planOf = noPlan,
    textsOf = noTexts,
    now = session.at,
  }: {
    readonly changed: boolean;
    readonly caller: string;
    readonly planOf?: PlanLookup;
    readonly textsOf?: RequestLookup;
    /** What time it is, for budgets of time; left out = that of the last input. */
    readonly now?: number;
  },
): TeamStatus {
  const { team } = session;
  const budgets = teamBudgets(session, now);
  const owner = caller === "lead" ? session.lead : session.members.get(caller);
  const state = team === null ? "none" : facts.team(team.snapshot);
  const tasks = taskStatuses(session);
  return {
    team: team?.name ?? null,
    // A team that is still forming or was rejected is never kept.
    state: state === "forming" || state === "rejected" ? "none" : state,
    revision: session.revision,
    version: session.version,
    changed,
    members: membersInOrder(session).map((member) => memberStatus(session, member, facts, resultOf, { planOf, now })),
    ...(tasks === null ? {} : { tasks }),
    pendingMessages: owner?.unread.filter((mail) => mail.kind !== "system").length ?? 0,
    permissionRequests: session.requests.map((request) => requestStatus(session, request, textsOf)),
    ...(budgets.length === 0 ? {} : { budgets }),
  };
}

function requestStatus(
  session: SessionState,
  request: PermissionRequest,
  textsOf: RequestLookup,
): PermissionRequestStatus {
  return {
    id: request.id,
    member: request.member === "lead" ? LEAD : (session.members.get(request.member)?.name ?? request.member),
    kind: request.kind,
    tool: request.tool,
    ...textsOf(request),
    approver: request.approver,
    since: request.deadline.armedAt,
  };
}

/** Mail of the session so far: accepted = delivered + dead-lettered + unread. */
export function messageCounts(session: SessionState): MessageCounts {
  const { accepted, delivered, deadLettered, refused } = session.mail;
  return { accepted, delivered, deadLettered, unread: accepted - delivered - deadLettered, refused };
}
