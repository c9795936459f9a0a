import type { LeadRecord, Mail, MemberRecord, RunData, SessionState, TeamRecord } from "../../machines/index.ts";
import { boardText } from "./board-text.ts";
import { Interner, ObjectNumbers } from "./interner.ts";
import { LastTwo } from "./last-two.ts";
import type { LiveData } from "./live-data.ts";
import type { Symmetry } from "./symmetry.ts";
import { roomFor } from "./tuple-table.ts";

type Outside = SessionState["outside"];

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
  /** With or without losses and nudges. */
  readonly #snapshots = [3, 1, 2, 0].map(
    (counts) =>
      new ObjectNumbers<MemberRecord["snapshot"]>((snapshot) =>
        this.#texts.number(snapshotText(snapshot, (counts & 2) !== 0, (counts & 1) !== 0)),
      ),
  );
  readonly #teamSnapshots = new ObjectNumbers<TeamRecord["snapshot"]>(({ value, context }) =>
    this.#texts.number(JSON.stringify([value, context])),
  );
  readonly #teams = new LastTwo<TeamRecord, null, null>((team) => this.#texts.number(this.#teamText(team)));
  readonly #leads = new LastTwo<LeadRecord, LiveData, Outside>((lead, live, outside) =>
    this.#texts.number(leadText(lead, live) + outsideText("lead", lead.run, outside)),
  );
  readonly #values = new ObjectNumbers<SessionState["snapshot"]>(({ value }) =>
    this.#texts.number(JSON.stringify(value)),
  );
  readonly #symmetry: Symmetry;
  /** Per member cell of the tuple, whose it is: a place in the team's order. */
  readonly #places: number[] = [];
  /** Per place, who stands there. */
  readonly #records: (MemberRecord | undefined)[] = [];
  /** Per place, who stood there last: most steps change one member. */
  readonly #members: LastTwo<MemberRecord, LiveData, Outside>[] = [];

  constructor(symmetry: Symmetry) {
    this.#symmetry = symmetry;
  }

  /** Works a session's tuple out; `ghost` is the number of what a property remembers. */
  encode(session: SessionState, live: LiveData, ghost = 0): void {
    const { team } = session;
    const order = team?.order ?? [];
    // A part for each member, two cells for the mail of each, and what the session has once.
    this.cells = roomFor(this.cells, 3 * order.length + 9);
    const { cells } = this;
    const moreOwners = live.owners && session.epoch > 1 ? 1 : 0;
    const layout = this.#symmetry.layoutOf(session);
    cells[0] = team === null ? -1 : this.#teams.number(team, null, null);
    const revision = live.revisions ? `,${session.revision}` : "";
    cells[1] = this.#texts.number(
      `s${this.#values.number(session.snapshot)},${session.polls.length},${moreOwners}${revision}`,
    );
    cells[2] = this.#leads.number(session.lead, live, session.outside);
    cells[3] = ghost;
    cells[4] = layout.graph;
    const places = this.#places;
    places.length = order.length;
    for (let index = 0; index < order.length; index++) {
      const place = layout.order[index] ?? 0;
      const member = session.members.get(order[place] ?? "");
      places[index] = place;
      this.#records[place] = member;
      cells[fixedCells + index] = member === undefined ? -1 : this.#memberNumber(place, member, live, session.outside);
    }
    this.#sort(layout.classes);
    this.length = fixedCells + order.length;
    this.#encodeMentions(session, order, live);
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
    const memberAt = (index: number): MemberRecord | undefined => this.#records[this.#places[index] ?? 0];
    const indexOf = (name: string | null): number => {
      if (name === null) return -1;
      for (let index = 0; index < order.length; index++) if (memberAt(index)?.name === name) return index;
      return -1;
    };
    for (let index = 0; index < order.length; index++) {
      const unread = steering(memberAt(index)?.unread);
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
    const board = session.team?.board ?? null;
    if (board !== null) {
      const placeOf = (token: string | null): number =>
        token === null ? -1 : indexOf(session.members.get(token)?.name ?? null);
      this.cells[this.length++] = this.#texts.number(boardText(board, placeOf));
    }
    // Requests of tools stand in the runs that wait for them; of others it is not seen there who asks for what.
    if (session.requests.some(({ kind, approver }) => kind !== "tool" || approver !== "user")) {
      const asked = session.requests.map(({ member, kind, approver }) => {
        const asking = indexOf(session.members.get(member)?.name ?? null);
        return `${kind},${approver},${asking}`;
      });
      this.cells[this.length++] = this.#texts.number(`r${asked.join(" ")}`);
    }
  }

  #memberNumber(place: number, member: MemberRecord, live: LiveData, outside: Outside): number {
    this.#members[place] ??= new LastTwo((is, may, beside) => this.#texts.number(this.#memberText(is, may, beside)));
    return this.#members[place].number(member, live, outside);
  }

  #teamText({ k, snapshot, dissolveWaiters, upstreamFailure, comms }: TeamRecord): string {
    const state = this.#teamSnapshots.number(snapshot);
    return `t${k},${state},${dissolveWaiters.length},${upstreamFailure},${comms}`;
  }

  #memberText(member: MemberRecord, live: LiveData, outside: Outside): string {
    const { snapshot, run, turn, unread, replacedBy, invited } = member;
    const isLive = snapshot.value.run !== "none";
    // Of who has no run there is none, unless something is wrong: then it must be seen.
    const waits = outsideText(member.token, run, outside);
    const flags = `${replacedBy === null ? "" : "r"}${invited === null ? "" : "i"}`;
    const replaced = `${waits}${flags}${live.revisions ? `v${member.revision}` : ""}`;
    // Who is gone ignores everything.
    if (snapshot.value.presence === "shutdown") return `m${this.#snapshotPart(snapshot, live, false)}${replaced}`;
    let text = `m${this.#snapshotPart(snapshot, live, run.completeCall === null)}${replaced}`;
    if (isLive) text += `,${runText(run)}`;
    if (isLive && turn.idleBlocks > 0 && live.hooks) text += `,b${turn.idleBlocks}`;
    if (isLive && live.turns) text += `,t${turn.turns}`;
    if (live.messages) text += `,h${turn.hops},${turn.broadcasts},${turn.broadcastWoken}`;
    if (unread.length > 0)
      text += steering(unread)
        .map((each) => `|${mailText(each, live)}`)
        .join("");
    return text;
  }

  /** What steers in a member's snapshot, as a number. Nobody is nudged who has delivered. */
  #snapshotPart(snapshot: MemberRecord["snapshot"], live: LiveData, countsNudges: boolean): number {
    const table = countsNudges ? (live.losses ? 0 : 1) : live.losses ? 2 : 3;
    return this.#snapshots[table]?.number(snapshot) ?? -1;
  }
}

