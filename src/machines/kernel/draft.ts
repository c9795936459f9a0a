import type { EventObject } from "xstate";
import { refusal, type ErrorCode, type ErrorData, type Refusal } from "../../errors/index.ts";
import type { Input } from "../../protocol/input.ts";
import type { Reply, WorkState } from "../../protocol/reply.ts";
import type { LeadEvent } from "../lead-machine.ts";
import type { MemberEvent } from "../member-events.ts";
import type { SessionEvent } from "../session-machine.ts";
import type { TeamEvent } from "../team-machine.ts";
import type { Effect } from "../transition-once.ts";
import type { DueReply, KernelRecord } from "./applied.ts";
import { countMove } from "./counts.ts";
import type { FactReader, MemberFacts } from "./facts.ts";
import type { MailFact } from "./mail-fact.ts";
import { postsMaxOf } from "./posts-max.ts";
import { RosterDraft, type Open } from "./roster-draft.ts";
import { StepLog, type Shown } from "./step-log.ts";
import type { ClientRecord, CommandRef, LeadRecord, MemberRecord, RunData, SessionState, TeamRecord } from "./state.ts";
import type { Steppers } from "./steppers.ts";

/** What follows from an effect of a machine; the kernel wires one table per machine. */
export interface EffectHandlers {
  readonly member: (draft: Draft, token: string, effect: Effect, run: RunData) => void;
  readonly team: (draft: Draft, effect: Effect) => void;
  readonly lead: (draft: Draft, effect: Effect) => void;
  readonly session: (draft: Draft, effect: Effect) => void;
}

/** What is written down without a machine's step; it says more than a machine needs. */
interface Noted extends EventObject {
  readonly [field: string]: unknown;
}

type Post = () => void;
type TopLevel = Omit<SessionState, "members" | "unmet" | "clients">;

const noted = { handled: true, transitions: [] } as const;
const asPost: Shown = {};
const noMail: readonly MailFact[] = [];

/** Clients whose commands are remembered. */
const clientsMax = 256;

/**
 * One input's change of a session, made in the session itself with what it takes to undo it: a draft is either committed
 * or discarded, and a discarded one leaves the session as it was. Records are copied before they are changed, once.
 * Posts are applied first in, first out; verdicts are computed when a post is applied, not when it is made.
 */
export class Draft {
  readonly record: KernelRecord;
  readonly replies: DueReply[] = [];
  /** Tokens of the actors whose record changed. */
  readonly changed = new Set<string>();
  /** Tokens of members that wait for one upstream less; one may stand here twice. */
  readonly counted: string[] = [];
  readonly roster: RosterDraft;
  readonly log: StepLog;
  /** Set when a person would see a difference, or would want to be told of it. */
  visible = false;
  notable = false;
  /** Set when somebody may have to be woken for a task. Only in a team with a board. */
  boardDue = false;

  readonly #session: Open<SessionState>;
  readonly #steppers: Steppers;
  readonly #handlers: EffectHandlers;
  readonly #before: SessionState;
  readonly #queue: Post[] = [];
  readonly #postsMax: number;
  #applied = 0;
  #ownTeam: TeamRecord | null = null;
  #mail: MailFact[] | null = null;
  #clients: Map<string, ClientRecord> | null = null;

