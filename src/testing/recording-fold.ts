import { canonicalJson, digestOf } from "../actors/owner/body-store.ts";
import { eventLines } from "../machines/event-lines.ts";
import { createHashChain } from "../actors/recording/hash-chain.ts";
import { TeamError } from "../errors/index.ts";
import { createCanonicalizer } from "../machines/kernel/canonical.ts";
import { fromCheckpoint } from "../machines/kernel/checkpoint.ts";
import {
  createKernel,
  displayName,
  memberByName,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "../machines/index.ts";
import { machineHashes } from "../actors/owner/machine-hashes.ts";
import { MailLog } from "../actors/mail/mail-log.ts";
import type { MailStatus } from "../protocol/mail.ts";
import { canonicalRecipient, LEAD } from "../protocol/names.ts";
import {
  BodyLine,
  CheckpointLine,
  HeaderLine,
  InputLine,
  PostLine,
  RecordedErrorLine,
  RecordedResultLine,
  recordedInput,
  type ErrorLine,
  type EventLine,
  type ResultLine,
} from "../protocol/recording.ts";
import { faultText, parseLine, type LineSchema } from "./parse-line.ts";
import { firstDifference } from "./difference.ts";
import type { TextLine } from "./read-lines.ts";

/** A recording, folded and found to be true. */
export interface Replayed {
  readonly header: HeaderLine;
  /** The session as the machines of this version leave it. */
  readonly session: SessionState;
  /** The kernel that folded it, to read the session by. */
  readonly kernel: Kernel;
  /** Every applied event, in order. */
  readonly steps: readonly EventLine[];
  /** What became of the newest pieces of mail, the newest first; without their contents. */
  readonly mail: readonly MailStatus[];
  /** How many lines were checked. */
  readonly lines: number;
  /** How many inputs were folded. */
  readonly inputs: number;
  /** Hash of the last line checked: two recordings with the same one are the same. */
  readonly hash: string;
  /** The last line, when the recording was ended by one. */
  readonly result: ResultLine | null;
  readonly error: ErrorLine | null;
  /** Why the recording has no end, or null: its writer was killed, or is still at work. All before is true. */
  readonly truncated: { readonly record: number; readonly problem: string } | null;
}

const isTextLine = (line: unknown): line is TextLine => typeof line === "object" && line !== null && "isTorn" in line;

/** Sees the inputs of a recording: each one before it is folded, and the session that it led to. */
export interface FoldObserver {
  before(session: SessionState, record: KernelRecord): void;
  after(session: SessionState): void;
}

/** Folds a recording line by line; whatever is not as it was recorded throws. See `replay`. */
export class RecordingFold {
  readonly #until: number;
  readonly #observer: FoldObserver | null;
  readonly #kernel: Kernel;
  readonly #comparesMachines: boolean;
  readonly #chain = createHashChain();
  readonly #actors = createCanonicalizer({ digest: digestOf });
  readonly #steps: EventLine[] = [];
  readonly #mail = new MailLog({
    nameOf: (token) => displayName(this.#session, (each) => this.#session.members.get(each), token),
    boxOf: (to) => memberByName(this.#session, to)?.token ?? (canonicalRecipient(to) === LEAD ? "lead" : to),
    bodyOf: () => undefined,
  });
  /** Lines that the kernel says must follow, the next one last. */
  #due: EventLine[] = [];
  #session: SessionState;
  #header: HeaderLine | null = null;
  #record = 0;
  #inputs = 0;
  #result: ResultLine | null = null;
  #error: ErrorLine | null = null;
  #torn: string | null = null;
  #stopped = false;

  /** A kernel that is given folds whatever the recording says of its machines: the first line that differs tells how. */
  constructor(until: number, observer: FoldObserver | null = null, kernel: Kernel | null = null) {
    this.#until = until;
    this.#observer = observer;
    this.#kernel = kernel ?? createKernel();
    this.#comparesMachines = kernel === null;
    this.#session = this.#kernel.create();
  }

  /** Takes the next line; false when no more is wanted. */
  take(source: unknown): boolean {
    const line = this.#parse(source);
    if (line === null) return false;
    if (this.#result !== null || this.#error !== null) this.#fail("it stands behind the end of the recording");
    if (this.#record === 0) this.#takeHeader(line);
    else if (!this.#takeOther(line)) {
      this.#stopped = true;
      return false;
    }
    this.#record++;
    return true;
  }

  finish(): Replayed {
    if (this.#header === null) {
      const problem = this.#torn === null ? "it is empty" : "its first line is cut off, or holds more than one";
      throw new TeamError("bad_file", { file: "recording", problem, fault: "recording" });
    }
    return {
      header: this.#header,
      session: this.#session,
      kernel: this.#kernel,
      steps: this.#steps,
      mail: this.#mail.list({ limit: Infinity }).mail,
      lines: this.#record,
      inputs: this.#inputs,
      hash: this.#chain.last,
      result: this.#result,
      error: this.#error,
      truncated: this.#truncated(),
    };
  }

  #truncated(): Replayed["truncated"] {
    if (this.#stopped || this.#result !== null || this.#error !== null) return null;
    const missing = this.#due.at(-1);
    const problem =
      this.#torn ?? (missing === undefined ? "there is no result line" : `${missing.event.type} should follow`);
    return { record: this.#record, problem };
  }

  #fail(problem: string): never {
    throw new TeamError("replay_mismatch", { record: this.#record, problem });
  }

  /** The line as an object; null for a last line that was cut off. */
  #parse(source: unknown): Readonly<Record<string, unknown>> | null {
    const isText = isTextLine(source);
    const parsed = parseLine(isText ? source.text : source);
    if (parsed !== null) return parsed;
    if (isText && source.isTorn) {
      this.#torn = "the line is cut off";
      return null;
    }
    return this.#fail("it is no JSON object");
  }

  #takeHeader(line: Readonly<Record<string, unknown>>): void {
    const header = this.#shape(HeaderLine, line);
    this.#link(line, header.hash);
    for (const [machine, current] of this.#comparesMachines ? Object.entries(machineHashes()) : []) {
      const recorded = header.machines[machine] ?? "unknown";
      if (recorded !== current) throw new TeamError("machine_version", { machine, recorded, current });
    }
    this.#header = header;
  }

  /** Takes any line but the first; false when it lies behind `until`. */
  #takeOther(line: Readonly<Record<string, unknown>>): boolean {
    const isPost = line["type"] === "event" && line["step"] !== 0;
    const due = this.#due.at(-1);
    if (due !== undefined && !isPost) this.#fail(`${due.event.type} of ${due.actor} should stand here`);
    switch (line["type"]) {
      case "event":
        if (isPost) this.#takePost(line);
        else return this.#takeInput(line);
        break;
      case "body":
        this.#takeBody(line);
        break;
      case "checkpoint":
        this.#takeCheckpoint(line);
        break;
      case "result": {
        const { hash, ...result } = this.#shape(RecordedResultLine, line);
        this.#link(line, hash);
        this.#result = result;
        break;
      }
      case "error": {
        const { hash, ...error } = this.#shape(RecordedErrorLine, line);
        this.#link(line, hash);
        this.#error = error;
        break;
      }
      default:
        this.#fail(`type is ${JSON.stringify(line["type"]) ?? "missing"}, which no line has`);
    }
    return true;
  }

  #takeBody(line: object): void {
    const { digest, value, redacted, hash } = this.#shape(BodyLine, line);
    if (redacted !== true && digestOf(canonicalJson(value)) !== digest) this.#fail("value is not that of its digest");
    this.#link(line, hash);
  }

  #takeCheckpoint(line: object): void {
    const { value, hash } = this.#shape(CheckpointLine, line);
    if (this.#record !== 1) this.#fail("type is checkpoint, which stands behind the header only");
    this.#link(line, hash);
    this.#session = this.#guard(() => fromCheckpoint(value, this.#kernel));
  }

  #takeInput(line: object): boolean {
    const recorded = this.#shape(InputLine, line);
    if (recorded.seq > this.#until) return false;
    if (recorded.seq <= this.#session.seq) this.#fail(`seq is ${recorded.seq}, not after ${this.#session.seq}`);
    const record = this.#guard(() => recordedInput(recorded));
    this.#observer?.before(this.#session, record);
    const applied = this.#kernel.apply(this.#session, record);
    this.#mail.record(record.input, applied);
    this.#observer?.after(this.#session);
    const [own, ...posts] = eventLines(this.#session, applied, record);
    const { input: _input, plan: _plan, hash, ...shown } = recorded;
    this.#compare(own, shown);
    this.#link(line, hash, this.#actors.touched(this.#session, applied, record.input.command));
    this.#due = posts.toReversed();
    this.#inputs++;
    return true;
  }

  #takePost(line: object): void {
    const { hash, ...shown } = this.#shape(PostLine, line);
    const due = this.#due.pop();
    if (due === undefined) this.#fail(`step is ${shown.step}, which does not follow from the input`);
    this.#compare(due, shown);
    this.#link(line, hash);
  }

  #compare(expected: EventLine | undefined, actual: EventLine): void {
    const difference = firstDifference(expected, actual);
    if (difference !== null) this.#fail(difference);
    this.#steps.push(actual);
  }

  #link(line: object, recorded: string, actors?: string): void {
    if (this.#chain.next(line, actors) === recorded) return;
    const what = actors === undefined ? "this line" : "this line, and the actors that it touched";
    this.#fail(`hash is not that of ${what}, and all before it`);
  }

  #shape<Line>(schema: LineSchema<Line>, line: object): Line {
    const parsed = schema.safeParse(line);
    return parsed.success ? parsed.data : this.#fail(faultText(parsed.error));
  }

  /** What a changed value makes fail is a mismatch of this line. */
  #guard<Value>(run: () => Value): Value {
    try {
      return run();
    } catch (error) {
      return this.#fail(faultText(error));
    }
  }
}
