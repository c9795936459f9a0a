import { Subject, type Subscription } from "rxjs";
import { TeamError } from "../../errors/index.ts";
import type { Append, Bus, Stored } from "../../bus/bus.ts";
import type { Applied, Kernel, KernelRecord, SessionState } from "../../machines/index.ts";
import type { Clock } from "../../protocol/clock.ts";
import type { BodyRef, CommandKey, Input, InputEvent } from "../../protocol/input.ts";
import { isPlanned, parsePlan, type Plan } from "../../protocol/plan.ts";
import type { Reply } from "../../protocol/reply.ts";
import { BodyStore } from "./body-store.ts";
import { diagnostics, publishInput, timeAppend } from "./diagnostics.ts";
import { readForeign } from "./read-foreign.ts";
import { ReplyWaiters } from "./reply-waiters.ts";
import { SteadyAppend } from "./steady-append.ts";

/** One input as it was applied. */
export interface AppliedRecord {
  readonly stored: Stored;
  readonly plan: KernelRecord["plan"];
  readonly applied: Applied;
}

/** An input that this process makes. */
export interface Outgoing {
  /** Token of the mailbox. */
  readonly actor: string;
  readonly from: string;
  readonly event: InputEvent;
  readonly command?: CommandKey;
  readonly body?: unknown;
  /** The plan that the event refers to; its digest is filled in. */
  readonly plan?: Plan;
  /** The epoch of the owner whose run it is; left out = the current one. */
  readonly epoch?: number;
}

/** What an owner works with. */
export interface OwnerOptions {
  readonly bus: Bus;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly namespace: string;
  readonly session: string;
  /** Random name of the system. */
  readonly node: string;
  /** Begins the id of every input that is made here: nobody else who writes to this log may have it, nor have had it. */
  readonly writer: string;
  /** What was stored of the session, to be folded on; null = it begins here. */
  readonly found: { readonly state: SessionState; readonly bodies: BodyStore } | null;
  /** Called after each input, before replies are given; what it returns is waited for before they are. */
  readonly afterApply: (record: AppliedRecord) => readonly Promise<unknown>[];
  /** Called once when the owner has stopped, also when the bus closed under it. */
  readonly onStop: () => void;
  /** Told of faults in observers and of inputs that could not be stored; never throws. */
  readonly onFault: (fault: unknown) => void;
}

/** Records that are read at once. */
const pageMax = 500;
/** Inputs after which a log in memory is cut back. */
const keptInputsMax = 500;

/**
 * The owner of one session: appends what happens here, folds everything in stream order, and answers. What is not in
 * the log has not happened: state changes only when a stored record comes back.
 */
export class SessionOwner {
  readonly state: SessionState;
  readonly bodies: BodyStore;
  /** Every applied input, in order. Errors of subscribers stay with them. */
  readonly records$ = new Subject<AppliedRecord>();

  readonly #options: OwnerOptions;
  /** Inputs made here; by identity, so only a bus that hands on what it was given is trusted. */
  readonly #own = new WeakSet<Input>();
  readonly #replies = new ReplyWaiters();
  readonly #applied = new Map<string, PromiseWithResolvers<Applied>>();
  readonly #log: SteadyAppend;
  readonly #plans = new Map<string, Plan>();
  #subscription: Subscription | null = null;
  #count = 0;
  #clients = 0;
  #sinceTrim = 0;
  #client = 0;
  #closed = false;

