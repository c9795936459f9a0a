import { refusal, TeamError } from "../../errors/index.ts";
import { hookedTools } from "../../machines/index.ts";
import type { InputEvent, InputOf } from "../../protocol/input.ts";
import type { AcknowledgeResult, MailPage } from "../../protocol/mail.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { InviteSpec } from "../../protocol/spec.ts";
import type { TeamStatus } from "../../protocol/status.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import type { CallContext, OwnMailQuery, StatusAnswer, StatusQuery, TeamCommand, TeamPort } from "../../tools/port.ts";
import { isHooked, refusedBy } from "../hooks/hook-question.ts";
import { stopReason } from "../hooks/hook-runner.ts";
import { commandOf } from "./command-of.ts";
import type { MailLog } from "../mail/mail-log.ts";
import { acknowledgeMail, ownMail } from "../mail/own-mail.ts";
import type { Outgoing, SessionOwner } from "../owner/owner.ts";
import type { RunHooks } from "../hooks/run-hooks.ts";
import { OutsideCalls } from "./outside-calls.ts";
import type { RunSignal } from "./run-signal.ts";
import type { RunTrace } from "../telemetry/run-trace.ts";

/** A run input before its place in the run is known. */
export type RunFact = InputEvent extends infer Event
  ? Event extends { run: number; k: number }
    ? Omit<Event, "run" | "k">
    : never
  : never;

/** What every caller of team commands has in common. */
export interface PortContext {
  readonly owner: SessionOwner;
  /** Token of the caller's actor. */
  readonly token: string;
  readonly caller: string;
  readonly role: "lead" | "member";
  /** Token of the current team's actor, or null. */
  readonly teamToken: () => string | null;
  /** Token of the mailbox that a recipient's name stands for; unknown names go to the team. */
  readonly mailboxOf: (to: string) => string;
  readonly status: (query: {
    readonly member: string | undefined;
    readonly changed: boolean;
  }) => TeamStatus & { readonly steps?: readonly string[] };
  /** The tasks of the team's board, or null. */
  readonly tasks: () => readonly TaskStatus[] | null;
  /** Whether the workspace holds this path. */
  readonly pathExists: (path: string) => Promise<boolean>;
  /** What became of the session's mail. */
  readonly mailLog: MailLog;
  readonly isAskedToShutDown: () => boolean;
  /** What came with the reply to a call: the user's answer to a question, the remark on a plan. */
  readonly answerOf: (call: string) => string;
  /** The event of an invitation, with what the host knows of the agent now. */
  readonly invitation: (spec: InviteSpec) => InputOf<"team.invite">;
}

/** How a run's reports and commands come into the log. */
export interface RunLine {
  /** Reports are stored in the order of the calls; resolves when they count. Throws at once for a body that can't be one. */
  readonly log: Pick<SessionOwner, "append" | "command">;
  /** Reports of this run that were accepted before. */
  readonly k: number;
  /** The worker that carries it out; "" = the owner. */
  readonly by: string;
}

/** Whose run a port belongs to. */
export interface RunPortOptions extends RunLine, Pick<PortContext, "owner" | "token" | "caller" | "role"> {
  readonly run: number;
  readonly signal: RunSignal;
  /** Spans of this run; null where nobody traces. */
  readonly trace: RunTrace | null;
  /** What commands need; made when the first one comes, since many runs give none. */
  readonly context: () => PortContext;
}

/** One run's way to the session: it reports in order, and commands in the name of its actor. */
export class RunPort implements TeamPort {
  readonly #options: RunPortOptions;
  #made: PortContext | null = null;
  #hooks: RunHooks | null = null;
  #outside: OutsideCalls | null = null;
  #k: number;

  constructor(options: RunPortOptions) {
    this.#options = options;
    this.#k = options.k;
  }

  get run(): number {
    return this.#options.run;
  }

  /** Who carries the run out: another worker may go on with it, and must not take what the first one was allowed. */
  get by(): string {
    return this.#options.by;
  }

  get trace(): RunTrace | null {
    return this.#options.trace;
  }

  get caller(): string {
    return this.#options.caller;
  }

  get role(): "lead" | "member" {
    return this.#options.role;
  }

  get #context(): PortContext {
    return (this.#made ??= this.#options.context());
  }

  /** What the host may say to what this run does; null when nobody would say anything. */
  get hooks(): RunHooks | null {
    return this.#hooks;
  }

  /** From now on these hooks are asked. */
  useHooks(hooks: RunHooks | null): void {
    this.#hooks = hooks;
  }

  /** Token of the caller's actor. */
  get token(): string {
    return this.#options.token;
  }

