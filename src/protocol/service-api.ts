import { z } from "zod";
import { Violation } from "./recording.ts";
import { LeadKind } from "./session-config.ts";

/** Answers of the service that a page, or any other client of it, reads. Both sides have their types from here. */

const count = z.int().min(0);
const ms = z.number().describe("ms of the wall clock");

/** What a service says of itself. */
export const ServiceInfo = z.strictObject({
  version: z.string(),
  control: z.boolean().describe("Whether commands are taken"),
  readOnly: z.boolean(),
  bus: z.string(),
  machines: z.record(z.string(), z.string()).describe("Machine to the hash of its states and transitions"),
  now: ms,
});
export type ServiceInfo = Readonly<z.infer<typeof ServiceInfo>>;

/** A session in the list of sessions. */
export const SessionSummary = z.strictObject({
  id: z.string(),
  state: z.enum(["open", "closed"]),
  lead: z.strictObject({ kind: LeadKind, status: z.string() }),
  team: z.strictObject({ name: z.string(), state: z.string(), revision: count, members: count }).nullable(),
  pendingRequests: count,
  unread: count.describe("Mail that nobody has read yet"),
  updatedAt: ms.describe("When its last input was, ms of the wall clock"),
});
export type SessionSummary = Readonly<z.infer<typeof SessionSummary>>;

/** What a reader of a session's log begins with. */
export const LogStart = z.strictObject({
  first: count.describe("The first sequence that can be read"),
  last: count,
  checkpoint: z.unknown().describe("The state before `first`; null = the log begins at its first record"),
  violation: Violation.nullable().describe("What a counterexample of the checker violates; null = it is none"),
});
export type LogStart = Readonly<z.infer<typeof LogStart>>;
