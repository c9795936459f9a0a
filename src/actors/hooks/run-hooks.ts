import { idleBlocksMax, type MemberRecord } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";
import { hookNames, type AgentHooks, type HookMember } from "./hooks.ts";
import { hookQuestion, type Hooked, type HookNo } from "./hook-question.ts";
import type { HookRunner, HookVerdict } from "./hook-runner.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

interface MemberDelivery {
  readonly summary: string;
  readonly paths: readonly string[];
}

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
    result: MemberDelivery,
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

  /** Who says no to a command by this call, or null: it may pass. */
  async command(
    command: Hooked,
    { call, signal }: { readonly call: string; readonly signal: AbortSignal },
  ): Promise<HookNo | null> {
    if (command.event.type === "work.complete") {
      // The body of a delivery is its result.
      const verdict = await this.complete(command.body as MemberDelivery, { call, signal });
      return verdict === null ? null : { hook: "onComplete", verdict };
    }
    if (this.#isAnswered(call)) return null;
    const ask = hookQuestion(this.#runtime, this.#runner, command, this.#member?.name ?? LEAD);
    return ask === null ? null : ask(signal);
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
  return hookNames.some((name) => runner.has(name)) ? new RunHooks(runtime, token, runner) : null;
}

const viewOf = ({ name, agentType, invited, snapshot }: MemberRecord): HookMember => ({
  name,
  agentType,
  kind: invited === null ? "created" : "invited",
  attempt: snapshot.context.attempt,
});
