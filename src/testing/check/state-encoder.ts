import type { LeadRecord, Mail, MemberRecord, RunData, SessionState, TeamRecord } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";
import { Interner, ObjectNumbers } from "./interner.ts";
import type { LiveData } from "./live-data.ts";
import type { Symmetry } from "./symmetry.ts";
import { roomFor } from "./tuple-table.ts";

/**
 * What steers a session, as a tuple of small numbers: without times, texts, sequences and counters that only grow, and with
 * ids by their order of appearance. Two sessions with equal tuples can do the same things, up to names of runs and calls.
 *
 * Every actor's part is interned, and remembered by the identity of its record, so a step costs what it changed.
 */
export class StateEncoder {
  /** The tuple that was worked out last, in its first `length` cells. */
  cells = new Int32Array(64);
  length = 0;
  readonly #texts = new Interner();
  readonly #parts = new Map<LiveData, Parts>();
  readonly #symmetry: Symmetry;
  /** Per member cell of the tuple, whose it is: a place in the team's order. */
  readonly #places: number[] = [];

  constructor(symmetry: Symmetry) {
    this.#symmetry = symmetry;
  }

  /** How many different parts there are; each is a short text. */
  get partCount(): number {
    return this.#texts.size;
  }

  /** Works a session's tuple out; `ghost` is the number of what a property remembers. */
  encode(session: SessionState, live: LiveData, ghost = 0): void {
    const parts = this.#partsFor(live);
    const { team } = session;
    const order = team?.order ?? [];
    // A part for each member, two cells for the mail of each, and what the session has once.
    this.cells = roomFor(this.cells, 3 * order.length + 8);
    const { cells } = this;
    const moreOwners = live.owners && session.epoch > 1 ? 1 : 0;
    const layout = this.#symmetry.layoutOf(session);
    cells[0] = team === null ? -1 : parts.team.number(team);
    cells[1] = this.#texts.number(`s${JSON.stringify(session.snapshot.value)}${session.polls.length},${moreOwners}`);
    cells[2] = parts.lead.number(session.lead);
    cells[3] = ghost;
    cells[4] = layout.graph;
    const places = this.#places;
    places.length = order.length;
    for (let index = 0; index < order.length; index++) {
      const place = layout.order[index] ?? 0;
      const member = session.members.get(order[place] ?? "");
      places[index] = place;
      cells[fixedCells + index] = member === undefined ? -1 : parts.member.number(member);
    }
    this.#sort(layout.classes);
    this.length = fixedCells + order.length;
    this.#encodeMentions(session, order, live);
  }

  /** The part of one actor's data, which `text` says in full. */
  number(text: string): number {
    return this.#texts.number(text);
  }

  /** Sorts interchangeable members by their parts. */
  #sort(classes: readonly (readonly number[])[]): void {
    const [cells, places] = [this.cells, this.#places];
    for (const twins of classes) {
      for (let at = 1; at < twins.length; at++) {
        for (let back = at; back > 0; back--) {
          const [left, right] = [twins[back - 1] ?? 0, twins[back] ?? 0];
          const [a, b] = [cells[fixedCells + left] ?? 0, cells[fixedCells + right] ?? 0];
          if (a <= b) break;
          cells[fixedCells + left] = b;
          cells[fixedCells + right] = a;
          [places[left], places[right]] = [places[right] ?? 0, places[left] ?? 0];
        }
      }
    }
  }

  /** Who is named in whose unread mail, by the places that members have in this tuple. */
  #encodeMentions(session: SessionState, order: readonly string[], live: LiveData): void {
    const memberAt = (index: number): MemberRecord | undefined =>
      session.members.get(order[this.#places[index] ?? 0] ?? "");
    const indexOf = (name: string | null): number => {
      if (name === null) return -1;
      for (let index = 0; index < order.length; index++) if (memberAt(index)?.name === name) return index;
      return -1;
    };
    for (let index = 0; index < order.length; index++) {
      const unread = memberAt(index)?.unread ?? [];
      if (unread.length === 0) continue;
      const text = unread.map((mail) => `${indexOf(mail.from)},${indexOf(mail.about)}`).join(" ");
      this.cells[this.length++] = index;
      this.cells[this.length++] = this.#texts.number(`f${text}`);
    }
    const { unread } = session.lead;
    if (unread.length > 0) {
      const told = unread.map((mail) => `${indexOf(mail.from)},${indexOf(mail.about)},${mailText(mail, live)}`);
      // A lead reads everything at once: the order of its notices steers nothing.
      this.cells[this.length++] = this.#texts.number(`n${told.toSorted().join(" ")}`);
    }
    if (session.requests.some(({ kind, approver }) => kind !== "tool" || approver !== "user"))
      this.cells[this.length++] = this.#texts.number(
        `r${session.requests.map(({ kind, approver }) => `${kind},${approver}`).join(" ")}`,
      );
  }