  constructor(options: OwnerOptions) {
    this.#options = options;
    this.state = options.found?.state ?? options.kernel.create();
    this.bodies = options.found?.bodies ?? new BodyStore();
    this.#log = new SteadyAppend({ ...options, stopped: closedError });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** The greatest sequence that something of this process was stored with. */
  get storedSeq(): number {
    return this.#log.storedSeq;
  }

  /** Folds what is stored; what comes meanwhile is left for `start`. */
  async catchUp(): Promise<void> {
    const { bus, namespace, session } = this.#options;
    for (let fromSeq = this.state.seq + 1; ;) {
      const page = await bus.read({ namespace, session }, { fromSeq, max: pageMax });
      for (const stored of page) this.#apply(stored);
      fromSeq = (page.at(-1)?.seq ?? 0) + 1;
      if (page.length < pageMax) return;
    }
  }

  /** Starts folding: first what is stored, then what comes. */
  start(): void {
    const { bus, namespace, session, onFault } = this.#options;
    this.#subscription = bus.follow({ namespace, session }, this.state.seq + 1).subscribe({
      next: (stored) => this.#apply(stored),
      error: (fault: unknown) => {
        onFault(fault);
        this.stop();
      },
      complete: () => this.stop(),
    });
  }

  /** Stops folding. Whoever still waits is told that the session is closed. */
  stop(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#subscription?.unsubscribe();
    this.#replies.rejectAll(closedError);
    for (const { reject } of this.#applied.values()) reject(closedError());
    this.#applied.clear();
    this.#log.stop();
    this.#options.onStop();
    this.records$.complete();
  }

  /** Appends an input; resolves with its sequence once it is durable. */
  append(outgoing: Outgoing): Promise<number> {
    return this.#append(outgoing, this.#nextId());
  }

  /** Appends an input and resolves with what it did. */
  async apply(outgoing: Outgoing): Promise<Applied> {
    const id = this.#nextId();
    const done = Promise.withResolvers<Applied>();
    this.#applied.set(id, done);
    this.#append(outgoing, id).catch((fault: unknown) => {
      this.#applied.delete(id);
      done.reject(fault);
    });
    return done.promise;
  }

  /** The next key of a command that belongs to no run. Every key must be used, in order. */
  nextKey(): { readonly client: string; readonly n: number } {
    return { client: this.#clientId, n: ++this.#client };
  }

  /** Appends a command and resolves with its reply, which may come much later. An abort gives up the wait only. */
  command(outgoing: Outgoing, signal?: AbortSignal): Promise<Reply> {
    // An aborted call takes no number: the next command would be refused for the gap.
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const command = outgoing.command ?? this.nextKey();
    const ref =
      "call" in command
        ? { from: outgoing.from, id: command.call }
        : { from: `client:${command.client}`, id: String(command.n) };
    return this.#replies.wait(ref, signal, (reject) => {
      const fail = (fault: unknown): void => {
        if ("client" in command) this.#skipKey(command.client);
        reject(fault);
      };
      try {
        this.#append({ ...outgoing, command }, this.#nextId()).catch(fail);
      } catch (fault) {
        fail(fault);
      }
    });
  }

  get #clientId(): string {
    return this.#clients === 0 ? this.#options.writer : `${this.#options.writer}.${this.#clients}`;
  }

  /** A number was used up by a command that is not in the log: a new client counts from 1 again. */
  #skipKey(client: string): void {
    if (client !== this.#clientId) return;
    this.#clients += 1;
    this.#client = 0;
  }

  #nextId(): string {
    return `${this.#options.writer}-${++this.#count}`;
  }

  /** Throws at once when a body is no JSON or too large: then nothing was appended. */
  #append(outgoing: Outgoing, id: string): Promise<number> {
    if (this.#closed) return Promise.reject(closedError());
    const stored = this.#log.append(this.#appendOf(outgoing, id));
    if (diagnostics.append.hasSubscribers) timeAppend(stored, this.#options, outgoing.actor);
    return stored;
  }

  #appendOf({ actor, from, event, command, body, plan, epoch }: Outgoing, id: string): Append {
    const { clock, namespace, session } = this.#options;
    const input: Input = {
      id,
      at: clock.now(),
      actor,
      from,
      epoch: epoch ?? this.state.epoch,
      // Whoever gives a plan gives an event that refers to one.
      event: plan === undefined ? event : ({ ...event, plan: this.#holdPlan(plan, event) } as InputEvent),
    };
    if (command !== undefined) input.command = command;
    if (body !== undefined) input.body = this.hold(body, event);
    this.#own.add(input);
    const subject = { namespace, session, actor, sender: from };
    const stored = body ?? plan;
    return stored === undefined ? { subject, input } : { subject, input, body: stored };
  }

  /** A plan is a body of its own that the kernel reads: kept until its input has come back. */
  #holdPlan(plan: Plan, event: InputEvent): string {
    const { digest } = this.hold(plan, event);
    this.#plans.set(digest, plan);
    return digest;
  }

  /** The reference of what an event is to carry. Throws at once when it is no JSON, or too large. */
  hold(body: unknown, event: InputEvent): BodyRef {
    const bytesMax = this.state.config?.limits.bodyBytesMax ?? Infinity;
    return this.bodies.hold(body, { what: `the body of ${event.type}`, bytesMax });
  }

  #apply(given: Stored): void {
    const { kernel, afterApply, onFault } = this.#options;
    const stored = this.#own.delete(given.input) ? given : this.#readForeign(given);
    if (stored === null) return;
    const { input } = stored;
    if (input.body !== undefined && stored.body !== undefined) {
      this.bodies.keep(input.body.digest, stored.body, stored.seq);
    }
    const plan = this.#planOf(input, stored);
    const { seq } = stored;
    const applied = kernel.apply(this.state, plan === undefined ? { seq, input } : { seq, input, plan });
    const record = { stored, plan, applied };
    // Before any run starts by it: a run that repeats a command of the last one must not be told that that one has ended.
    const told = applied.replies.map(({ to, reply }) => ({ tell: this.#replies.waiting(to), reply }));
    const answer = (): void => {
      this.#resolveApplied(input, applied);
      for (const { tell, reply } of told) tell?.(reply);
    };
    let first: readonly Promise<unknown>[] = [];
    try {
      first = afterApply(record);
    } catch (fault) {
      onFault(fault);
    }
    if (this.records$.observed) this.records$.next(record);
    if (diagnostics.input.hasSubscribers) publishInput(this.#options, record);
    this.#cutLog(seq);
    if (first.length === 0) answer();
    else Promise.allSettled(first).then(answer, onFault);
  }

  /** Inputs of others are read at the door; null = not to be applied. */
  #readForeign(given: Stored): Stored | null {
    const { stored, fault } = readForeign(given, (digest) => this.bodies.get(digest));
    if (fault !== null) this.#options.onFault(fault);
    return stored;
  }

  /** Nobody can take over a session in memory: what is folded is in the state, and would be kept for nothing. */
  #cutLog(seq: number): void {
    const { bus, namespace, session, onFault } = this.#options;
    if (bus.kind !== "memory" || ++this.#sinceTrim < keptInputsMax) return;
    this.#sinceTrim = 0;
    bus.trim({ namespace, session }, seq + 1).catch(onFault);
  }

  #planOf(input: Input, stored: Stored): KernelRecord["plan"] {
    const { event } = input;
    if (!isPlanned(event)) return undefined;
    const own = this.#plans.get(event.plan);
    this.#plans.delete(event.plan);
    return own ?? parsePlan(event, stored.body);
  }

  #resolveApplied(input: Input, applied: Applied): void {
    if (this.#applied.size === 0) return;
    const done = this.#applied.get(input.id);
    this.#applied.delete(input.id);
    done?.resolve(applied);
  }
}

const closedError = (): TeamError => new TeamError("fenced", { reason: "the session is closed", closed: true });
