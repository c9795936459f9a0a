import type { EventObject } from "xstate";
import { refusal, type ErrorCode, type ErrorData, type Refusal } from "../../errors/index.ts";
import type { Input } from "../../protocol/input.ts";
import type { Reply, WorkState } from "../../protocol/reply.ts";
import type { LeadEvent } from "../lead-machine.ts";
import type { MemberEvent } from "../member-events.ts";
import type { SessionEvent } from "../session-machine.ts";
import type { TeamEvent } from "../team-machine.ts";
import type { Effect } from "../transition-once.ts";
import type { AppliedStep, DueReply, KernelRecord } from "./applied.ts";
import { countMove } from "./counts.ts";
import type { FactReader, MemberFacts } from "./facts.ts";
import { postsMaxOf } from "./posts-max.ts";
import type { ClientRecord, CommandRef, LeadRecord, MemberRecord, SessionState, TeamRecord } from "./state.ts";
import type { Steppers } from "./steppers.ts";

/** How a post is written down: as the input itself, or with more than the machine needs to know. */
interface Shown {
  readonly asInput?: boolean;
  readonly event?: EventObject;
}

/** What follows from an effect of a machine; the kernel wires one table per machine. */
export interface EffectHandlers {
  readonly member: (draft: Draft, token: string, effect: Effect, before: MemberRecord) => void;
  readonly team: (draft: Draft, effect: Effect) => void;
  readonly lead: (draft: Draft, effect: Effect) => void;
  readonly session: (draft: Draft, effect: Effect) => void;
}

/** What is written down without a machine's step; it says more than a machine needs. */
interface Noted extends EventObject {
  readonly [field: string]: unknown;
}

type Post = () => void;
type Open<T> = { -readonly [Key in keyof T]: T[Key] };
type TopLevel = Omit<SessionState, "members" | "clients">;

/** Clients whose commands are remembered. */
const clientsMax = 256;
/**
 * One input's change of a session, kept aside until it is whole: a throw anywhere leaves the session as it was. Posts are
 * applied first in, first out; verdicts are computed when a post is applied, not when it is made.
 */
export class Draft {
  readonly record: KernelRecord;
  readonly steps: AppliedStep[] = [];
  readonly replies: DueReply[] = [];
  readonly touched = new Set<string>();
  /** Set when a person would see a difference, or would want to be told of it. */
  visible = false;
  notable = false;

  readonly #session: SessionState;
  readonly #steppers: Steppers;
  readonly #handlers: EffectHandlers;
  readonly #members = new Map<string, MemberRecord>();
  readonly #clients = new Map<string, ClientRecord>();
  readonly #queue: Post[] = [];
  readonly #postsMax: number;
  #applied = 0;
  readonly #state: Open<TopLevel>;
  #membersReplaced = false;

  constructor(session: SessionState, record: KernelRecord, steppers: Steppers, handlers: EffectHandlers) {
    this.#session = session;
    this.record = record;
    this.#steppers = steppers;
    this.#handlers = handlers;
    this.#state = { ...session };
    this.#postsMax = postsMaxOf(session, record);
  }

  /** Moves the session to this record and writes the input down as step 0. */
  begin(): void {
    const { seq, input } = this.record;
    this.set({ seq, at: input.at });
    this.note(input.actor, input.from, input.event);
  }

  get state(): Readonly<TopLevel> {
    return this.#state;
  }

  get input(): Input {
    return this.record.input;
  }

  get facts(): FactReader {
    return this.#steppers.facts;
  }

  get steppers(): Steppers {
    return this.#steppers;
  }

  /** Changes top-level values. */
  set(change: Partial<TopLevel>): void {
    Object.assign(this.#state, change);
  }

  member(token: string): MemberRecord | undefined {
    return this.#members.get(token) ?? (this.#membersReplaced ? undefined : this.#session.members.get(token));
  }

  /** The member of this token, which the caller knows to exist. */
  mustMember(token: string): MemberRecord {
    const member = this.member(token);
    if (member === undefined) throw new Error(`no member ${token}`);
    return member;
  }

  memberFacts(token: string): MemberFacts {
    return this.facts.member(this.mustMember(token).snapshot);
  }

  putMember(member: MemberRecord): void {
    this.#members.set(member.token, member);
    this.touched.add(member.token);
  }

  changeMember(token: string, change: Partial<MemberRecord>): void {
    this.putMember({ ...this.mustMember(token), ...change });
  }

  /** Starts an empty roster: a new team takes the place of a dissolved one. */
  replaceMembers(): void {
    this.#members.clear();
    this.#membersReplaced = true;
  }

  /** The team there is; asking without one is a fault of ours. */
  get team(): TeamRecord {
    if (this.#state.team === null) throw new Error("no team");
    return this.#state.team;
  }

  changeTeam(change: Partial<TeamRecord>): void {
    this.#state.team = { ...this.team, ...change };
    this.touched.add(this.team.token);
  }

  get lead(): LeadRecord {
    return this.#state.lead;
  }

  changeLead(change: Partial<LeadRecord>): void {
    this.#state.lead = { ...this.#state.lead, ...change };
    this.touched.add("lead");
  }

  client(id: string): ClientRecord | undefined {
    return this.#clients.get(id) ?? this.#session.clients.get(id);
  }

  putClient(id: string, client: ClientRecord): void {
    this.#clients.set(id, client);
  }

  reply(to: CommandRef, reply: Reply): void {
    this.replies.push({ to, reply });
  }

  refusal<Code extends ErrorCode>(code: Code, data: ErrorData<Code>): Refusal {
    return refusal(code, data);
  }

  /** Posts an event to a member; a function is asked for the event when its turn comes (null = no longer meant). */
  postMember(
    token: string,
    from: string,
    event: MemberEvent | ((member: MemberRecord) => MemberEvent | null),
    shown: Shown = {},
  ): void {
    this.#queue.push(() => {
      const member = this.mustMember(token);
      const due = typeof event === "function" ? event(member) : event;
      if (due !== null) this.#stepMember(member, from, due, shown);
    });
  }

