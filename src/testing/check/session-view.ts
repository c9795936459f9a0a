import {
  desiredRun,
  displayName,
  membersInOrder,
  type FactReader,
  type LeadTurn,
  type MemberActivity,
  type MemberRecord,
  type SessionState,
  type TeamFacts,
} from "../../machines/index.ts";
import type { PresenceState, WorkState } from "../../protocol/reply.ts";
import type { Lifetime } from "../../protocol/spec.ts";

/** A member as a property sees it. */
export interface MemberView {
  readonly name: string;
  readonly work: WorkState;
  readonly presence: PresenceState;
  /** What its live run does, or null. */
  readonly activity: MemberActivity | null;
  readonly lifetime: Lifetime;
  /** Its try at its work, from 1; 0 = never started. */
  readonly attempt: number;
  /** Unread messages. */
  readonly unread: number;
  /** Live runs: 0 or 1. */
  readonly runs: number;
  /** The members that it waits for, completed ones too. */
  readonly upstreams: readonly MemberView[];
  /** Whether its work, its presence or its activity has this value. */
  is(state: WorkState | PresenceState | MemberActivity): boolean;
}

/** A session as a property sees it: settled, in display names. */
export interface SessionView {
  /** The member of this name. Asking for one by name switches symmetry off: see `checkModel`. */
  member(name: string): MemberView;
  /** All members; in no particular order while symmetry is on. */
  readonly members: readonly MemberView[];
  readonly team: { readonly state: TeamFacts | "none"; is(state: TeamFacts | "none"): boolean };
  readonly lead: { readonly turn: LeadTurn; readonly unread: number; is(turn: LeadTurn): boolean };
  /** Unread messages of all members. Counts of all mail so far are no part of a state: see `Step.mail`. */
  readonly mail: { readonly unread: number };
  /** Permission requests that wait for an answer. */
  readonly requests: readonly { readonly member: MemberView; readonly kind: "tool" | "network" | "mode" }[];
  readonly isClosed: boolean;
}

/** A session as a property sees it; `onName` is told when a member is named. */
export function readSession(
  session: SessionState,
  facts: FactReader,
  onName: (name: string) => void = () => {},
): SessionView {
  const view = (member: MemberRecord): MemberView => viewMember(session, facts, member, onName);
  return {
    member(name) {
      onName(name);
      const member = membersInOrder(session).find((each) => each.name === name);
      if (member === undefined) throw new RangeError(`there is no member ${name}`);
      return view(member);
    },
    get members() {
      return membersInOrder(session).map(view);
    },
    get team() {
      const state = session.team === null ? "none" : facts.team(session.team.snapshot);
      return { state, is: (other: TeamFacts | "none") => other === state } as const;
    },
    get lead() {
      const { turn } = facts.lead(session.lead.snapshot);
      return { turn, unread: session.lead.unread.length, is: (other: LeadTurn) => other === turn };
    },
    get mail() {
      return { unread: membersInOrder(session).reduce((sum, { unread }) => sum + unread.length, 0) };
    },
    get requests() {
      return session.requests.flatMap(({ member, kind }) => {
        const record = session.members.get(member);
        return record === undefined ? [] : [{ member: view(record), kind }];
      });
    },
    isClosed: session.snapshot.value === "closed",
  };
}

function viewMember(
  session: SessionState,
  facts: FactReader,
  member: MemberRecord,
  onName: (name: string) => void,
): MemberView {
  const { work, presence, activity } = facts.member(member.snapshot);
  return {
    get name() {
      onName(member.name);
      return member.name;
    },
    work,
    presence,
    activity,
    lifetime: member.lifetime,
    attempt: member.snapshot.context.attempt,
    unread: member.unread.length,
    runs: desiredRun(session, member, facts) === null ? 0 : 1,
    get upstreams() {
      return member.dependsOn.flatMap((token) => {
        const upstream = session.members.get(token);
        return upstream === undefined ? [] : [viewMember(session, facts, upstream, onName)];
      });
    },
    is: (state) => state === work || state === presence || state === activity,
  };
}

/** A state in a few words, for the end of a trace. */
export function stateText(session: SessionState, facts: FactReader): string {
  const members = membersInOrder(session).map((member) => {
    const { work, presence, activity } = facts.member(member.snapshot);
    const unread = member.unread.length === 0 ? "" : `, ${member.unread.length} unread`;
    return `${displayName(session, (token) => session.members.get(token), member.token)} ${work}/${presence}${activity === null ? "" : `/${activity}`}${unread}`;
  });
  const team = session.team === null ? "none" : facts.team(session.team.snapshot);
  const { turn } = facts.lead(session.lead.snapshot);
  const lead = session.config?.lead === "hosted" ? [`Lead ${turn}`] : [];
  return [`Team ${team}`, ...lead, ...members].join("; ");
}
