import type { Bus } from "../bus/bus.ts";
import { TeamError } from "../errors/index.ts";
import {
  createLiveActors,
  desiredLeadRun,
  desiredRun,
  displayName,
  liveSource,
  memberByName,
  projectStatus,
  type DesiredRun,
  type DesiredTimer,
  type Kernel,
  type LiveActors,
  type Mail,
  type MemberRecord,
  type PermissionRequest,
  type RequestTexts,
  type ResultTexts,
  type SessionState,
} from "../machines/index.ts";
import type { Clock } from "../protocol/clock.ts";
import { canonicalRecipient, LEAD } from "../protocol/names.ts";
import type { SessionConfig } from "../protocol/session-config.ts";
import type { TeamStatus } from "../protocol/status.ts";
import type { FoundSession } from "./stored-sessions.ts";
import { Journals } from "./journals.ts";
import { sendLive } from "./live-commands.ts";
import { MailLog } from "./mail-log.ts";
import { Ownership } from "./ownership.ts";
import { SessionOwner, type AppliedRecord } from "./owner.ts";
import type { Questions } from "./questions.ts";
import { textsOf } from "./people-status.ts";
import { referencedBodies } from "./referenced-bodies.ts";
import { RunBoard, type StartRun } from "./run-board.ts";
import { SessionTimers } from "./session-timers.ts";

/** What a session is made of. */
export interface RuntimeOptions {
  readonly bus: Bus;
  readonly kernel: Kernel;
  readonly clock: Clock;
  readonly namespace: string;
  /** Random per process. */
  readonly node: string;
  readonly config: SessionConfig;
  readonly startRun: StartRun;
  readonly questions: Questions;
  readonly onFault: (fault: unknown) => void;
  /** What was found of the session on the bus; null or left out = it begins here. */
  readonly found?: FoundSession | null;
  /** Called once when another owner has taken the session. */
  readonly onFenced?: () => void;
}

/** The conversation of a persistent member or the lead is one; a oneshot member starts anew with each attempt. */
export const attemptOf = (member: MemberRecord | undefined): number =>
  member === undefined || member.lifetime === "persistent" ? 0 : member.snapshot.context.attempt;

const noFailures: readonly Promise<unknown>[] = [];

/**
 * A session that lives in this process: its owner, and everything that must be alive because its state says so. After
 * each input only the actors that it changed are looked at.
 */
export class SessionRuntime {
  readonly owner: SessionOwner;
  readonly journals: Journals;
  /** What became of each piece of mail. */
  readonly mail = new MailLog({
    nameOf: (token) => displayName(this.state, (each) => this.state.members.get(each), token),
    boxOf: (to) => this.mailboxOf(to),
    bodyOf: (digest) => this.owner.bodies.get(digest),
  });
  /** The session's actors as live XState actors. */
  readonly live: LiveActors;
  readonly options: RuntimeOptions;
  readonly #runs: RunBoard;
  readonly #timers: SessionTimers;
  #teamToken: string | null = null;
  #epoch = 0;
  #ownership: Ownership | null = null;

