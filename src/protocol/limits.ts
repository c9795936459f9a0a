import { z } from "zod";

/** How many; 0 means none, or what its comment says. */
const count = (fallback: number) => z.int().min(0).default(fallback);
/** How many, where none would leave nothing that could work. */
const some = (fallback: number) => z.int().min(1).default(fallback);

/** How much money; 0 = unlimited. */
const money = z.number().min(0).max(1_000_000_000).default(0);

const millisecondsMax = 2_147_483_647;
/** How long; 0 means not at all, or what its comment says. */
const milliseconds = (fallback: number) => z.number().min(0).max(millisecondsMax).default(fallback);

/**
 * Every limit of a session, with its default. Reaching one is a typed error that says the limit and what to do;
 * nothing is ever cut or dropped in silence. Bytes are UTF-8 bytes, durations milliseconds.
 */
export const Limits = z.strictObject({
  /** Members of one team declared by the API or a file; 0 = no teams. */
  membersMax: count(50_000),
  /** Members of one team that a model declares; 0 = a model may declare none. */
  modelMembersMax: count(32),
  /** Of a member's prompt, by a retry too; of a description of a member or team; of what the user says to the lead at once. */
  promptBytesMax: some(32 * 1024),
  messageBytesMax: some(32 * 1024),
  unreadMessagesMax: some(256),
  unreadBytesMax: some(8 * 1024 * 1024),
  /** Length of a chain of messages that answer each other. */
  hopsMax: some(32),
  /** Broadcasts of a member between two wakes; a wake by broadcasts alone grants none. 0 = none. */
  broadcastsMax: count(8),
  /** Model steps of one turn. */
  stepsMax: some(50),
  /** Turns from a start or wake to the next idle, park or shutdown. */
  turnsMax: some(20),
  /** Repetitions of one model call after overload, rate limit or network failure; 0 = none. */
  retriesMax: count(5),
  /** Tasks of one team's board, closed ones too; 0 = none. */
  tasksMax: count(1_000),
  /** Of a task's subject. */
  taskSubjectBytesMax: some(256),
  /** Of a task's description. */
  taskDescriptionBytesMax: some(8 * 1024),
  /** Tokens, read and written, of one member over all its attempts; 0 = unlimited. */
  memberTokensMax: count(0),
  /** Tokens of the team's members, the lead and its sub-agents together; 0 = unlimited. */
  teamTokensMax: count(0),
  /** Cost, in the currency of `prices`, of one member over all its attempts; 0 = unlimited. */
  memberCostMax: money,
  /** Cost of the team's members, the lead and its sub-agents together; 0 = unlimited. */
  teamCostMax: money,
  /** Time of one attempt of a member, from its start or last wake to its delivery; 0 = unlimited. */
  attemptMs: milliseconds(0),
  /** Time of a team, from its creation: then whoever still works fails; 0 = unlimited. */
  teamMs: milliseconds(0),
  /** Runs of one session's members at once; 0 = unlimited. */
  concurrentRunsMax: count(0),
  /** Pause between the starts of two members' runs, so that those that may start together don't call at once; 0 = none. */
  startStaggerMs: milliseconds(0),
  /** Model calls at once per provider key. */
  concurrentCallsMax: some(5),
  /** Longest wait of one `team_status` with `since`; 0 = it answers at once. */
  pollMs: milliseconds(30_000),
  /** A permission request without an answer is denied after this time; 0 = at once. */
  permissionMs: milliseconds(600_000),
  /** Grace period of a dissolve; 0 = none. */
  graceMs: milliseconds(10_000),
  /** A persistent member idle for this long shuts down; 0 = never. */
  idleMs: milliseconds(0),
  /** Time that one hook of the host has for its answer. */
  hookMs: z.number().min(1).max(millisecondsMax).default(10_000),
  /** A streaming model call that sends nothing for this long is ended as a network failure. */
  chunkMs: z.number().min(1).max(millisecondsMax).default(120_000),
  /** Of one tool result as the model reads it; what is longer is cut, and the log keeps all of it. */
  toolResultBytesMax: some(256 * 1024),
  /** Tokens that a model can read at once; 0 = 128,000, and no bound for the scripted model, which has none. */
  contextTokens: count(0),
  /** Of one body in the log: a plan, a prompt, a message, an answer or a result. */
  bodyBytesMax: some(64 * 1024 * 1024),
  /** Live XState actors of a session kept without being asked for; 0 = none. */
  liveActorsMax: count(1_000),
});
export type Limits = z.infer<typeof Limits>;

/** The limits given, the rest at their defaults. */
export const resolveLimits = (limits: Partial<Limits> = {}): Limits => Limits.parse(limits);