  /** Journals what happened in this run; resolves once it is durable. */
  report(fact: RunFact, body?: unknown): Promise<unknown> {
    const { log, token, run, signal } = this.#options;
    const { reason } = signal;
    if (reason !== null) return Promise.reject(reason);
    const k = this.#k + 1;
    // The fact is completed by its place in the run, which gives back the event it was taken from.
    const event = { ...fact, run, k } as unknown as InputEvent;
    const stored = log.append({ actor: token, from: token, event, body });
    // A body that is no JSON was refused on the line above, and has taken no place.
    this.#k = k;
    return stored;
  }

  /** Sends a command of this run; known by its call id, so that a repetition gets the first reply. */
  send(outgoing: Omit<Outgoing, "from" | "command">, call: string): Promise<Reply> {
    const { log, token, run, signal } = this.#options;
    return log.command({ ...outgoing, from: token, command: { call, run } }, signal.signal);
  }

  command(command: TeamCommand, call: CallContext): Promise<Reply> {
    // A lead's complete ends its turn: that is the run's own business.
    if (command.type === "work.complete" && this.role === "lead") return Promise.resolve({ ok: { type: "accepted" } });
    if (command.type === "shutdown.reply") return this.#replyToShutdown(command);
    const outgoing = commandOf(command, this.#context);
    const { hooks } = this;
    return hooks === null ? this.send(outgoing, call.toolCallId) : this.#sendHooked(hooks, outgoing, call.toolCallId);
  }

  /** Sends a command with what a hook said to it; one that stopped the member stops this run instead. */
  async #sendHooked(hooks: RunHooks, outgoing: ReturnType<typeof commandOf>, call: string): Promise<Reply> {
    const { signal } = this.#options.signal;
    const { event } = outgoing;
    const no = isHooked(event) ? await hooks.command({ ...outgoing, event }, { call, signal }) : null;
    if (no === null || !isHooked(event)) return this.send(outgoing, call);
    const { hook, verdict } = no;
    if ("block" in verdict) return this.send({ ...outgoing, event: refusedBy(event, verdict.block) }, call);
    await this.stop(hook, verdict.stop);
    return { refused: [refusal("hook_refused", { tool: hookedTools[event.type], feedback: verdict.stop })] };
  }

  /** Ends this run because a hook stopped its member; for a lead, its turn. */
  stop(hook: string, reason: string): Promise<unknown> {
    const why = stopReason(hook, reason);
    return this.report({ type: "run.failed", reason: why, ...(this.role === "lead" ? {} : { stop: true }) });
  }

  async #replyToShutdown({ accept, reason }: Extract<TeamCommand, { type: "shutdown.reply" }>): Promise<Reply> {
    await this.report({ type: "shutdown.replied", accept, reason });
    return { ok: { type: "accepted" } };
  }

  mail(query: OwnMailQuery): MailPage {
    return ownMail(this.#context.mailLog, this.token, query);
  }

  acknowledge(handles: readonly string[], { toolCallId }: Pick<CallContext, "toolCallId">): Promise<AcknowledgeResult> {
    const own = { box: this.token, handles };
    return acknowledgeMail(this.#context.mailLog, own, (outgoing) => this.send(outgoing, toolCallId));
  }

  isAskedToShutDown(): boolean {
    return this.#context.isAskedToShutDown();
  }

  async status(query: StatusQuery, call: CallContext): Promise<StatusAnswer> {
    const { status } = this.#context;
    const { since, waitMs, member } = query;
    if (this.role === "member") return { status: status({ member, changed: true }) };
    const event = {
      type: "team.status",
      ...(since === undefined ? {} : { since }),
      ...(waitMs === undefined ? {} : { waitMs }),
    } as const;
    const reply = await this.send({ actor: "lead", event }, call.toolCallId);
    if ("refused" in reply) return { refused: reply.refused };
    if (reply.ok.type !== "status")
      throw new TeamError("kernel_error", { problem: `${reply.ok.type} answers a status` });
    const { changed, waitedMs, timedOut } = reply.ok;
    const waited = since === undefined ? {} : { waitedMs, timedOut };
    return { status: { ...status({ member, changed }), ...waited } };
  }

  tasks(): readonly TaskStatus[] | null {
    return this.#context.tasks();
  }

  pathExists(path: string): Promise<boolean> {
    return this.#context.pathExists(path);
  }

  /** Calls of this run that wait for somebody outside. */
  get outside(): OutsideCalls {
    return (this.#outside ??= new OutsideCalls(this, this.#options));
  }

  /** Stops the run: whoever waits in it learns of it. */
  abort(reason: string): void {
    this.#options.signal.abort(reason);
    this.poke();
  }

  /** Something has changed for this run's actor, or the run is stopped: whoever waits looks again. */
  poke(): void {
    this.#outside?.poke();
  }

  answerOf(toolCallId: string): string {
    return this.#context.answerOf(toolCallId);
  }
}
