import { idleBlocksMax, type MemberRecord } from "../machines/index.ts";
import type { AgentHooks, HookMember } from "./hooks.ts";
import type { HookRunner, HookVerdict } from "./hook-runner.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/**
 * The hooks of one run. Each is asked at most once for what it is asked about: of a command that the log has already answered
 * no hook is asked again, whoever repeats it.
 */
export class RunHooks {
  readonly #runtime: SessionRuntime;
  readonly #token: string;
  readonly #runner: HookRunner;

  constructor(runtime: SessionRuntime, token: string, runner: HookRunner) {
    this.#runtime = runtime;
    this.#token = token;
    this.#runner = runner;
  }

  /** What may be said to a member's delivery by this call; a function's has no call. */
  async complete(
    result: { readonly summary: string; readonly paths: readonly string[] },
    { call, signal }: { readonly call: string | null; readonly signal: AbortSignal },
  ): Promise<HookVerdict> {
    const member = this.#member;
    if (member === undefined || !this.#runner.has("onComplete") || this.#isAnswered(call)) return null;
    if (this.#runtime.facts.member(member.snapshot).work !== "in_progress") return null;
    const { summary, paths } = result;
    return this.#runner.ask(
      "onComplete",
      { ...this.#place, member: viewOf(member), summary, paths: [...paths] },
      signal,
    );
  }

  /** What may be said to a message. */
  async message(
    { to, content }: { readonly to: string; readonly content: string },
    { call, signal }: { readonly call: string; readonly signal: AbortSignal },
  ): Promise<HookVerdict> {
    if (!this.#runner.has("onMessage") || this.#isAnswered(call)) return null;
    const from = this.#member?.name ?? "Lead";
    return this.#runner.ask("onMessage", { ...this.#place, from, to, content, kind: "text" }, signal);
  }

  /** What may be said to a member that is about to idle; nothing to one that has to go on anyway, or is to go. */
  async idle({
    delivered,
    signal,
  }: {
    readonly delivered: boolean;
    readonly signal: AbortSignal;
  }): Promise<HookVerdict> {
    const member = this.#member;
    if (member === undefined || !this.#runner.has("onMemberIdle") || !this.#isAboutToIdle(member)) return null;
    const isDelivered = delivered || this.#runtime.facts.member(member.snapshot).work === "completed";
    return this.#runner.ask("onMemberIdle", { ...this.#place, member: viewOf(member), delivered: isDelivered }, signal);
  }

  #isAboutToIdle(member: MemberRecord): boolean {
    const { presence } = this.#runtime.facts.member(member.snapshot);
    const { lifetime, unread, turn } = member;
    return (
      lifetime === "persistent" && presence === "running" && unread.length === 0 && turn.idleBlocks < idleBlocksMax
    );
  }

  /** Whether the log holds the answer to this call. */
  #isAnswered(call: string | null): boolean {
    const { run } = this.#member ?? this.#runtime.state.lead;
    return call !== null && run.remembered.some((each) => each.call === call);
  }

  get #member(): MemberRecord | undefined {
    return this.#runtime.state.members.get(this.#token);
  }

  get #place() {
    return { session: this.#runtime.options.config.session, team: this.#runtime.state.team?.name ?? null };
  }
}

/** The hooks of a run, or null when there are none. */
export function runHooks(runtime: SessionRuntime, token: string, own: AgentHooks | undefined): RunHooks | null {
  const runner = runtime.options.hooks.with(own);
  const isAsked = runner.has("onComplete") || runner.has("onMemberIdle") || runner.has("onMessage");
  return isAsked ? new RunHooks(runtime, token, runner) : null;
}

const viewOf = ({ name, agentType, invited, snapshot }: MemberRecord): HookMember => ({
  name,
  agentType,
  kind: invited === null ? "created" : "invited",
  attempt: snapshot.context.attempt,
});
