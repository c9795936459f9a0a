import type { ToolSet } from "ai";
import type { Observable } from "rxjs";
import type { z } from "zod";
import type { LiveActor, LiveActors, SessionState } from "../../machines/index.ts";
import type { EventLine, ResultLine } from "../../protocol/recording.ts";
import type { DissolveResult, InviteResult, ReplanResult, Reply, SendResult } from "../../protocol/reply.ts";
import type { DissolveSpecInput, ReplanSpecInput } from "../../protocol/spec.ts";
import type { AcknowledgeResult, MailPage } from "../../protocol/mail.ts";
import type { MemberStatus, PendingCallStatus, PermissionRequestStatus } from "../../protocol/status.ts";
import { eventStream, recordStream } from "./event-stream.ts";
import { expectReply } from "../commands/expect-reply.ts";
import { hostCommands, type Invitation } from "../commands/host-commands.ts";
import { ownLoop, type PrepareStep } from "./own-loop.ts";
import type { AppliedRecord, Outgoing } from "../owner/owner.ts";
import { parseInput } from "../parse-input.ts";
import { finishCall, pendingCalls, sendWake } from "../commands/from-outside.ts";
import { Inspection } from "./inspection.ts";
import { liveActorOf } from "./live-actor-of.ts";
import {
  type MessageInput,
  permissionAnswer,
  type PlanAnswerInput,
  TeamsQuery,
  type CallOutcome,
  type InterruptInput,
  type WakeInput,
} from "../commands/session-inputs.ts";
import { lastAnswer, sendPrompt } from "../commands/prompt-turn.ts";
import { statusForPeople } from "./people-status.ts";
import { recordSession, type RecordOptions, type SessionRecording } from "../recording/record-session.ts";
import type { LineSink } from "../recording/recorder.ts";
import { sendAsHost } from "../commands/send-as-host.ts";
import { sessionBoard, type SessionBoard } from "./session-board.ts";
import { acknowledgeAsLead, sessionMail, type SessionMailQuery } from "../mail/session-mail.ts";
import { SessionEnding } from "../recording/session-ending.ts";
import type { SessionParts } from "./session-parts.ts";
import { sessionResult } from "./session-result.ts";
import { sessionRests, untilRests } from "./session-rests.ts";
import { memberOf, sessionStatus, type SessionStatus } from "./session-status.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import type { TeamDeclaration } from "./team-declaration.ts";
import { Team, teamOf } from "./team.ts";
import { teamsOf, type TeamListing } from "./teams-of.ts";

/**
 * One lead and at most one active team. Commands resolve when they are durable and done, and reject with a TeamError that
 * changed nothing. With a hosted lead they are the user's; without one the caller is the Lead.
 */
export class Session {
  readonly id: string;
  /** Everything that happens from now on, in order: a line for each input and each post. What was before is not repeated. */
  readonly events$: Observable<EventLine>;
  /** The tasks of the team's board. Commands of it are the caller's, like all of this session. */
  readonly board: SessionBoard;
  /** Appends the lead's unread mail to each step's messages (`lead: "own"`). */
  readonly prepareStep: PrepareStep;

  readonly #tools: () => ToolSet;
  readonly #runtime: SessionRuntime;
  readonly #openedAtMs: number;
  readonly #ending: SessionEnding;

