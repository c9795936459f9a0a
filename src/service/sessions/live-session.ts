import type { Observable } from "rxjs";
import type { HistoryOptions, HistoryPage, SessionHistory } from "../../actors/history/session-history.ts";
import type { Redactor } from "../../actors/recording/redactor.ts";
import type { Session } from "../../actors/session/session.ts";
import type { TextPiece } from "../../actors/runs/text-stream.ts";
import type { UserCommands } from "../../actors/commands/user-commands.ts";
import { taskList } from "../../actors/session/task-list.ts";
import type { FactReader } from "../../machines/index.ts";
import type { SessionSummary } from "../../protocol/service-api.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import { mailboxesOf } from "./mailboxes-of.ts";
import { redactedTexts } from "./redacted-texts.ts";
import type { MailboxDepth, SessionSource } from "./session-source.ts";
import { summaryOf } from "./session-summary.ts";

/** What a live session is watched with. */
export interface WatchOptions extends Required<HistoryOptions> {
  readonly redactor: Redactor;
  readonly facts: FactReader;
}

/** A session of a running system. */
export class LiveSession implements SessionSource {
  readonly session: Session;
  readonly violation = null;
  readonly #history: SessionHistory;
  readonly #redactor: Redactor;
  readonly #facts: FactReader;

  constructor(session: Session, { facts, ...options }: WatchOptions) {
    this.session = session;
    this.#history = session.inspection.history(options);
    this.#redactor = options.redactor;
    this.#facts = facts;
  }

  get id(): string {
    return this.session.id;
  }
  get isClosed(): boolean {
    return this.#history.isClosed;
  }
  get workspace(): string | null {
    return this.session.state.config?.workspace ?? null;
  }
  get first(): number {
    return this.#history.first;
  }
  get last(): number {
    return this.#history.last;
  }
  get version(): number {
    return this.session.state.version;
  }
  get commands(): UserCommands | null {
    return this.isClosed ? null : this.session.inspection.commands;
  }
  get changes$(): Observable<unknown> {
    return this.#history.changes$;
  }
  get texts$(): Observable<TextPiece> {
    return redactedTexts(this.session.inspection.texts$, this.#redactor);
  }

  hasOwner(): Promise<boolean> {
    return this.session.inspection.hasOwner();
  }

  recall(): Promise<void> {
    return this.#history.recall();
  }

  summary(): SessionSummary {
    const { id, isClosed } = this;
    return this.#redacted(summaryOf(this.session.state, this.#facts, { id, isClosed }));
  }

  status(): object {
    return this.#redacted(this.session.status());
  }

  permissions(): readonly object[] {
    return this.session.permissionRequests().map((request) => this.#redacted(request));
  }

  tasks(): readonly TaskStatus[] {
    return taskList(this.session.state).map((task) => this.#redacted(task));
  }

  mailboxes(): readonly MailboxDepth[] {
    return mailboxesOf(this.session.state);
  }

  checkpoint(): unknown {
    return this.#history.checkpoint();
  }

  body(digest: string): unknown {
    return this.#history.body(digest);
  }

  read(from: number, max: number): HistoryPage {
    return this.#history.read(from, max);
  }

  recording(): Iterable<readonly string[]> {
    return this.#history.recording();
  }

  close(): void {
    this.#history.close();
  }

  #redacted<Value extends object>(value: Value): Value {
    // Only texts are masked, each by another text.
    return this.#redactor.value(value) as Value;
  }
}
