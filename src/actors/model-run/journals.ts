import type { Applied, MemberRecord } from "../../machines/index.ts";
import type { Stored } from "../../bus/bus.ts";
import type { Input } from "../../protocol/input.ts";
import type { StoredJournals } from "../../protocol/stored-session.ts";
import {
  textOf,
  type AnsweredBody,
  type CompactedBody,
  type InjectedBody,
  type JournalEntry,
  type ToolEndedBody,
} from "./conversation.ts";
import { Origins } from "../permissions/origins.ts";

interface Journal {
  readonly attempt: number;
  readonly entries: JournalEntry[];
  /** The record of each entry: by it the entry is found again. */
  readonly seqs: number[];
}

/** Steps of a member that a status shows. */
const stepsMax = 10;
const stepTextMax = 300;

const none: readonly never[] = [];

/** With these a turn is over, and whatever was answered in it. */
const endsOfTurns: ReadonlySet<string> = new Set(["turn.ended", "run.completed", "run.failed"]);

/**
 * The journals of a session's model runs: the conversation of each actor, and what its script has used up. A fold of the
 * log like everything else; bodies come with the records.
 */
export class Journals {
  readonly #journals = new Map<string, Journal>();
  readonly #positions = new Map<string, number>();
  readonly #prompted = new Map<string, number>();
  readonly #answered = new Map<string, number>();
  readonly #steps = new Map<string, string[]>();
  readonly #fallbacks = new Map<string, string>();
  /** The attempts in which actors were let out of explore mode; a summary takes the place of a conversation, not of this. */
  readonly #leftExplore = new Map<string, number>();
  /** Who told whom what. */
  readonly origins = new Origins();

  /** Takes in an applied run input. */
  record(input: Input, body: unknown, applied: Applied, attempt: number): void {
    // What changed nothing is no part of the conversation: stale, refused, or given up by a fault of a machine.
    if (applied.verdict !== "handled" && applied.verdict !== "ignored") return;
    const { actor, event } = input;
    if (endsOfTurns.has(event.type)) this.#answered.delete(actor);
    if (body === undefined) return;
    const entry = entryOf(event.type, body);
    if (entry?.type === "compacted") this.#journals.delete(actor);
    if (entry !== null) {
      const journal = this.#of(actor, attempt);
      journal.entries.push(entry);
      journal.seqs.push(applied.seq);
    }
    // A body of these inputs says where the script stands, whatever the outcome was.
    const { position } = body as { position?: unknown };
    if (typeof position === "number") this.#positions.set(actor, position);
    if (event.type === "run.answered") this.#answered.set(actor, event.run);
    if (entry?.type === "answered" || entry?.type === "compacted") this.#noteFallback(actor, entry);
    if (entry?.type === "injected" && entry.attempt !== undefined) this.#prompted.set(actor, entry.attempt);
    // A function's body has nothing else: it has no conversation.
    const { origins } = body as Pick<InjectedBody, "origins">;
    if (event.type === "run.injected" && origins !== undefined) this.origins.add(actor, origins);
    if (entry !== null && isLetOut(entry)) this.#leftExplore.set(actor, attempt);
    if (entry !== null) this.#noteStep(actor, entry);
  }

  /** The conversation of an actor so far; a oneshot member's new attempt starts a new one. */
  of(actor: string, attempt: number): readonly JournalEntry[] {
    const journal = this.#journals.get(actor);
    return journal === undefined || journal.attempt !== attempt ? none : journal.entries;
  }

  /** The run of an actor's last answer, as long as its turn has not ended; null = there is none. */
  answeredRun(actor: string): number | null {
    return this.#answered.get(actor) ?? null;
  }

  /** The last attempt of an actor whose task it was given; 0 = none. */
  promptedAttempt(actor: string): number {
    return this.#prompted.get(actor) ?? 0;
  }

  /** Entries of its script that an actor has used up, over all runs and attempts. */
  scriptPosition(actor: string): number {
    return this.#positions.get(actor) ?? 0;
  }

  /** The last steps of an actor, a line each. */
  steps(actor: string): readonly string[] {
    return this.#steps.get(actor) ?? none;
  }

  /** The fallback model that gave an actor's last answer; undefined while its own model answers. */
  fallbackOf(actor: string): string | undefined {
    return this.#fallbacks.get(actor);
  }

  /** Whether an actor was let out of explore mode, in this attempt. */
  hasLeftExplore(actor: string, attempt: number): boolean {
    return this.#leftExplore.get(actor) === attempt;
  }

  /** Forgets the conversation of a member that is gone. */
  dropConversation(actor: string): void {
    this.#journals.delete(actor);
  }