  constructor(runtime: SessionRuntime, parts: SessionParts) {
    this.id = runtime.options.config.session;
    this.#runtime = runtime;
    this.#ending = new SessionEnding((ends) => parts.close(runtime, ends));
    this.#openedAtMs = runtime.options.clock.now();
    this.events$ = eventStream(runtime);
    ({ tools: this.#tools, prepareStep: this.prepareStep } = ownLoop(runtime, parts));
    this.board = sessionBoard(runtime, (outgoing) => this.#command(outgoing));
  }

  /** The lead's team tools as they are offered now, for a `generateText` of your own (`lead: "own"`). */
  get tools(): ToolSet {
    return this.#tools();
  }

  /** Applied records with their inputs, for recorders. */
  get records$(): Observable<AppliedRecord> {
    return recordStream(this.#runtime);
  }

  /** What somebody needs who looks at the session: its past, texts of models as they come, and commands in the user's name. */
  get inspection(): Inspection {
    return new Inspection(this.#runtime, { records$: this.records$, result: () => this.result() });
  }

  /** The session as its machines see it, for recorders. To be read only. */
  get state(): SessionState {
    return this.#runtime.state;
  }

  /** Whether it was there before it was opened here. */
  get isResumed(): boolean {
    return (this.#runtime.options.found ?? null) !== null;
  }

  /** The session's team as it stands, also one that was created before the session was resumed; null when it has none. */
  get team(): Team | null {
    return teamOf(this, this.#runtime);
  }

  /** Creates the session's team, whole or not at all. Resolves when every member that may start has been started. */
  async createTeam<const Name extends string>(declaration: TeamDeclaration<Name>): Promise<Team> {
    const created = expectReply(await this.#command(hostCommands.create(declaration)), "created");
    return new Team(this, this.#runtime, created);
  }

  /** Changes the running team in one transition, or not at all. */
  async replan(spec: ReplanSpecInput): Promise<ReplanResult> {
    return expectReply(await this.#command(hostCommands.replan(this.#runtime, spec)), "replanned");
  }

  /**
   * Takes an existing agent of `invitables` into the running team. Resolves with the name that it answers to there. Rejects
   * with `not_invitable` (which lists whom you may invite), `name_collision` when somebody has that name (give `as`), and as
   * `replan` does.
   */
  async invite(invitation: Invitation): Promise<InviteResult> {
    return expectReply(await this.#command(hostCommands.invite(this.#runtime, invitation)), "invited");
  }

  /** Ends the team; resolves when it is dissolved, within the grace period. Asking again changes nothing. */
  async dissolve(spec: DissolveSpecInput = {}): Promise<DissolveResult> {
    const dissolved = expectReply(await this.#command(hostCommands.dissolve(this.#runtime, spec)), "dissolved");
    await this.#runtime.options.worktrees.settled();
    return dissolved;
  }

  /** Sends a message; resolves when it is durable and accepted. `instruction` marks it as an order of the user or Lead. */
  async sendMessage(message: z.input<typeof MessageInput>): Promise<SendResult> {
    return expectReply(await this.#command(hostCommands.letter(this.#runtime, message)), "sent");
  }

  /**
   * What became of mail and when, the newest first: stored, delivered (in a journalled step) and acknowledged apart, dead-lettered
   * or refused with the reason. All that is unread, and the newest 2,000 of the rest.
   */
  mail(query: SessionMailQuery = {}): MailPage {
    return sessionMail(this.#runtime, query);
  }

  /** Says that mail of the Lead was dealt with, by its handles; where you are the Lead. Doing it twice changes nothing. */
  acknowledge(handles: readonly string[]): Promise<AcknowledgeResult> {
    return acknowledgeAsLead(this.#runtime, handles);
  }

  /**
   * Ends what a member is doing. Its attempt fails with `interrupted`, and only a replan starts it again; of one that has
   * delivered it ends the turn that it takes on mail. Rejects with `not_running` where nothing runs.
   */
  async interrupt(name: string, options: z.input<typeof InterruptInput> = {}): Promise<void> {
    expectReply(await this.#command(hostCommands.interrupt(this.#runtime, name, options)), "accepted");
  }

  /**
   * Says something to the hosted lead and resolves with the answer of the turn that reads it. Rejects with `lead_failed`
   * when that turn fails. Later turns come by `events$`.
   */
  async send(text: string): Promise<string> {
    return sendPrompt(this.#runtime, text);
  }

  /** The answer of the lead's last turn, or null. */
  get answer(): string | null {
    return lastAnswer(this.#runtime);
  }

  /** What waits for a permission, of members and the lead, the oldest first. Also in `status()`. */
  permissionRequests(): readonly PermissionRequestStatus[] {
    return statusForPeople(this.#runtime).permissionRequests;
  }

  /** Answers one of `permissionRequests()` as the user, whoever was to answer it; a second answer is refused. */
  async answerPermission(...answer: Parameters<typeof permissionAnswer>): Promise<void> {
    const event = permissionAnswer(...answer);
    expectReply(await this.#command({ actor: "lead", event }, "user"), "accepted");
  }

  /** Answers the plan of a member that waits for approval. */
  async answerPlan(member: string, answer: z.input<typeof PlanAnswerInput>): Promise<void> {
    expectReply(await this.#command(hostCommands.planAnswer(this.#runtime, member, answer), "user"), "accepted");
  }

  /** Questions of the lead that wait for the user: the id to answer by, and what is asked. */
  get questions(): readonly { readonly id: string; readonly question: string; readonly choices: readonly string[] }[] {
    return this.#runtime.options.questions.open(this.#runtime.state);
  }

  /** Answers one of `questions`. */
  async answerQuestion(id: string, answer: string): Promise<void> {
    expectReply(await this.#command(hostCommands.questionAnswer(id, answer), "user"), "accepted");
  }

  /**
   * Puts something from outside into a mailbox: a schedule that is due, or the result of something that was begun earlier.
   * It wakes an idle member, and a hosted lead whoever it waits for; its reader sees the kind, and that it is from the user.
   * Resolves when it is durable and accepted. Rejects as `sendMessage` does: `unknown_recipient`, `recipient_closed`,
   * `mailbox_full`, `message_too_large`.
   */
  async wake(name: string, wake: z.input<typeof WakeInput>): Promise<SendResult> {
    return sendWake(this.#runtime, name, wake);
  }

  /** Calls that wait for somebody outside, the oldest first: their tools returned `pending`. Also in `status()`. */
  pendingCalls(): readonly PendingCallStatus[] {
    return pendingCalls(this.#runtime);
  }

  /**
   * Ends one of `pendingCalls()` with its result, or with `error`, which its model reads as that of the tool. `member` says
   * whose call is meant, where two have the same id. Resolves when it is durable. Rejects with `unknown_call`, which lists
   * those that wait, and with `already_answered` for one that has a result, timed out or was cancelled with its run.
   */
  async finishCall(call: string, outcome: z.input<typeof CallOutcome>): Promise<void> {
    await finishCall(this.#runtime, call, outcome);
  }

  /** The session's team. With `dissolved`: also those that are dissolved, the oldest first; what they were is in the log. */
  teams(options: z.input<typeof TeamsQuery> = {}): readonly TeamListing[] {
    return teamsOf(this.#runtime, parseInput(TeamsQuery, options, "teams"));
  }

  /** How everything stands now. */
  status(): SessionStatus {
    return sessionStatus(this.#runtime);
  }

  /** The status of one member, or null when nobody is called so. Unlike `status` it costs the same in a team of any size. */
  member(name: string): MemberStatus | null {
    return memberOf(this.#runtime, name);
  }

  /** Why the lead's last turn failed, or null. */
  get leadFailure(): string | null {
    return this.#runtime.state.lead.failure;
  }

  /** How the session stands, whole: what `teamchart run --json` prints last. `interrupted` = it was stopped before its end. */
  result({ interrupted = false }: { readonly interrupted?: boolean } = {}): ResultLine {
    const durationMs = this.#runtime.options.clock.now() - this.#openedAtMs;
    return sessionResult(this.#runtime, { interrupted, answer: this.answer, durationMs });
  }

  /**
   * Writes the session down from now on: to a file, or to a sink of lines. From `onOpen` it holds everything; later it
   * begins with how the session stands. `replay` of `teamchart/testing` folds it again.
   */
  async record(target: string | LineSink, options: RecordOptions = {}): Promise<SessionRecording> {
    const result = (): ResultLine => this.result({ interrupted: !sessionRests(this.#runtime) });
    return this.#ending.record(await recordSession(this.#runtime, target, { options, result }));
  }

  /**
   * Resolves when nothing will happen without somebody's word: the lead's turn has ended, no permission is pending, and the
   * team, if any, is finished, stalled or dissolved. Mail of a lead without a team may be left for the next prompt.
   */
  async settled(): Promise<void> {
    await untilRests(this.#runtime);
  }

  /**
   * A live XState actor: a member by its name, `Lead`, `Team` or `session`; undefined for a name that is nobody. `.send` never
   * moves it: the event becomes the user's command (`message.send`, `member.cancel`, `member.retry`, `member.shutdown`,
   * `member.interrupt`, `team.replan`, `team.dissolve`, `lead.prompt`).
   */
  actor(name: string): LiveActor | undefined {
    return liveActorOf(this.#runtime, name);
  }

  /** Attaches an XState inspection observer to all actors of the session, those that exist and those to come. */
  inspect(observer: Parameters<LiveActors["inspect"]>[0]): ReturnType<LiveActors["inspect"]> {
    return this.#runtime.live.inspect(observer);
  }

  /** Runs and timers that are alive; both 0 when the session rests. */
  get alive(): { readonly runs: number; readonly timers: number } {
    return this.#runtime.alive;
  }

  /** Lets go of the session: its runs end here. On a durable bus `openSession` goes on with it; in memory it is over. */
  close(): Promise<void> {
    return this.#ending.end(false);
  }

  /** Ends the session for good, its team at once; nobody can go on with it. One that is followed is let go only. */
  end(): Promise<void> {
    return this.#ending.end(true);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A command of the caller: the user's with a hosted lead; the Lead's own without one. */
  #command(outgoing: Omit<Outgoing, "from">, from?: "user"): Promise<Reply> {
    const caller = from ?? (this.#runtime.options.config.lead === "none" ? "lead" : "user");
    return sendAsHost(this.#runtime, { ...outgoing, from: caller });
  }
}