  constructor(options: RuntimeOptions) {
    this.options = options;
    this.journals = options.found?.journals ?? new Journals();
    if (options.found?.mail !== undefined) this.mail.restore(options.found.mail);
    const { bus, kernel, clock, namespace, node, config, onFault } = options;
    this.owner = new SessionOwner({
      bus,
      kernel,
      clock,
      namespace,
      session: config.session,
      node,
      onFault,
      found: options.found ?? null,
      afterApply: (record) => this.#afterApply(record),
      onStop: () => this.#stopAll(),
    });
    this.live = createLiveActors({
      session: config.session,
      source: liveSource(() => this.state),
      send: (token, event) => sendLive(this, token, event),
      onError: onFault,
      liveActorsMax: config.limits.liveActorsMax,
    });
    const onDue = ({ key, generation }: DesiredTimer): void => {
      const event = { type: "timer.due", key, generation, epoch: this.state.epoch } as const;
      this.owner.append({ actor: "session", from: "system", event }).catch(onFault);
    };
    this.#timers = new SessionTimers(clock, onDue);
    this.#runs = new RunBoard({
      start: (desired) => options.startRun(this, desired),
      // In the log it stands after everything that the run reported: if its outcome is among that, this is stale.
      onLost: ({ actor, n }) => {
        const event = { type: "run.lost", run: n, reason: "owner_lost: the run ended without an outcome" } as const;
        if (!this.owner.isClosed) this.owner.append({ actor, from: "system", event }).catch(onFault);
      },
      concurrentRunsMax: config.limits.concurrentRunsMax,
    });
  }

  get state(): SessionState {
    return this.owner.state;
  }

  get facts() {
    return this.options.kernel.steppers.facts;
  }

  /** Runs and timers that are alive; 0 and 0 when the session rests. */
  get alive(): { readonly runs: number; readonly timers: number } {
    return { runs: this.#runs.size, timers: this.#timers.size };
  }

  /** Follows the session from now on; with an epoch as its owner, and then it lives. `file` is kept with its first input. */
  async start(epoch: number | null, file?: unknown): Promise<void> {
    this.owner.start();
    if (epoch === null) return;
    this.#ownership = new Ownership(this, epoch, this.options.found?.revision ?? 0);
    await this.#ownership.begin(file);
  }

  /** Ends the session for good, whoever owns it: everything that runs is stopped, and nothing is left armed. */
  async end(): Promise<void> {
    if (this.owner.isClosed) return;
    try {
      // One that never opened has nothing to be told.
      if (this.state.config === null) return;
      await this.owner.apply({ actor: "session", from: "system", event: { type: "session.closed" } });
      await this.#ownership?.store();
    } finally {
      this.owner.stop();
    }
  }

  /** Lets go of the session: what runs here is stopped, and it can be gone on with, here or elsewhere. */
  async release(): Promise<void> {
    if (this.owner.isClosed) return;
    const ownership = this.#ownership;
    this.#ownership = null;
    this.#stopRuns("its session is let go");
    try {
      if (ownership?.isCurrent === true) await ownership.release();
    } finally {
      ownership?.stop();
      this.owner.stop();
    }
  }

  /** The session belongs to somebody else: nothing that runs here counts any more. */
  fence(): void {
    if (this.owner.isClosed || this.#ownership === null) return;
    this.#ownership.stop();
    this.#ownership = null;
    this.#stopRuns("another owner has its session");
    // Not within the record that says so: whoever follows is to see it.
    queueMicrotask(() => this.owner.stop());
    const reason = `the session "${this.options.config.session}" has another owner now, or its lease was lost`;
    this.options.onFault(new TeamError("fenced", { reason }));
    this.options.onFenced?.();
  }

  #stopRuns(reason: string): void {
    this.#runs.stopAll(reason);
    this.#timers.clear();
  }

  #stopAll(): void {
    this.#ownership?.stop();
    this.#stopRuns("the session is closed");
    this.live.close();
  }

  /** Token of the mailbox that a recipient's name stands for; names that are nobody go to the team, which answers. */
  mailboxOf(to: string): string {
    if (canonicalRecipient(to) === LEAD) return "lead";
    return memberByName(this.state, to)?.token ?? this.state.team?.token ?? "session";
  }

  /** The content of a piece of mail. */
  contentOf(mail: Mail): string {
    const value = mail.body === null ? "" : this.owner.bodies.get(mail.body.digest);
    return typeof value === "string" ? value : "";
  }

  /** What a member delivered. */
  resultOf(member: MemberRecord): ResultTexts | undefined {
    if (member.result === null) return undefined;
    const value = this.owner.bodies.get(member.result.digest);
    // Results are made by `complete` and by function runs of this package.
    return value as ResultTexts | undefined;
  }

  /** Text of a model as it comes, for whoever listens now; nothing of it is kept. */
  publishText(actor: string, delta: string): void {
    const { bus, namespace, config, onFault } = this.options;
    try {
      bus.signals.publish({ topic: `${namespace}.${config.session}.${actor}.text`, value: delta });
    } catch (fault) {
      onFault(fault);
    }
  }

  /** The status as `caller` (an actor token) sees it. */
  status(caller: string, changed: boolean): TeamStatus {
    // The Lead sees what it is to answer; nobody else sees anything of what others want to do.
    const shown = (request: PermissionRequest): RequestTexts | undefined =>
      caller === "lead" && request.approver === "lead" ? textsOf(this, request) : undefined;
    const result = (member: MemberRecord): ResultTexts | undefined => this.resultOf(member);
    return projectStatus(this.state, this.facts, result, { changed, caller, textsOf: shown });
  }

  #afterApply({ stored, applied }: AppliedRecord): readonly Promise<unknown>[] {
    const { input, body } = stored;
    this.journals.record(input, body, applied, attemptOf(this.state.members.get(input.actor)));
    this.options.questions.record(input, body, applied);
    if (applied.mail.length > 0) this.mail.record(input, applied);
    this.#noticeNewTeam();
    this.live.follow(applied);
    const failures = this.#act(applied.changed);
    this.owner.bodies.sweep(() => referencedBodies(this.state, this.mail));
    return failures;
  }

  /** What an owner does about it; whoever follows does nothing. */
  #act(changed: ReadonlySet<string>): readonly Promise<unknown>[] {
    const ownership = this.#ownership;
    if (ownership === null) return noFailures;
    if (ownership.isPast) this.fence();
    if (!ownership.isCurrent) return noFailures;
    ownership.note();
    return this.#reconcile(changed);
  }

  /** A new team takes the place of the old one: whoever belonged to that is gone. */
  #noticeNewTeam(): void {
    const token = this.state.team?.token ?? null;
    if (token === this.#teamToken) return;
    this.#teamToken = token;
    this.journals.keepOnly(this.state.members);
    this.mail.forget((box) => /-t\d+$/.test(box) && !this.state.members.has(box));
    this.#runs.stopUnless((actor) => actor === "lead" || this.state.members.has(actor));
  }

  /** Makes reality match the state, for the actors that may have changed. */
  #reconcile(changed: ReadonlySet<string>): readonly Promise<unknown>[] {
    const { state } = this;
    // A new owner's epoch renames every run.
    const tokens = state.epoch === this.#epoch ? changed : new Set(["lead", ...state.members.keys()]);
    this.#epoch = state.epoch;
    let failures: Promise<unknown>[] | null = null;
    for (const token of tokens) {
      const member = state.members.get(token);
      if (member === undefined && token !== "lead") continue;
      const failure = this.#runs.reconcile(token, this.#desired(member));
      if (failure !== null) (failures ??= []).push(failure);
      if (member !== undefined) this.#afterMember(member);
    }
    this.#timers.reconcile(state);
    return failures ?? noFailures;
  }

  #desired(member: MemberRecord | undefined): DesiredRun | null {
    return member === undefined
      ? desiredLeadRun(this.state, this.state.lead, this.facts)
      : desiredRun(this.state, member, this.facts);
  }

  #afterMember(member: MemberRecord): void {
    if (this.facts.member(member.snapshot).presence === "shutdown") this.journals.dropConversation(member.token);
    this.#timers.keep(this.state, member, this.facts);
  }
}