  /** Forgets everybody but these. */
  keepOnly(actors: ReadonlyMap<string, MemberRecord>): void {
    this.origins.forget((actor) => actor !== "lead" && !actors.has(actor));
    const byActor = [
      this.#journals,
      this.#positions,
      this.#prompted,
      this.#answered,
      this.#steps,
      this.#fallbacks,
      this.#leftExplore,
    ];
    for (const table of byActor) {
      for (const actor of table.keys()) if (actor !== "lead" && !actors.has(actor)) table.delete(actor);
    }
  }

  /** What is to be stored of it: conversations by their records, the rest as it is. */
  toCheckpoint(): StoredJournals {
    const seqsOf = ([actor, { attempt, seqs }]: [string, Journal]) => ({ actor, attempt, seqs: [...seqs] });
    return {
      conversations: [...this.#journals].map(seqsOf),
      positions: [...this.#positions],
      prompted: [...this.#prompted],
      answered: [...this.#answered],
      steps: [...this.#steps],
      fallbacks: [...this.#fallbacks],
      leftExplore: [...this.#leftExplore],
      origins: this.origins.toCheckpoint(),
    };
  }

  /** Takes back what was stored; `recordAt` gives the record of a sequence, with its body. */
  async restore(stored: StoredJournals, recordAt: (seq: number) => Promise<Stored | null>): Promise<void> {
    for (const { actor, attempt, seqs } of stored.conversations) {
      const records = await Promise.all(seqs.map(recordAt));
      const entries = records.map((record) => (record === null ? null : entryOf(record.input.event.type, record.body)));
      const known = entries.flatMap((entry, at) => (entry === null ? [] : [{ entry, seq: seqs[at] ?? 0 }]));
      this.#journals.set(actor, {
        attempt,
        entries: known.map(({ entry }) => entry),
        seqs: known.map(({ seq }) => seq),
      });
    }
    for (const [actor, position] of stored.positions) this.#positions.set(actor, position);
    for (const [actor, attempt] of stored.prompted) this.#prompted.set(actor, attempt);
    for (const [actor, run] of stored.answered) this.#answered.set(actor, run);
    for (const [actor, steps] of stored.steps) this.#steps.set(actor, steps);
    for (const [actor, model] of stored.fallbacks) this.#fallbacks.set(actor, model);
    for (const [actor, attempt] of stored.leftExplore) this.#leftExplore.set(actor, attempt);
    for (const [actor, chains] of stored.origins) this.origins.add(actor, chains);
  }

  #of(actor: string, attempt: number): Journal {
    let journal = this.#journals.get(actor);
    if (journal === undefined || journal.attempt !== attempt) {
      journal = { attempt, entries: [], seqs: [] };
      this.#journals.set(actor, journal);
    }
    return journal;
  }

  #noteFallback(actor: string, { fallback, model }: Pick<AnsweredBody, "fallback" | "model">): void {
    if (fallback === true && model !== undefined) this.#fallbacks.set(actor, model);
    else this.#fallbacks.delete(actor);
  }

  #noteStep(actor: string, entry: JournalEntry): void {
    const steps = this.#steps.get(actor) ?? [];
    steps.push(describeEntry(entry).slice(0, stepTextMax));
    this.#steps.set(actor, steps.slice(-stepsMax));
  }
}

/** A model's; what a function has read is no conversation. */
const hasText = (body: unknown): body is InjectedBody => typeof body === "object" && body !== null && "text" in body;

/** The entry of a run input, or null. */
function entryOf(type: string, body: unknown): JournalEntry | null {
  if (type === "run.injected") return hasText(body) ? { type: "injected", ...body } : null;
  // Bodies of run inputs are made by the runs of this package; see `conversation.ts`.
  if (type === "run.answered") return { type: "answered", ...(body as AnsweredBody) };
  // As above.
  if (type === "run.compacted") return { type: "compacted", ...(body as CompactedBody) };
  if (type !== "tool.ended") return null;
  // As above. What the model didn't get is in the log, and no part of its conversation.
  const { whole: _whole, ...shown } = body as ToolEndedBody;
  return { type: "ended", ...shown };
}

/** Whether somebody let an actor out of explore mode: the result of its call says so. */
function isLetOut(entry: JournalEntry): boolean {
  if (entry.type !== "ended" || entry.tool !== "leave_explore_mode" || entry.output.type !== "json") return false;
  const { value } = entry.output;
  return typeof value === "object" && value !== null && "approved" in value && value.approved === true;
}

function describeEntry(entry: JournalEntry): string {
  if (entry.type === "injected") return `read: ${entry.text}`;
  if (entry.type === "compacted") return `went on from a summary of the conversation: ${entry.text}`;
  if (entry.type === "ended")
    return `${entry.tool} -> ${JSON.stringify("value" in entry.output ? entry.output.value : entry.output)}`;
  const calls = entry.content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []));
  return calls.length > 0 ? `called ${calls.join(", ")}` : `said: ${textOf(entry.content)}`;
}
