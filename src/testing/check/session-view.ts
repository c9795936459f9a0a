import {
  desiredRun,
  displayName,
  membersInOrder,
  taskStatuses,
  type FactReader,
  type LeadTurn,
  type MemberActivity,
  type MemberRecord,
  type SessionState,
  type TeamFacts,
} from "../../machines/index.ts";
import type { PresenceState, WorkState } from "../../protocol/reply.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import type { Lifetime } from "../../protocol/spec.ts";
import type { Order } from "./orders.ts";
import { leadTurns, memberStates, requireState, teamStates } from "./state-names.ts";

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
  /** Unread messages; a request to shut down is its state, `draining`, and is not counted. */
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
  /** All members. A property that asks for their order switches symmetry off. */
  readonly members: readonly MemberView[];
  readonly team: { readonly state: TeamFacts | "none"; is(state: TeamFacts | "none"): boolean };
  readonly lead: { readonly turn: LeadTurn; readonly unread: number; is(turn: LeadTurn): boolean };
  /** Unread messages of all members. Counts of all mail so far are no part of a state: see `Step.mail`. */
  readonly mail: { readonly unread: number };
  /** Permission requests that wait for an answer, in no particular order. */
  readonly requests: readonly { readonly member: MemberView; readonly kind: "tool" | "network" | "mode" }[];
  /** The tasks of the team's board, by their numbers; none in a team without one. */
  readonly tasks: readonly TaskView[];
  readonly isClosed: boolean;
}

/** A task as a property sees it; whoever has it by name. */
export type TaskView = Pick<TaskStatus, "task" | "status" | "owner" | "assignee" | "dependsOn" | "waitingOn">;

/** A session as a property sees it; `onName` is told when a member is named, `order` says who stands at whose place. */
export const readSession = (
  session: SessionState,
  facts: FactReader,
  onName: (name: string) => void = () => {},
  order: Order = asTheyAre,
): SessionView => new SessionReader({ session, facts, onName, order });

const asTheyAre: Order = (token) => token;

/** What a view is read from. */
interface Source {
  readonly session: SessionState;
  readonly facts: FactReader;
  readonly onName: (name: string) => void;
  readonly order: Order;
}

/** Who stands at a member's place; there is nobody at that of a member which the session doesn't have. */
function readMember(source: Source, place: MemberRecord | undefined): MemberReader[] {
  const member = place === undefined ? undefined : source.session.members.get(source.order(place.token));
  return place === undefined || member === undefined ? [] : [new MemberReader(source, member, place)];
}

/** Views are made for every state and step, so what is not asked for is not worked out. */
class SessionReader implements SessionView {
  readonly #source: Source;
  readonly isClosed: boolean;

  constructor(source: Source) {
    this.#source = source;
    this.isClosed = source.session.snapshot.value === "closed";
  }

  /** May be taken out of the view, as `({ member }) => ...` does. */
  readonly member = (name: string): MemberView => {
    const { session, onName } = this.#source;
    onName(name);
    for (const member of session.members.values())
      if (member.name === name && session.team?.order.includes(member.token))
        return new MemberReader(this.#source, member, member);
    throw new RangeError(`there is no member ${name}`);
  };

  get members(): readonly MemberView[] {
    return membersInOrder(this.#source.session).flatMap((place) => readMember(this.#source, place));
  }

  get team(): SessionView["team"] {
    const { session, facts } = this.#source;
    const state = session.team === null ? "none" : facts.team(session.team.snapshot);
    return { state, is: (other) => isState("team", other, teamStates, other === state) };
  }

  get lead(): SessionView["lead"] {
    const { session, facts } = this.#source;
    const { turn } = facts.lead(session.lead.snapshot);
    return {
      turn,
      unread: session.lead.unread.length,
      is: (other) => isState("lead", other, leadTurns, other === turn),
    };
  }

  get mail(): SessionView["mail"] {
    return { unread: membersInOrder(this.#source.session).reduce((sum, { unread }) => sum + unreadOf(unread), 0) };
  }

  get tasks(): readonly TaskView[] {
    return taskStatuses(this.#source.session) ?? [];
  }

  get requests(): SessionView["requests"] {
    const { session, order } = this.#source;
    // By whose they are: which of two was first is no part of a state.
    return membersInOrder(session).flatMap((place) =>
      session.requests
        .filter(({ member }) => member === order(place.token))
        .flatMap(({ kind }) => readMember(this.#source, place).map((member) => ({ member, kind }))),
    );
  }
}

class MemberReader implements MemberView {
  readonly #source: Source;
  readonly #member: MemberRecord;
  /** The member in whose place it is shown: its own, but where orders are compared. */
  readonly #place: MemberRecord;
  readonly work: WorkState;
  readonly presence: PresenceState;
  readonly activity: MemberActivity | null;

  constructor(source: Source, member: MemberRecord, place: MemberRecord) {
    this.#source = source;
    this.#member = member;
    this.#place = place;
    const { work, presence, activity } = source.facts.member(member.snapshot);
    this.work = work;
    this.presence = presence;
    this.activity = activity;
  }

  get name(): string {
    this.#source.onName(this.#member.name);
    return this.#member.name;
  }

  get lifetime(): Lifetime {
    return this.#member.lifetime;
  }

  get attempt(): number {
    return this.#member.snapshot.context.attempt;
  }

  get unread(): number {
    return unreadOf(this.#member.unread);
  }

  get runs(): number {
    const { session, facts } = this.#source;
    return desiredRun(session, this.#member, facts) === null ? 0 : 1;
  }

  get upstreams(): readonly MemberView[] {
    const { members } = this.#source.session;
    return this.#place.dependsOn.flatMap((token) => readMember(this.#source, members.get(token)));
  }

  readonly is = (state: WorkState | PresenceState | MemberActivity): boolean =>
    isState("member", state, memberStates, state === this.work || state === this.presence || state === this.activity);
}

/** The answer to whether somebody is in a state; throws for a state that nobody can be in. */
function isState(whose: string, asked: string, known: Readonly<Record<string, true>>, answer: boolean): boolean {
  if (!answer) requireState(whose, asked, known);
  return answer;
}

/** A request to shut down is a state of its member, read or not: it is no part of what tells two states apart. */
const unreadOf = (unread: MemberRecord["unread"]): number =>
  unread.reduce((sum, { notice }) => sum + (notice === "shutdown_requested" ? 0 : 1), 0);

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
  const tasks = (taskStatuses(session) ?? []).map(
    ({ task, status, owner = null }) => `#${task} ${status}${owner === null ? "" : ` of ${owner}`}`,
  );
  return [`Team ${team}`, ...lead, ...members, ...tasks].join("; ");
}
