import { z } from "zod";

const count = (fallback: number) => z.int().min(0).default(fallback);
const milliseconds = (fallback: number) => z.number().min(0).max(2_147_483_647).default(fallback);

/**
 * Every limit of a session, with its default. Reaching one is a typed error that says the limit and what to do;
 * nothing is ever cut or dropped in silence. Bytes are UTF-8 bytes, durations milliseconds.
 */
export const Limits = z.strictObject({
  /** Members of one team declared by the API or a file. A model's own call may declare `modelMembersMax`. */
  membersMax: count(50_000),
  modelMembersMax: count(32),
  promptBytesMax: count(32 * 1024),
  messageBytesMax: count(32 * 1024),
  unreadMessagesMax: count(256),
  unreadBytesMax: count(8 * 1024 * 1024),
  /** Length of a chain of messages that answer each other. */
  hopsMax: count(32),
  /** Broadcasts of a member between two wakes; a wake by broadcasts alone grants none. */
  broadcastsMax: count(8),
  /** Model steps of one turn. */
  stepsMax: count(50),
  /** Turns from a start or wake to the next idle, park or shutdown. */
  turnsMax: count(20),
  /** Repetitions of one model call after overload, rate limit or network failure. */
  retriesMax: count(5),
  /** Runs at once in this process; 0 = unlimited. */
  concurrentRunsMax: count(0),
  /** Model calls at once per provider key. */
  concurrentCallsMax: count(5),
  /** Longest wait of one `team_status` with `since`. */
  pollMs: milliseconds(30_000),
  /** A permission request without an answer is denied after this time. */
  permissionMs: milliseconds(600_000),
  /** Grace period of a dissolve. */
  graceMs: milliseconds(10_000),
  /** A persistent member idle for this long shuts down; 0 = never. */
  idleMs: milliseconds(0),
  /** A streaming model call that sends nothing for this long is ended as a network failure. */
  chunkMs: milliseconds(120_000),
  bodyBytesMax: count(64 * 1024 * 1024),
  /** Live XState actors of a session kept without being asked for. */
  liveActorsMax: count(1_000),
});
export type Limits = z.infer<typeof Limits>;

/** The limits given, the rest at their defaults. */
export const resolveLimits = (limits: Partial<Limits> = {}): Limits => Limits.parse(limits);
