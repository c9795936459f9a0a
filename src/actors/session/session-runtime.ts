import { TeamError } from "../../errors/index.ts";
import {
  createLiveActors,
  desiredLeadRun,
  desiredRun,
  liveSource,
  projectStatus,
  type DesiredRun,
  type DesiredTimer,
  type LiveActors,
  type Mail,
  type MemberRecord,
  type PermissionRequest,
  type RequestTexts,
  type ResultTexts,
  type SessionState,
} from "../../machines/index.ts";
import type { TeamStatus } from "../../protocol/status.ts";
import { publishSession } from "../owner/diagnostics.ts";
import type { Journals } from "../model-run/journals.ts";
import { sendLive } from "../commands/live-commands.ts";
import type { MailLog } from "../mail/mail-log.ts";
import { Ownership } from "../owner/ownership.ts";
import { SessionOwner, type AppliedRecord } from "../owner/owner.ts";
import { textsOf } from "./people-status.ts";
import { referencedBodies } from "../owner/referenced-bodies.ts";
import { untilApplied } from "../owner/until-applied.ts";
import { RunBoard } from "../runs/run-board.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { mailboxOf, SessionProjections } from "./session-projections.ts";
import { SessionTimers } from "./session-timers.ts";
import type { TakenMail } from "../mail/taken-mail.ts";

const noFailures: readonly Promise<unknown>[] = [];

/**
 * A session that lives in this process: its owner, and everything that must be alive because its state says so. After
 * each input only the actors that it changed are looked at.
 */
export class SessionRuntime {
  readonly owner: SessionOwner;
  readonly #projections: SessionProjections;
  /** The session's actors as live XState actors. */
  readonly live: LiveActors;
  readonly options: RuntimeOptions;
  readonly #runs: RunBoard;
  readonly #timers: SessionTimers;
  #epoch = 0;
  #isEnding = false;
  #ownership: Ownership | null = null;

