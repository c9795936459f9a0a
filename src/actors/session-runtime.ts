import type { Bus } from "../bus/bus.ts";
import { TeamError } from "../errors/index.ts";
import {
  createLiveActors,
  desiredLeadRun,
  desiredRun,
  desiredTimers,
  displayName,
  idleTimer,
  liveSource,
  memberByName,
  projectStatus,
  shutdownTimer,
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
import type { BodyRef } from "../protocol/input.ts";
import { canonicalRecipient, LEAD } from "../protocol/names.ts";
import type { SessionConfig } from "../protocol/session-config.ts";
import type { MemberStatus, TeamStatus } from "../protocol/status.ts";
import { Journals } from "./journals.ts";
import { sendLive } from "./live-commands.ts";
import { MailLog } from "./mail-log.ts";
import { SessionOwner, type AppliedRecord } from "./owner.ts";
import type { Questions } from "./questions.ts";
import { requestTexts } from "./permissions/request-texts.ts";
import { referencedBodies } from "./referenced-bodies.ts";
import { RunBoard, type StartRun } from "./run-board.ts";
import { TimerBoard } from "./timers.ts";

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
}

/** The conversation of a persistent member or the lead is one; a oneshot member starts anew with each attempt. */
export const attemptOf = (member: MemberRecord | undefined): number =>
  member === undefined || member.lifetime === "persistent" ? 0 : member.snapshot.context.attempt;

const mayHaveTimers = ({ polls, requests, outside, team }: SessionState): boolean =>
  polls.length > 0 || requests.length > 0 || outside.length > 0 || (team !== null && team.grace !== null);

const noFailures: readonly Promise<unknown>[] = [];

/**
 * A session that lives in this process: its owner, and everything that must be alive because its state says so. After
 * each input only the actors that it changed are looked at.
 */
export class SessionRuntime {
  readonly owner: SessionOwner;
  readonly journals = new Journals();
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
  readonly #timers: TimerBoard;
  /** One per member that is idle or asked to shut down, looked at with it: there may be as many as members. */
  readonly #memberTimers: TimerBoard;
  #teamToken: string | null = null;
  #epoch = 0;

  constructor(options: RuntimeOptions) {
    this.options = options;
    const { bus, kernel, clock, namespace, node, config, onFault } = options;
    this.owner = new SessionOwner({
      bus,
      kernel,
      clock,
      namespace,
      session: config.session,
      node,
      onFault,
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
    this.#timers = new TimerBoard(clock, onDue);
    this.#memberTimers = new TimerBoard(clock, onDue);
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
    return { runs: this.#runs.size, timers: this.#timers.size + this.#memberTimers.size };
  }

  /** Opens the session and claims it in the epoch of its lease; from then on it lives. */
  async start(epoch: number): Promise<void> {
    const { config, node } = this.options;
    this.owner.start();
    await this.owner.append({ actor: "session", from: "system", event: { type: "session.opened", config } });
    const event = { type: "owner.claimed", epoch, node } as const;
    const { verdict } = await this.owner.apply({ actor: "session", from: "system", event });
    // An owner without its epoch would have everything that it reports refused.
    if (verdict !== "handled") throw new TeamError("fenced", { reason: "a later owner has this session" });
  }

  /** Closes the session: everything that runs is stopped, and nothing is left armed. */
  async stop(): Promise<void> {
    if (this.owner.isClosed) return;
    try {
      // One that never opened has nothing to be told.
      if (this.state.config === null) return;
      await this.owner.apply({ actor: "session", from: "system", event: { type: "session.closed" } });
    } finally {
      this.owner.stop();
    }
  }

  #stopAll(): void {
    this.#runs.stopAll("the session is closed");
    this.#timers.clear();
    this.#memberTimers.clear();
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
    const textsOf = (request: PermissionRequest): RequestTexts | undefined =>
      caller === "lead" && request.approver === "lead" ? this.#textsOf(request) : undefined;
    return projectStatus(this.state, this.facts, (member) => this.resultOf(member), { changed, caller, textsOf });
  }

  /** The status for people: with what they are asked to judge, which no model gets. */
  statusForPeople(): TeamStatus {
    const planOf = ({ digest }: BodyRef) => this.owner.bodies.get(digest);
    const status = projectStatus(this.state, this.facts, (member) => this.resultOf(member), {
      changed: true,
      caller: "lead",
      planOf,
      textsOf: (request) => this.#textsOf(request),
    });
    return { ...status, members: status.members.map((member) => this.withFallback(member)) };
  }

  /** A member's status with the model that answers in its own one's place, if there is one. */
  withFallback(member: MemberStatus): MemberStatus {
    const fallback = this.journals.fallbackOf(this.mailboxOf(member.name));
    return fallback === undefined ? member : { ...member, fallback };
  }

  #textsOf({ input }: PermissionRequest): RequestTexts | undefined {
    return input === null ? undefined : requestTexts(this.owner.bodies.get(input.digest));
  }

  #afterApply({ stored, applied }: AppliedRecord): readonly Promise<unknown>[] {
    const { input, body } = stored;
    if (body !== undefined) {
      this.journals.record(input, body, applied, attemptOf(this.state.members.get(input.actor)));
    }
    this.options.questions.record(input, body, applied);
    if (applied.mail.length > 0) this.mail.record(input, applied);
    this.#noticeNewTeam();
    this.live.follow(applied);
    const failures = this.#reconcile(applied.changed);
    this.owner.bodies.sweep(this.#referencedBodies);
    return failures ?? noFailures;
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
    if (this.#timers.size > 0 || mayHaveTimers(state)) this.#timers.reconcile(desiredTimers(state));
    return failures ?? noFailures;
  }

  #desired(member: MemberRecord | undefined): DesiredRun | null {
    return member === undefined
      ? desiredLeadRun(this.state, this.state.lead, this.facts)
      : desiredRun(this.state, member, this.facts);
  }

  #afterMember(member: MemberRecord): void {
    if (this.facts.member(member.snapshot).presence === "shutdown") this.journals.dropConversation(member.token);
    this.#keepTimer("idle", member, idleTimer(this.state, member, this.facts));
    this.#keepTimer("shutdown", member, shutdownTimer(this.state, member, this.facts));
  }

  #keepTimer(kind: string, { token }: MemberRecord, timer: DesiredTimer | null): void {
    if (timer !== null || this.#memberTimers.size > 0) this.#memberTimers.keep(`${kind}:${token}`, timer);
  }

  readonly #referencedBodies = (): ReadonlySet<string> => referencedBodies(this.state, this.mail);
}
