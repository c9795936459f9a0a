import type { Observable } from "rxjs";
import type { HistoryPage } from "../../actors/history/session-history.ts";
import type { TextPiece } from "../../actors/runs/text-stream.ts";
import type { UserCommands } from "../../actors/commands/user-commands.ts";
import type { Violation } from "../../protocol/recording.ts";
import type { SessionSummary } from "../../protocol/service-api.ts";
import type { TaskStatus } from "../../protocol/task.ts";

/** What one mailbox holds now. */
export interface MailboxDepth {
  readonly actor: string;
  readonly unread: number;
  readonly bytes: number;
  /** `at` of the oldest unread mail, or null. */
  readonly oldestAt: number | null;
}

/** A session as the service shows it, whether it lives or was recorded. Texts are redacted already. */
export interface SessionSource {
  readonly id: string;
  readonly isClosed: boolean;
  /** Digest of the real path of the folder that its members share, as its log has it, or null. */
  readonly workspace: string | null;
  readonly first: number;
  readonly last: number;
  /** Version of the status, which grows with every visible change. */
  readonly version: number;
  /** Commands of whoever looks at it; null where there is nobody to take them. */
  readonly commands: UserCommands | null;
  /** Tells of every change, and of the end. */
  readonly changes$: Observable<unknown>;
  readonly texts$: Observable<TextPiece>;
  /** Whether somebody carries out `commands` now. */
  hasOwner(): Promise<boolean>;
  /** Makes what was before it was looked at readable too, as far as its log has it. */
  recall(): Promise<void>;
  summary(): SessionSummary;
  status(): object;
  permissions(): readonly object[];
  /** Throws `no_team`, and `disabled` for a team without a board. */
  tasks(): readonly TaskStatus[];
  mailboxes(): readonly MailboxDepth[];
  checkpoint(): unknown;
  /** What it violates, where it is a counterexample of the checker. */
  readonly violation: Violation | null;
  body(digest: string): unknown;
  read(from: number, max: number): HistoryPage;
  recording(): Iterable<readonly string[]>;
}

/** The sessions that a service shows. */
export interface SessionDirectory {
  /** Where they live. */
  readonly bus: string;
  /** Those that somebody has open here, or had a moment ago. */
  open(): readonly SessionSource[];
  /** All of them, also those that are only stored. */
  list(): Promise<readonly SessionSource[]>;
  /** Rejects with `machine_version` for one that is stored and was made by other machines. */
  find(id: string): Promise<SessionSource | undefined>;
  health(): Promise<{ readonly ready: boolean; readonly reasons: readonly string[] }>;
  close(): void;
}