  constructor(options: RuntimeOptions) {
    this.options = options;
    const { bus, kernel, clock, namespace, node, writer, config, onFault } = options;
    this.owner = new SessionOwner({
      bus,
      kernel,
      clock,
      namespace,
      session: config.session,
      node,
      writer,
      onFault,
      found: options.found ?? null,
      afterApply: (record) => this.#afterApply(record),
      onStop: () => this.#stopAll(),
    });
    const { state, bodies } = this.owner;
    this.#projections = new SessionProjections({
      state,
      bodies,
      questions: options.questions,
      found: options.found ?? null,
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
      applied: () => untilApplied(this.owner),
      // In the log it stands after everything that the run reported: if its outcome is among that, this is stale.
      onLost: ({ actor, n }) => {
        const event = { type: "run.lost", run: n, reason: "owner_lost: the run ended without an outcome" } as const;
        if (!this.owner.isClosed) this.owner.append({ actor, from: "system", event }).catch(onFault);
      },
      ...config.limits,
      clock,
    });
  }

  get state(): SessionState {
    return this.owner.state;
  }

  get journals(): Journals {
    return this.#projections.journals;
  }

  /** What became of each piece of mail. */
  get mail(): MailLog {
    return this.#projections.mail;
  }

  /** What functions have read in turns that are not over. */
  get taken(): TakenMail {
    return this.#projections.taken;
  }

  get facts() {
    return this.options.kernel.steppers.facts;
  }

  /** Runs and timers that are alive; 0 and 0 when the session rests. */
  get alive(): { readonly runs: number; readonly timers: number } {
    return { runs: this.#runs.size, timers: this.#timers.size + this.#runs.timers };
  }

  /** Runs of members that are alive, and those that wait for their turn to start. */
  get memberRuns(): Pick<RunBoard, "running" | "waiting"> {
    return { running: this.#runs.running, waiting: this.#runs.waiting };
  }

  /** Follows the session from now on; with an epoch as its owner, and then it lives. `file` is kept with its first input. */
  async start(epoch: number | null, file?: unknown): Promise<void> {
    publishSession(this.options, "opened");
    this.owner.start();
    if (epoch !== null) await this.own(epoch).begin(file);
  }

  /** Makes it the owner for this epoch: it acts from the input on that claims the session for it. */
  own(epoch: number): Ownership {
    return (this.#ownership = new Ownership(this, epoch, this.options.found?.revision ?? 0));
  }

  /** Ends the session for good, whoever owns it: everything that runs is stopped, and nothing is left armed. */
  async end(): Promise<void> {
    if (this.owner.isClosed) return;
    try {
      // One that never opened has nothing to be told.
      if (this.state.config === null) return;
      await this.#leaveWorktrees();
      await this.owner.apply({ actor: "session", from: "system", event: { type: "session.closed" } });
      await this.#ownership?.store();
    } finally {
      this.owner.stop();
    }
  }

  /** Whoever still works in a worktree leaves it: nobody will come back. */
  async #leaveWorktrees(): Promise<void> {
    if (this.#ownership?.isCurrent !== true || this.state.worktrees.length === 0) return;
    this.#isEnding = true;
    this.#stopRuns("its session ends");
    await this.options.worktrees.leaveAll(this);
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
    publishSession(this.options, "closed");
    this.#ownership?.stop();
    this.#stopRuns("the session is closed");
    this.live.close();
    this.options.invitations.leaveAll(this);
  }

  /** Token of the mailbox that a recipient's name stands for; names that are nobody go to the team, which answers. */
  mailboxOf(to: string): string {
    return mailboxOf(this.state, to);
  }

  /** The content of a piece of mail. */
  contentOf(mail: Pick<Mail, "body">): string {
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

  /** The status as `caller` (an actor token) sees it. */
  status(caller: string, changed: boolean): TeamStatus {
    // The Lead sees what it is to answer; nobody else sees anything of what others want to do.
    const shown = (request: PermissionRequest): RequestTexts | undefined =>
      caller === "lead" && request.approver === "lead" ? textsOf(this, request) : undefined;
    return this.project({ changed, caller, textsOf: shown });
  }

  /** The status as it is now, with what it is to show. */
  project(options: Omit<Parameters<typeof projectStatus>[3], "now">): TeamStatus {
    const now = this.options.clock.now();
    return projectStatus(this.state, this.facts, (member) => this.resultOf(member), { now, ...options });
  }

  #afterApply({ stored, applied }: AppliedRecord): readonly Promise<unknown>[] {
    const { members } = this.state;
    if (this.#projections.record({ stored, applied })) {
      this.#runs.stopUnless((actor) => actor === "lead" || members.has(actor));
      this.options.worktrees.followAll(this);
    }
    this.live.follow(applied);
    const failures = this.#act(applied.changed);
    this.owner.bodies.sweep(() => referencedBodies(this));
    return failures;
  }

  /** What an owner does about it; whoever follows does nothing. */
  #act(changed: ReadonlySet<string>): readonly Promise<unknown>[] {
    const ownership = this.#ownership;
    if (ownership === null) return noFailures;
    if (ownership.isPast) this.fence();
    if (!ownership.isCurrent) return noFailures;
    ownership.note();
    if (this.#isEnding) return noFailures;
    return this.#reconcile(changed);
  }

  /** Makes reality match the state, for the actors that may have changed. */
  #reconcile(changed: ReadonlySet<string>): readonly Promise<unknown>[] {
    const { state } = this;
    // A new owner's epoch renames every run.
    const isNewOwner = state.epoch !== this.#epoch;
    const tokens = isNewOwner ? new Set(["lead", ...state.members.keys()]) : changed;
    if (isNewOwner) this.options.worktrees.followAll(this);
    this.#epoch = state.epoch;
    let failures: Promise<unknown>[] | null = null;
    for (const token of tokens) {
      const member = state.members.get(token);
      if (member === undefined && token !== "lead") continue;
      const failure = this.#runs.reconcile(token, this.#desired(member));
      if (failure !== null) (failures ??= []).push(failure);
      if (member !== undefined) this.#afterMember(member);
    }
    this.#runs.startWaiting();
    this.#timers.reconcile(state);
    return failures ?? noFailures;
  }

  #desired(member: MemberRecord | undefined): DesiredRun | null {
    return member === undefined
      ? desiredLeadRun(this.state, this.state.lead, this.facts)
      : desiredRun(this.state, member, this.facts);
  }

  #afterMember(member: MemberRecord): void {
    if (member.invited !== null) this.options.invitations.follow(this, member);
    this.options.worktrees.follow(this, member.token);
    this.#timers.keep(this.state, member, this.facts);
  }
}
