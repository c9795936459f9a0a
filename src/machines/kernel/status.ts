import { collisionKey } from "../../protocol/names.ts";
import type { BodyRef } from "../../protocol/input.ts";
import type { MemberStatus, MessageCounts, PermissionRequestStatus, TeamStatus } from "../../protocol/status.ts";
import type { FactReader } from "./facts.ts";
import type { Open } from "./roster-draft.ts";
import type { MemberRecord, PermissionRequest, SessionState } from "./state.ts";

/** What people and models see of a session: names, states and reasons. A pure projection of the state. */

/** The texts that belong to a member's result; the host has the bodies. */
export interface ResultTexts {
  readonly summary?: string;
  readonly paths?: readonly string[];
}

/** Looks up the result of a member; undefined when its body isn't at hand. */
export type ResultLookup = (member: MemberRecord) => ResultTexts | undefined;

/** Looks up a body that somebody asks people to judge; undefined when it isn't at hand. */
export type AskedLookup = (body: BodyRef) => unknown;

const nothingAsked: AskedLookup = () => undefined;

/** Characters of what is asked that a status shows; who wants all of it has the body. */
const askedCharsMax = 2_000;

function askedText(body: BodyRef | null, askedOf: AskedLookup): string | undefined {
  const value = body === null ? undefined : askedOf(body);
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= askedCharsMax) return text;
  return `${text.slice(0, askedCharsMax).toWellFormed()}... (${text.length - askedCharsMax} characters more)`;
}

/** The status of one member. */
export function memberStatus(
  session: SessionState,
  member: MemberRecord,
  facts: FactReader,
  resultOf: ResultLookup,
  askedOf: AskedLookup = nothingAsked,
): MemberStatus {
  const plan = askedText(member.run.plan, askedOf);
  const { work, presence, activity } = facts.member(member.snapshot);
  const dependsOn: string[] = [];
  const waitingOn: string[] = [];
  for (const token of member.dependsOn) {
    const upstream = session.members.get(token);
    dependsOn.push(upstream?.name ?? token);
    if (upstream !== undefined && facts.member(upstream.snapshot).work !== "completed") waitingOn.push(upstream.name);
  }
  const status: Open<Omit<MemberStatus, "tokens" | "modelCalls">> = {
    name: member.name,
    agentType: member.agentType,
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
  return { ...status, tokens: member.tokens, modelCalls: member.modelCalls };
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
 * The status of the whole session as its lead (or the member `caller`) sees it. With `askedOf` it shows what people are
 * asked to judge: the arguments of permission requests, and plans.
 */
export function projectStatus(
  session: SessionState,
  facts: FactReader,
  resultOf: ResultLookup,
  {
    changed,
    caller,
    askedOf = nothingAsked,
  }: { readonly changed: boolean; readonly caller: string; readonly askedOf?: AskedLookup },
): TeamStatus {
  const { team } = session;
  const owner = caller === "lead" ? session.lead : session.members.get(caller);
  const state = team === null ? "none" : facts.team(team.snapshot);
  return {
    team: team?.name ?? null,
    // A team that is still forming or was rejected is never kept.
    state: state === "forming" || state === "rejected" ? "none" : state,
    revision: session.revision,
    version: session.version,
    changed,
    members: membersInOrder(session).map((member) => memberStatus(session, member, facts, resultOf, askedOf)),
    pendingMessages: owner?.unread.filter((mail) => mail.kind !== "system").length ?? 0,
    permissionRequests: session.requests.map((request) => requestStatus(session, request, askedOf)),
  };
}

function requestStatus(
  session: SessionState,
  request: PermissionRequest,
  askedOf: AskedLookup,
): PermissionRequestStatus {
  const input = askedText(request.input, askedOf);
  return {
    id: request.id,
    member: session.members.get(request.member)?.name ?? request.member,
    kind: request.kind,
    tool: request.tool,
    ...(input === undefined ? {} : { input }),
    approver: request.approver,
    since: request.deadline.armedAt,
  };
}

/** Mail of the session so far: accepted = delivered + dead-lettered + unread. */
export function messageCounts(session: SessionState): MessageCounts {
  const { accepted, delivered, deadLettered, refused } = session.mail;
  return { accepted, delivered, deadLettered, unread: accepted - delivered - deadLettered, refused };
}