  constructor(session: SessionState, record: KernelRecord, steppers: Steppers, handlers: EffectHandlers) {
    this.#session = session;
    this.record = record;
    this.#steppers = steppers;
    this.#handlers = handlers;
    this.#before = { ...session };
    this.roster = new RosterDraft(session, this.changed);
    this.log = new StepLog(record.input, (actor) => this.#workOf(actor));
    this.#postsMax = postsMaxOf(session, record);
  }

  /** Moves the session to this record. */
  begin(): void {
    const { seq, input } = this.record;
    this.#session.seq = seq;
    this.#session.at = input.at;
  }

  get state(): Readonly<TopLevel> {
    return this.#session;
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
    Object.assign(this.#session, change);
  }

  member(token: string): MemberRecord | undefined {
    return this.roster.get(token);
  }

  /** The member of this token, which the caller knows to exist. */
  mustMember(token: string): MemberRecord {
    return this.roster.must(token);
  }

  memberFacts(token: string): MemberFacts {
    return this.facts.member(this.mustMember(token).snapshot);
  }

  putMember(member: MemberRecord): void {
    this.roster.put(member);
  }

  /** A member's record to be changed in place: it is this draft's own, and nobody else's before it is committed. */
  openMember(token: string): Open<MemberRecord> {
    return this.roster.open(token);
  }

  changeMember(token: string, change: Partial<MemberRecord>): void {
    Object.assign(this.openMember(token), change);
  }

  /** The team there is; asking without one is a fault of ours. */
  get team(): TeamRecord {
    if (this.#session.team === null) throw new Error("no team");
    return this.#session.team;
  }

  changeTeam(change: Partial<TeamRecord>): void {
    const { team } = this;
    if (this.#ownTeam === team) Object.assign(team, change);
    else {
      this.#ownTeam = { ...team, ...change };
      this.#session.team = this.#ownTeam;
    }
    this.changed.add(team.token);
  }

  get lead(): LeadRecord {
    return this.#session.lead;
  }

  changeLead(change: Partial<LeadRecord>): void {
    this.#session.lead = { ...this.#session.lead, ...change };
    this.changed.add("lead");
  }

  client(id: string): ClientRecord | undefined {
    return this.#clients?.get(id) ?? this.#session.clients.get(id);
  }

  putClient(id: string, client: ClientRecord): void {
    (this.#clients ??= new Map()).set(id, client);
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
    shown: Shown = asPost,
  ): void {
    this.#queue.push(() => {
      const member = this.mustMember(token);
      const due = typeof event === "function" ? event(member) : event;
      if (due !== null) this.#stepMember(member, from, due, shown);
    });
  }

  postTeam(from: string, event: TeamEvent, shown: Shown = asPost): void {
    this.#queue.push(() => this.#stepTeam(from, event, shown));
  }

  postLead(from: string, event: LeadEvent | (() => LeadEvent | null), shown: Shown = asPost): void {
    this.#queue.push(() => {
      const due = typeof event === "function" ? event() : event;
      if (due !== null) this.#stepLead(from, due, shown);
    });
  }

  postSession(from: string, event: SessionEvent): void {
    this.#queue.push(() => {
      const step = this.#steppers.session.step(this.#session.snapshot, event);
      this.log.add({ actor: "session", from, status: null }, event, step, { asInput: true });
      this.changed.add("session");
      this.#session.snapshot = step.next;
      for (const effect of step.effects) this.#handlers.session(this, effect);
    });
  }

  /** Writes down what reached somebody without a step of its machine, such as mail to a busy actor. */
  note(actor: string, from: string, event: Noted): void {
    this.log.add({ actor, from, status: this.#workOf(actor) }, event, noted, asPost);
  }

  /** Writes down what became of mail, for whoever keeps account of it. */
  noteMail(fact: MailFact): void {
    (this.#mail ??= []).push(fact);
  }

  get mail(): readonly MailFact[] {
    return this.#mail ?? noMail;
  }

  #workOf(actor: string): WorkState | null {
    const member = this.member(actor);
    return member === undefined ? null : this.facts.member(member.snapshot).work;
  }

  /** Applies posts until none is left. */
  drain(): void {
    while (this.#applied < this.#queue.length) {
      if (this.#applied >= this.#postsMax) throw new Error(`more than ${this.#postsMax} posts from one input`);
      this.#queue[this.#applied++]?.();
    }
  }

  /** Keeps the change. */
  commit(): void {
    if (this.#clients === null) return;
    const { clients } = this.#session;
    for (const [id, client] of this.#clients) {
      // Set anew, so that the map's first key is the client that was silent for longest.
      clients.delete(id);
      clients.set(id, client);
    }
    if (clients.size > clientsMax)
      for (const id of [...clients.keys()].slice(0, clients.size - clientsMax)) clients.delete(id);
  }

  /** Undoes the change: the session is as it was before this draft. */
  discard(): void {
    Object.assign(this.#session, this.#before);
    this.roster.discard();
  }

  #stepMember(member: MemberRecord, from: string, event: MemberEvent, shown: Shown): void {
    const { token, snapshot, run, turn } = member;
    const step = this.#steppers.member.step(snapshot, event);
    const before = this.facts.member(snapshot);
    const after = this.facts.member(step.next);
    this.log.add({ actor: token, from, status: after.work }, event, step, shown);
    if (step.next !== snapshot) {
      const moved = before.work !== after.work || before.presence !== after.presence;
      const turns = turn.turns + (step.next.context.run - snapshot.context.run);
      const own = this.openMember(token);
      own.snapshot = step.next;
      if (moved) own.since = this.input.at;
      if (turns !== turn.turns) own.turn = { ...turn, turns };
      if (moved) {
        this.changeTeam({ counts: countMove(this.team.counts, before, after) });
        this.boardDue ||= this.team.board !== null;
      }
      this.visible ||= moved || before.activity !== after.activity;
    }
    for (const effect of step.effects) this.#handlers.member(this, token, effect, run);
  }

  #stepTeam(from: string, event: TeamEvent, shown: Shown): void {
    const team = this.team;
    const step = this.#steppers.team.step(team.snapshot, event);
    this.log.add({ actor: team.token, from, status: null }, event, step, shown);
    if (step.next !== team.snapshot) {
      this.changeTeam({ snapshot: step.next, since: this.input.at });
      this.visible = true;
    }
    for (const effect of step.effects) this.#handlers.team(this, effect);
  }

  #stepLead(from: string, event: LeadEvent, shown: Shown): void {
    const step = this.#steppers.lead.step(this.lead.snapshot, event);
    this.log.add({ actor: "lead", from, status: null }, event, step, shown);
    if (step.next !== this.lead.snapshot) this.changeLead({ snapshot: step.next });
    for (const effect of step.effects) this.#handlers.lead(this, effect);
  }
}