  postTeam(from: string, event: TeamEvent, shown: Shown = {}): void {
    this.#queue.push(() => this.#stepTeam(from, event, shown));
  }

  postLead(from: string, event: LeadEvent | (() => LeadEvent | null), shown: Shown = {}): void {
    this.#queue.push(() => {
      const due = typeof event === "function" ? event() : event;
      if (due !== null) this.#stepLead(from, due, shown);
    });
  }

  postSession(from: string, event: SessionEvent): void {
    this.#queue.push(() => {
      const step = this.#steppers.session.step(this.#state.snapshot, event);
      this.#note("session", from, event, step, null, { asInput: true });
      this.touched.add("session");
      this.#state.snapshot = step.next;
      for (const effect of step.effects) this.#handlers.session(this, effect);
    });
  }

  /** Writes down what reached somebody without a step of its machine, such as mail to a busy actor. */
  note(actor: string, from: string, event: Noted): void {
    const member = this.member(actor);
    const status = member === undefined ? null : this.facts.member(member.snapshot).work;
    this.#note(actor, from, event, { handled: true, transitions: [] }, status, {});
  }

  /** Applies posts until none is left. */
  drain(): void {
    while (this.#applied < this.#queue.length) {
      if (this.#applied >= this.#postsMax) throw new Error(`more than ${this.#postsMax} posts from one input`);
      this.#queue[this.#applied++]?.();
    }
  }

  /** Makes the change real. */
  commit(): void {
    const { members, clients } = this.#session;
    if (this.#membersReplaced) members.clear();
    for (const [token, member] of this.#members) members.set(token, member);
    for (const [id, client] of this.#clients) {
      // Set anew, so that the map's first key is the client that was silent for longest.
      clients.delete(id);
      clients.set(id, client);
    }
    if (clients.size > clientsMax)
      for (const id of [...clients.keys()].slice(0, clients.size - clientsMax)) clients.delete(id);
    Object.assign(this.#session, this.#state);
  }

  #note(
    actor: string,
    from: string,
    event: EventObject,
    step: { handled: boolean; transitions: readonly string[] },
    status: WorkState | null,
    shown: Shown,
  ): void {
    const verdict = step.handled ? "handled" : "ignored";
    const { transitions } = step;
    if (shown.asInput === true) {
      this.steps[0] = { step: 0, actor, from, event: this.input.event, verdict, status, transitions };
    } else {
      this.steps.push({
        step: this.steps.length,
        actor,
        from,
        event: shown.event ?? event,
        verdict,
        status,
        transitions,
      });
    }
  }

  #stepMember(member: MemberRecord, from: string, event: MemberEvent, shown: Shown): void {
    const step = this.#steppers.member.step(member.snapshot, event);
    const [before, after] = [this.facts.member(member.snapshot), this.facts.member(step.next)];
    this.#note(member.token, from, event, step, after.work, shown);
    if (step.next !== member.snapshot) {
      const moved = before.work !== after.work || before.presence !== after.presence;
      const turns = member.turn.turns + (step.next.context.run - member.snapshot.context.run);
      this.putMember({
        ...member,
        snapshot: step.next,
        since: moved ? this.input.at : member.since,
        turn: turns === member.turn.turns ? member.turn : { ...member.turn, turns },
      });
      if (moved) this.changeTeam({ counts: countMove(this.team.counts, before, after) });
      this.visible ||= moved || before.activity !== after.activity;
    }
    for (const effect of step.effects) this.#handlers.member(this, member.token, effect, member);
  }

  #stepTeam(from: string, event: TeamEvent, shown: Shown): void {
    const team = this.team;
    const step = this.#steppers.team.step(team.snapshot, event);
    this.#note(team.token, from, event, step, null, shown);
    if (step.next !== team.snapshot) {
      this.changeTeam({ snapshot: step.next, since: this.input.at });
      this.visible = true;
    }
    for (const effect of step.effects) this.#handlers.team(this, effect);
  }

  #stepLead(from: string, event: LeadEvent, shown: Shown): void {
    const step = this.#steppers.lead.step(this.lead.snapshot, event);
    this.#note("lead", from, event, step, null, shown);
    if (step.next !== this.lead.snapshot) this.changeLead({ snapshot: step.next });
    for (const effect of step.effects) this.#handlers.lead(this, effect);
  }
}
