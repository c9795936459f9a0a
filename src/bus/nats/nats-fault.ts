import { JetStreamApiError } from "@nats-io/jetstream";
import {
  AuthorizationError,
  ClosedConnectionError,
  ConnectionError,
  DrainingConnectionError,
  InvalidArgumentError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
  UserAuthenticationExpiredError,
} from "@nats-io/nats-core";
import { isTeamError, TeamError } from "../../errors/index.ts";

/** Codes of JetStream's answers that say what is to be done. */
const meanings: Readonly<Record<number, readonly [problem: string, next: string]>> = {
  10023: [
    "the server has too little memory or disk for it",
    "Give the server more room and start it again: how much it may use it settles at its start; nothing that was stored is lost",
  ],
  10028: ["the account has used up its resources", "Raise the account's limits; what was not stored is tried again"],
  10039: [
    "JetStream is not enabled for this account",
    "Enable JetStream for the account in the server's configuration",
  ],
  10047: ["the server's storage is full", "Give the server more room; what was not stored is tried again"],
  10054: ["the message is larger than the stream takes", "Raise max_msg_size of the stream"],
  10059: ["the stream is gone", "Bring it back from a backup, or open the bus again to begin with an empty one"],
  10076: [
    "JetStream is not enabled on the server",
    "Start nats-server with -js, or with a jetstream block in its configuration",
  ],
  10077: ["the stream is full", "Raise max_bytes or max_msgs of the stream; what was not stored is tried again"],
};

/** Answers that may be another one a little later: no leader yet, busy, still recovering, the same message on its way. */
const passing = new Set([10008, 10009, 10010, 10013, 10041, 10052, 10118, 10158, 10167]);

/** JetStream's own code of a fault, or null. */
export const apiCode = (fault: unknown): number | null => (fault instanceof JetStreamApiError ? fault.code : null);

/** Whether a store refused a value because somebody else has stored one meanwhile. */
export const isConflict = (fault: unknown): boolean => apiCode(fault) === 10071 || apiCode(fault) === 10164;

/** Whether it may work when it is tried again soon, with nothing else done. */
export function isPassing(fault: unknown): boolean {
  if (fault instanceof JetStreamApiError) return passing.has(fault.code);
  return (
    fault instanceof TimeoutError ||
    fault instanceof NoRespondersError ||
    fault instanceof ConnectionError ||
    (fault instanceof RequestError && !hasCause(fault, PermissionViolationError)) ||
    (fault instanceof Error && fault.name === "JetStreamNotEnabled")
  );
}

const hasCause = (fault: Error, kind: typeof PermissionViolationError): boolean => fault.cause instanceof kind;

/** A fault of the server or of the way to it as its users meet it: `bus_unavailable`, with the server and what to do. */
export function natsFault(server: string, fault: unknown): TeamError {
  if (isTeamError(fault)) return fault;
  const [problem, next] = meaningOf(fault);
  const reason = `${server}: ${problem}`;
  return new TeamError("bus_unavailable", next === null ? { reason } : { reason, next }, { cause: fault });
}

const checkCredentials = "Check the credentials";
const checkPermissions = "Give this user the rights that docs/nats.md lists for its role";

function meaningOf(fault: unknown): readonly [problem: string, next: string | null] {
  const message = fault instanceof Error ? fault.message : String(fault);
  const [problem, next] = meanings[apiCode(fault) ?? 0] ?? [];
  if (problem !== undefined && next !== undefined) return [`${problem} (${message})`, next];
  if (fault instanceof UserAuthenticationExpiredError) return ["the credentials have expired", "Get new credentials"];
  if (fault instanceof AuthorizationError) return ["the server refuses these credentials", checkCredentials];
  const violation = fault instanceof Error && fault.cause instanceof PermissionViolationError ? fault.cause : fault;
  if (violation instanceof PermissionViolationError) {
    return [`this user has no right to ${violation.operation} ${violation.subject}`, checkPermissions];
  }
  if (fault instanceof InvalidArgumentError) return [message, null];
  if (fault instanceof Error && fault.name === "JetStreamNotEnabled") return meanings[10076] ?? [message, null];
  if (fault instanceof NoRespondersError) {
    return ["JetStream does not answer; it is off, still starting, or has lost the stream", "Look at the server's log"];
  }
  if (fault instanceof ClosedConnectionError || fault instanceof DrainingConnectionError) {
    return ["the connection was closed", "Open the bus again"];
  }
  if (fault instanceof TimeoutError)
    return ["the server did not answer in time", "Look whether it runs and can be reached"];
  if (isUnreachable(fault))
    return [`no server answers there (${message})`, "Start nats-server, or correct the address"];
  return [message, null];
}

function isUnreachable(fault: unknown): boolean {
  if (fault instanceof ConnectionError) return true;
  return (
    fault instanceof Error && /ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|CONNECTION_REFUSED/i.test(String(fault))
  );
}