function snapshotText({ value, context }: MemberRecord["snapshot"], losses: boolean, nudges: boolean): string {
  const { lifetime, requirePlan, attempt, run } = context;
  const place = [value.work, value.presence, lifetime, requirePlan, attempt, run > 0];
  if (value.presence === "shutdown") return JSON.stringify(place);
  const counts = [nudges && value.work === "in_progress" ? context.nudges : 0, losses ? context.losses : 0];
  return JSON.stringify([...place, value.run, ...counts, context.planned, context.refused]);
}

/** The mail that a turn is taken for: a request to shut down is a state of its member, read or not. */
const steering = (unread: readonly Mail[] | undefined): readonly Mail[] =>
  unread === undefined || unread.length === 0 ? noMail : unread.filter(({ notice }) => notice !== "shutdown_requested");
const noMail: readonly Mail[] = [];

/** Cells that every tuple has before those of the members. */
const fixedCells = 5;

/** A piece of mail without who it names: those are put in by their places. */
const mailText = ({ kind, notice, hops, broadcast, wakes }: Mail, live: LiveData): string => {
  // A dead letter of a broadcast is told to nobody: that it was one can be seen as long as it is unread.
  const chain = `${live.messages ? hops : ""},${broadcast}`;
  return `${kind === "system" ? (notice ?? "") : "mail"},${chain},${wakes}`;
};

/** What is open in a run, with its calls by their order. */
function runText(run: RunData): string {
  const { adopted, closing, calls, remembered, asks, externals, completeCall, planCall } = run;
  const flags = `${adopted === null ? "" : "a"}${closing ? "c" : ""}`;
  if (
    calls.length + remembered.length + asks.length + externals.length === 0 &&
    completeCall === null &&
    planCall === null
  )
    return flags;
  const known = [...calls];
  const place = (call: string | null): number => {
    if (call === null) return -1;
    if (!known.includes(call)) known.push(call);
    return known.indexOf(call);
  };
  const replies = remembered.map(({ call, reply }) => `${place(call)}${reply === null ? "?" : ""}`);
  const lists = [replies, asks.map(place), externals.map(place)].map((list) => list.join("."));
  return `${flags}${calls.length};${lists.join(";")};${place(completeCall)};${place(planCall)}`;
}

/** Calls that somebody outside has to do with: whether they have a deadline, and their result. Nothing where there are none. */
function outsideText(actor: string, { calls }: RunData, outside: Outside): string {
  if (outside.length === 0) return "";
  const own = outside.filter((each) => each.actor === actor);
  const texts = own.map(({ call, deadline, answer }) => {
    const flags = `${deadline !== null && answer === null ? "d" : ""}${answer === null ? "" : "!"}`;
    return `o${calls.indexOf(call)}${flags}`;
  });
  return texts.toSorted().join("");
}

function leadText({ snapshot, run, turn, failure, questions }: LeadRecord, live: LiveData): string {
  const counts = [live.losses ? snapshot.context.losses : 0, live.messages ? turn.hops : 0, questions.length];
  return `l${JSON.stringify([snapshot.value, counts, failure === null])}${runText(run)}`;
}