  #partsFor(live: LiveData): Parts {
    let parts = this.#parts.get(live);
    if (parts === undefined) {
      parts = {
        member: new ObjectNumbers((member) => this.#texts.number(this.#memberText(member, live))),
        lead: new ObjectNumbers((lead) => this.#texts.number(leadText(lead, live))),
        team: new ObjectNumbers((team) => this.#texts.number(teamText(team))),
      };
      this.#parts.set(live, parts);
    }
    return parts;
  }

  #memberText(member: MemberRecord, live: LiveData): string {
    const { snapshot, run, turn, unread, replacedBy } = member;
    const { value, context } = snapshot;
    const { lifetime, requirePlan, attempt, run: n } = context;
    const place = [value.work, value.presence, lifetime, requirePlan, attempt, n > 0, replacedBy !== null];
    // Who is gone ignores everything.
    if (value.presence === "shutdown") return `m${JSON.stringify(place)}`;
    // Nobody is nudged who has delivered.
    const nudges = value.work === "in_progress" && run.completeCall === null ? context.nudges : 0;
    const losses = live.losses ? context.losses : 0;
    const isLive = value.run !== "none";
    const counts = [
      nudges,
      losses,
      context.planned,
      context.refused,
      isLive && live.turns ? turn.turns : 0,
      ...(live.messages ? [turn.hops, turn.broadcasts, turn.broadcastWoken] : []),
    ];
    const mail = unread.map((each) => mailText(each, live));
    return `m${JSON.stringify([place, counts, value.run, isLive ? runPart(run, live) : 0, mail])}`;
  }
}

/** Cells that every tuple has before those of the members. */
const fixedCells = 5;

interface Parts {
  readonly member: ObjectNumbers<MemberRecord>;
  readonly lead: ObjectNumbers<LeadRecord>;
  readonly team: ObjectNumbers<TeamRecord>;
}

/** A piece of mail without who it names: those are put in by their places. */
const mailText = ({ kind, notice, hops, broadcast, wakes, from }: Mail, live: LiveData): string => {
  // A dead letter of a broadcast is told to nobody, and one of the host is told to the host, which keeps no mail.
  const isQuiet = broadcast || (live.leadIsHost && (from === "user" || from === LEAD));
  const chain = live.messages ? `${hops},${broadcast}` : `${isQuiet}`;
  return `${kind === "system" ? (notice ?? "") : "mail"},${chain},${wakes}`;
};

/** What is open in a run, with its calls by their order. */
function runPart(run: RunData, live: LiveData): unknown {
  const calls = [...run.calls];
  const place = (call: string | null): number => {
    if (call === null) return -1;
    if (!calls.includes(call)) calls.push(call);
    return calls.indexOf(call);
  };
  return [
    run.calls.length,
    run.adopted !== null,
    run.closing,
    run.remembered.map((each) => [place(each.call), each.reply === null]),
    run.asks.map(place),
    run.externals.map(place),
    place(run.completeCall),
    place(run.planCall),
  ];
}

function leadText({ snapshot, run, turn, failure, questions }: LeadRecord, live: LiveData): string {
  const counts = [live.losses ? snapshot.context.losses : 0, live.messages ? turn.hops : 0, questions.length];
  return `l${JSON.stringify([snapshot.value, counts, runPart(run, live), failure === null])}`;
}

const teamText = ({ k, snapshot, dissolveWaiters, upstreamFailure, comms }: TeamRecord): string =>
  `t${JSON.stringify([k, snapshot.value, snapshot.context, dissolveWaiters.length, upstreamFailure, comms])}`;
