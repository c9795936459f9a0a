import type { Ask } from "./open-asks.ts";

/** What the live view draws: everything is decided, fit and printable. */
export interface LiveFrame {
  readonly title: string;
  readonly summary: string;
  readonly rows: readonly LiveRow[];
  /** What is said of the members for whom there was no room, or null. */
  readonly more: string | null;
  /** The last events, oldest first. */
  readonly events: readonly string[];
  readonly ask: LiveAsk | null;
}

/** One member. */
export interface LiveRow {
  readonly name: string;
  readonly status: string;
  readonly activity: string;
  readonly since: string;
  readonly waitingOn: string;
  readonly unread: string;
  readonly tokens: string;
}

/** What waits for the user's word. */
export interface LiveAsk {
  readonly id: string;
  readonly kind: Ask["kind"];
  readonly title: string;
  readonly lines: readonly string[];
  readonly hint: string;
}

/** The terminal's size in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}
