import { NEVER, type Observable } from "rxjs";
import type { HistoryLine, HistoryPage } from "../../actors/history/session-history.ts";
import {
  messageCounts,
  projectStatus,
  type FactReader,
  type ResultTexts,
  type SessionState,
} from "../../machines/index.ts";
import { taskList } from "../../actors/session/task-list.ts";
import type { Violation } from "../../protocol/recording.ts";
import type { SessionSummary } from "../../protocol/service-api.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import { summaryOf } from "./session-summary.ts";
import { mailboxesOf } from "./mailboxes-of.ts";
import type { MailboxDepth, SessionSource } from "./session-source.ts";

/** A recording that was read and found to be true. */
export interface Recorded {
  readonly id: string;
  /** What it violates, where it is a counterexample of the checker. */
  readonly violation: Violation | null;
  /** Every line, as it stands in the file. */
  readonly lines: readonly string[];
  /** Those of inputs. */
  readonly inputs: readonly HistoryLine[];
  /** The state that the inputs go on from, or null. */
  readonly checkpoint: { readonly seq: number; readonly value: unknown } | null;
  readonly bodies: ReadonlyMap<string, unknown>;
  /** The session as its last line leaves it. */
  readonly state: SessionState;
  readonly facts: FactReader;
}

/** Lines that are sent at a time. */
const partMax = 500;

/** A session that was recorded: it is over, and takes no commands. Its writer has hidden what is secret. */
export class RecordedSession implements SessionSource {
  readonly isClosed = true;
  readonly commands = null;
  readonly changes$: Observable<unknown> = NEVER;
  readonly texts$ = NEVER;
  readonly #recorded: Recorded;

  constructor(recorded: Recorded) {
    this.#recorded = recorded;
  }

  get id(): string {
    return this.#recorded.id;
  }
  get violation(): Violation | null {
    return this.#recorded.violation;
  }
  get workspace(): string | null {
    return this.#recorded.state.config?.workspace ?? null;
  }
  get first(): number {
    return (this.#recorded.checkpoint?.seq ?? 0) + 1;
  }
  get last(): number {
    return this.#recorded.state.seq;
  }
  get version(): number {
    return this.#recorded.state.version;
  }

  hasOwner(): Promise<boolean> {
    return Promise.resolve(false);
  }

  recall(): Promise<void> {
    return Promise.resolve();
  }

  summary(): SessionSummary {
    const { id, state, facts } = this.#recorded;
    return summaryOf(state, facts, { id, isClosed: true });
  }

  status(): object {
    const { state, facts, bodies } = this.#recorded;
    // Results are made by `complete` and by function runs of this package.
    const resultOf = (digest: string) => bodies.get(digest) as ResultTexts | undefined;
    return {
      session: this.id,
      ...projectStatus(state, facts, ({ result }) => (result === null ? undefined : resultOf(result.digest)), {
        changed: true,
        caller: "lead",
      }),
      lead: facts.lead(state.lead.snapshot).turn,
      messages: messageCounts(state),
    };
  }

  permissions(): readonly object[] {
    const { state, facts } = this.#recorded;
    return projectStatus(state, facts, () => undefined, { changed: true, caller: "lead" }).permissionRequests;
  }

  tasks(): readonly TaskStatus[] {
    return taskList(this.#recorded.state);
  }

  mailboxes(): readonly MailboxDepth[] {
    return mailboxesOf(this.#recorded.state);
  }

  checkpoint(): unknown {
    return this.#recorded.checkpoint?.value ?? null;
  }

  body(digest: string): unknown {
    return this.#recorded.bodies.get(digest);
  }

  read(from: number, max: number): HistoryPage {
    if (from < this.first) return { type: "gap", first: this.first };
    const { inputs } = this.#recorded;
    const at = inputs.findIndex(({ seq }) => seq >= from);
    return at < 0 ? { type: "end", closed: true } : { type: "lines", lines: inputs.slice(at, at + max) };
  }

  *recording(): Generator<readonly string[], void, void> {
    const { lines } = this.#recorded;
    for (let at = 0; at < lines.length; at += partMax) yield lines.slice(at, at + partMax);
  }
}
