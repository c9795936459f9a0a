import { z } from "zod";
import { sessionKeyText, type Bus, type Stored } from "../../bus/bus.ts";
import { TeamError } from "../../errors/index.ts";
import { fromCheckpoint, toCheckpoint, type Kernel, type SessionState } from "../../machines/index.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import { StoredSession, type StoredMail, type StoredTaken } from "../../protocol/stored-session.ts";
import { BodyStore } from "./body-store.ts";
import { Journals } from "../model-run/journals.ts";
import { machineHashes } from "./machine-hashes.ts";
import type { MailLog } from "../mail/mail-log.ts";
import { Questions } from "../session/questions.ts";
import { readForeign } from "./read-foreign.ts";
import type { TakenMail } from "../mail/taken-mail.ts";

/** Where sessions are stored. */
export interface SessionPlace {
  readonly bus: Bus;
  readonly namespace: string;
  readonly session: string;
}

/** A session as it was found: what was stored of it, to be folded on from there. */
export interface FoundSession {
  readonly config: SessionConfig;
  readonly state: SessionState;
  readonly bodies: BodyStore;
  readonly journals: Journals;
  readonly questions: Questions;
  /** What was stored of the mail; left out when nothing was. */
  readonly mail?: StoredMail;
  readonly taken?: readonly StoredTaken[];
  /** Revision of its checkpoint; 0 = none. */
  readonly revision: number;
}

/** The input by which a session was opened, with the file that it keeps; null when the bus doesn't know it. */
export async function readOpening({ bus, namespace, session }: SessionPlace) {
  const [first] = await bus.read({ namespace, session }, { fromSeq: 0, max: 1 });
  const { stored } = first === undefined ? { stored: null } : readForeign(first, () => undefined);
  const event = stored?.input.event;
  if (stored === null || event?.type !== "session.opened") return null;
  return { config: event.config, file: stored.body };
}

/**
 * Finds a session on a durable bus; null when the bus doesn't know it. A checkpoint that can't be read is told and not
 * used: the log is the truth. One of other machines is `machine_version`, since they might fold the log to another state.
 */
export async function findSession(
  place: SessionPlace,
  { kernel, onFault }: { readonly kernel: Kernel; readonly onFault: (fault: unknown) => void },
): Promise<FoundSession | null> {
  const { bus, namespace, session } = place;
  const checkpoint = await bus.checkpoints.get(sessionKeyText({ namespace, session }));
  const revision = checkpoint?.revision ?? 0;
  if (checkpoint !== null) {
    const stored = readStored(checkpoint.value, { kernel, onFault });
    if (stored !== null) return { ...(await unfold(place, stored, onFault)), revision };
  }
  const opening = await readOpening(place);
  if (opening === null) return null;
  const { config } = opening;
  const bodies = new BodyStore();
  return { config, state: kernel.create(), bodies, journals: new Journals(), questions: new Questions(), revision };
}

interface ReadSession {
  readonly stored: StoredSession;
  readonly state: SessionState;
  readonly config: SessionConfig;
}

function readStored(
  value: unknown,
  { kernel, onFault }: { readonly kernel: Kernel; readonly onFault: (fault: unknown) => void },
): ReadSession | null {
  const parsed = StoredSession.safeParse(value);
  if (!parsed.success) {
    // One of another version may have another form; what its machines were it says all the same.
    const other = OtherVersion.safeParse(value);
    if (other.success) requireMachines(other.data.machines);
    const problem = parsed.error.issues[0]?.message ?? "it is none";
    onFault(new TeamError("bad_input", { what: "a session's checkpoint", problem }));
    return null;
  }
  requireMachines(parsed.data.machines);
  try {
    const state = fromCheckpoint(parsed.data.kernel, kernel);
    return state.config === null ? null : { stored: parsed.data, state, config: state.config };
  } catch (fault) {
    onFault(fault);
    return null;
  }
}

/** What every version's checkpoint has. */
const OtherVersion = z.looseObject({
  format: z.literal("teamchart-session"),
  machines: z.record(z.string(), z.string()),
});

function requireMachines(recorded: Readonly<Record<string, string>>): void {
  for (const [machine, current] of Object.entries(machineHashes())) {
    const was = recorded[machine] ?? "none";
    const short = (hash: string): string => hash.slice(0, 12);
    if (was !== current) {
      throw new TeamError("machine_version", { machine, recorded: short(was), current: short(current) });
    }
  }
}

/** What a checkpoint refers to, read from the log. */
async function unfold(
  { bus, namespace, session }: SessionPlace,
  { stored, state, config }: ReadSession,
  onFault: (fault: unknown) => void,
): Promise<Omit<FoundSession, "revision">> {
  const recordAt = async (seq: number): Promise<Stored | null> => {
    const [found] = await bus.read({ namespace, session }, { fromSeq: seq, toSeq: seq, max: 1 });
    const read = found === undefined ? null : readForeign(found, () => undefined);
    if (read?.stored?.body !== undefined) return read.stored;
    onFault(read?.fault ?? new TeamError("bad_input", { what: `record ${seq}`, problem: "it is not in the log" }));
    return null;
  };
  const bodies = new BodyStore();
  await Promise.all(
    stored.bodies.map(async ([digest, seq]) => {
      const record = await recordAt(seq);
      if (record?.input.body?.digest === digest) bodies.keep(digest, record.body, seq);
    }),
  );
  const journals = new Journals();
  await journals.restore(stored.journals, recordAt);
  const questions = new Questions();
  questions.restore(stored.questions, stored.answers);
  return { config, state, bodies, journals, questions, mail: stored.mail, taken: stored.taken };
}

/** What is to be stored of a session. */
export interface StorableSession extends Pick<FoundSession, "state" | "bodies" | "journals" | "questions"> {
  readonly mail: MailLog;
  readonly taken: TakenMail;
  readonly namespace: string;
  readonly session: string;
  /** Digests that the state refers to. */
  readonly referenced: ReadonlySet<string>;
  readonly machines: Readonly<Record<string, string>>;
}

/** A session as its checkpoint holds it. */
export function storedSession(given: StorableSession): StoredSession {
  const { namespace, session, state, bodies, journals, questions, mail, taken, referenced, machines } = given;
  const refs = [...referenced].flatMap((digest): [string, number][] => {
    const seq = bodies.seqOf(digest);
    return seq === undefined ? [] : [[digest, seq]];
  });
  return {
    format: "teamchart-session",
    version: 1,
    namespace,
    session,
    machines: { ...machines },
    kernel: toCheckpoint(state),
    bodies: refs,
    journals: journals.toCheckpoint(),
    questions: questions.toCheckpoint(state),
    answers: questions.answersToCheckpoint(state),
    mail: mail.toCheckpoint(),
    taken: taken.toCheckpoint(),
  };
}
