import fc from "fast-check";
import { createKernel, desiredTimers } from "../../src/machines/index.ts";
import type { Applied, KernelRecord, SessionState } from "../../src/machines/index.ts";
import { resolveLimits } from "../../src/protocol/limits.ts";
import type { CommandKey, Input, InputEvent } from "../../src/protocol/input.ts";
import type { Plan } from "../../src/protocol/plan.ts";
import { InviteSpec, ReplanSpec, TeamSpec } from "../../src/protocol/spec.ts";
import { randomTaskCommand, randomTasks } from "./random-tasks.ts";

/** What a random session consists of: who leads it, and numbers that choose what happens next. */
export interface Choices {
  readonly lead: "hosted" | "own" | "none";
  readonly numbers: readonly number[];
}

/** Choices of random sessions of up to `stepsMax` inputs. */
export const choices = (stepsMax = 120): fc.Arbitrary<Choices> =>
  fc.record({
    lead: fc.constantFrom("hosted", "own", "none"),
    numbers: fc.array(fc.nat(1_000_000), { minLength: Math.min(30, stepsMax), maxLength: stepsMax }),
  });

/** One input of a random session: what was applied, its body, and what it did. */
export interface Played {
  readonly record: KernelRecord;
  readonly body?: unknown;
  readonly applied: Applied;
}

/** Names that are hard on whoever uses names as keys. */
const pool = ["A", "B", "项目管理", "__proto__", "a.b > c", "constructor", "😀", "E"];

/**
 * Plays a session by numbers: teams, runs, mail, requests, replans, takeovers, and now and then an input that is stale or
 * refused. `each` sees every input right after it was applied.
 */
export function playSession(
  { lead, numbers }: Choices,
  each: (played: Played, session: SessionState) => void = () => {},
): { readonly session: SessionState; readonly log: readonly Played[] } {
  const kernel = createKernel();
  const session = kernel.create();
  const world = new World(session, (record, body) => {
    const played = { record, ...(body === undefined ? {} : { body }), applied: kernel.apply(session, record) };
    log.push(played);
    each(played, session);
  });
  const log: Played[] = [];
  const types = [{ name: "general", kind: "model" as const, description: "does anything" }];
  const config = {
    session: "s",
    lead,
    agentTypes: types,
    limits: resolveLimits({ turnsMax: 5, unreadMessagesMax: 4 }),
  };
  world.send("session", "system", { type: "session.opened", config });
  world.send("session", "system", { type: "owner.claimed", epoch: 1, node: "n1" });
  for (const number of numbers) world.step(number);
  return { session, log };
}

interface Extra {
  readonly command?: CommandKey;
  readonly plan?: Plan;
  readonly body?: unknown;
  readonly epoch?: number;
}

class World {
  readonly #session: SessionState;
  readonly #emit: (record: KernelRecord, body?: unknown) => void;
  readonly #clients = new Map<string, number>();
  #seq = 0;
  #call = 0;
  #number = 0;
  #last: Input | null = null;

  constructor(session: SessionState, emit: (record: KernelRecord, body?: unknown) => void) {
    this.#session = session;
    this.#emit = emit;
  }

  send(actor: string, from: string, event: InputEvent, { command, plan, body, epoch }: Extra = {}): void {
    // Streams are shared: sequences grow, and not always by one.
    this.#seq += 1 + (this.#number % 3 === 0 ? 1 : 0);
    const digest = `d${this.#seq}`;
    const input: Input = {
      id: `i${this.#seq}`,
      at: 1_000 + this.#seq * 7,
      actor,
      from,
      epoch: epoch ?? this.#session.epoch,
      ...(command === undefined ? {} : { command }),
      event,
      ...(body === undefined ? {} : { body: { digest, bytes: 10 } }),
    };
    this.#last = input;
    this.#emit({ seq: this.#seq, input, ...(plan === undefined ? {} : { plan }) }, body);
  }

  step(number: number): void {
    this.#number = number;
    const kind = this.#take(22);
    if (this.#session.team === null || this.#session.team.snapshot.matches("dissolved")) {
      if (kind < 10) return this.#create();
    }
    if (kind < 12) this.#run();
    else if (kind < 14) this.#user();
    else if (kind < 16) this.#replan();
    else if (kind > 19) this.#task(this.#pick(["lead", "user"]), this.#client("t"));
    else this.#rare(kind);
  }

  #take(max: number): number {
    const value = this.#number % max;
    this.#number = Math.floor(this.#number / max) * 31 + value * 7;
    return value;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#take(values.length)] as T;
  }

  #client(id: string): CommandKey {
    const n = (this.#clients.get(id) ?? 0) + 1;
    this.#clients.set(id, n);
    return { client: id, n };
  }

  /** The token of somebody's mailbox by name, as a sender would find it. */
  #token(name: string): string {
    for (const member of this.#session.members.values()) if (member.name === name) return member.token;
    return "team-1";
  }

  #create(): void {
    const names = pool.slice(0, 1 + this.#take(5));
    const members = names.map((name, index) => ({
      name,
      prompt: `work on ${name}`,
      dependsOn: names.slice(0, index).filter((_each, at) => (this.#number >> at) % 2 === 0),
      lifetime: this.#take(3) === 0 ? "persistent" : "oneshot",
      requirePlan: this.#take(5) === 0,
      ...(index === 1 ? { description: "the second" } : {}),
    }));
    const upstreamFailure = this.#pick(["block", "block", "cancel", "skip"]);
    const comms = this.#pick(["all", "all", "dag"]);
    const board =
      this.#take(2) === 0
        ? {}
        : { board: { selfClaim: this.#take(3) > 0 }, tasks: randomTasks(names, (max) => this.#take(max)) };
    const plan = TeamSpec.parse({ name: "T", members, upstreamFailure, comms, ...board });
    this.send(
      "session",
      this.#pick(["lead", "user"]),
      { type: "team.create", plan: "p", byModel: false },
      {
        command: this.#client("c"),
        plan,
      },
    );
  }

  /** Something that is done to the board; `command` is the call of a run, or of a client. */
  #task(from: string, command: CommandKey): void {
    const names = from === "user" || from === "lead" ? pool : null;
    const { event, plan } = randomTaskCommand(names, (max) => this.#take(max));
    this.send("team-1", from, event, { command, ...(plan && { plan }) });
  }

  #replan(): void {
    const name = this.#pick(pool);
    const other = this.#pick(pool);
    const spec = this.#pick<object>([
      { cancel: [name] },
      { retry: [{ name, prompt: "once more" }] },
      { shutdown: [name] },
      { rewire: [{ name, dependsOn: [other] }] },
      { add: [{ name: `${name}2`, prompt: "instead", replaces: name }] },
      { add: [{ name: `N${this.#take(50)}`, prompt: "more", dependsOn: [other] }] },
    ]);
    this.send(
      "team-1",
      this.#pick(["lead", "user"]),
      { type: "team.replan", plan: "p", byModel: false },
      {
        command: this.#client(this.#pick(["c", "__proto__"])),
        plan: ReplanSpec.parse(spec),
      },
    );
  }

  #invite(): void {
    const agent = this.#pick(pool);
    const plan = InviteSpec.parse({ agent, as: `guest ${agent}`, prompt: "help", dependsOn: [this.#pick(pool)] });
    const facts = this.#take(4) === 0 ? null : { name: agent, description: "helps", turnsMax: 3 };
    const event: InputEvent = { type: "team.invite", plan: "p", byModel: false, agent: facts, known: ["A"] };
    this.send("team-1", this.#pick(["lead", "user"]), event, {
      command: this.#client("c"),
      // Most invitations are behind nobody, so that most are accepted.
      plan: this.#take(4) === 0 ? plan : { ...plan, dependsOn: [] },
    });
  }

  #user(): void {
    const request = this.#session.requests[0]?.id ?? "nobody";
    const name = this.#pick(pool);
    const from = this.#pick(["user", "lead"]);
    const event = this.#pick<InputEvent>([
      { type: "message.send", to: name, kind: "instruction", bytes: 12 },
      { type: "message.send", to: "broadcast", kind: "text", bytes: 12 },
      { type: "permission.answer", request, approve: this.#take(2) === 0, note: "as you like" },
      { type: "plan.answer", member: name, approve: this.#take(2) === 0 },
      { type: "lead.prompt", bytes: 5 },
      { type: "external.answer", call: this.#session.outside[0]?.call ?? "none", verdict: "ok" },
      { type: "question.answer", call: this.#session.lead.questions[0]?.call ?? "none" },
      { type: "lead.injected", mail: this.#session.lead.unread.map((mail) => mail.id) },
    ]);
    const actor = event.type === "message.send" ? this.#token(name) : "lead";
    const body = event.type === "message.send" || event.type === "lead.prompt" ? { content: `to ${name}` } : undefined;
    this.send(actor, from, event, { command: this.#client("u"), body });
  }

  /** Something that a live run reports or asks for, of a member or of the lead. */
  #run(): void {
    const { team, lead, members } = this.#session;
    const actors = [
      ...[...members.values()].filter((member) => typeof member.snapshot.value.run !== "string"),
      ...(typeof lead.snapshot.value.turn === "string" ? [] : [{ token: "lead", ...lead }]),
    ];
    if (team === null && actors.length === 0) return this.#user();
    if (actors.length === 0) return this.#user();
    const actor = this.#pick(actors);
    const runNumber = actor.snapshot.context.run;
    const at = { run: runNumber, k: actor.run.k + 1 };
    const call = `call${++this.#call}`;
    const open = actor.run.calls[0];
    const command = { call: open ?? call, run: runNumber };
    const say = (event: InputEvent, extra: Extra = {}) => this.send(actor.token, actor.token, event, extra);
    // What only a lead does comes more often, or it would hardly ever.
    const ofLead = [
      () => say({ type: "team.status", since: this.#session.notableVersion, waitMs: 500 }, { command }),
      () => say({ type: "question.ask" }, { command }),
    ];
    const moves: (() => void)[] = [
      () => say({ type: "run.answered", ...at, calls: 1, usage: { input: 3, output: 4 }, finish: "stop" }),
      () => say({ type: "tool.started", ...at, call, tool: "read_file" }),
      () => open !== undefined && say({ type: "tool.ended", ...at, call: open, verdict: "ok" }),
      () => say({ type: "work.complete" }, { command, body: { summary: `by ${actor.token}`, paths: [] } }),
      () => say({ type: "step.ended", ...at }),
      () => say({ type: "turn.ended", ...at, finish: "stop" }),
      () => say({ type: "run.completed", ...at }, { body: { summary: "done", paths: ["a.md"] } }),
      () => say({ type: "run.failed", ...at, reason: "model_error: overloaded" }),
      () => say({ type: "run.erred", ...at, reason: "model_error: network", retryInMs: 100 }),
      () => say({ type: "run.retried", ...at }),
      () => say({ type: "run.injected", ...at, mail: actor.unread.map((mail) => mail.id) }),
      () => this.#say(actor.token, command),
      () => say({ type: "permission.ask", kind: "tool", tool: "execute", subject: "x", approver: "user" }, { command }),
      () => say({ type: "plan.submit" }, { command }),
      () => this.#task(actor.token, command),
      () => say({ type: "external.asked", ...at, call: open ?? call, tool: "job" }),
      () => say({ type: "external.asked", ...at, call: open ?? call, tool: "job", timeoutMs: 1_000 }),
      () => say({ type: "shutdown.replied", ...at, accept: this.#take(2) === 0, reason: "not yet" }),
      ...ofLead,
      () => say({ type: "turn.ended", ...at, finish: "stop", hook: { on: "idle", feedback: "not yet" } }),
      () => say({ type: "run.completed", ...at, hook: { on: "complete", feedback: "not so" } }),
      () => say({ type: "run.failed", ...at, reason: "interrupted: stopped by a hook", stop: true }),
      () => say({ type: "work.complete", hook: { feedback: "not so" } }, { command }),
      () => this.send(actor.token, "system", { type: "run.lost", run: runNumber, reason: "owner_lost: gone" }),
      () => say({ type: "run.answered", ...at, k: at.k + 2, calls: 1, usage: { input: 1, output: 1 }, finish: "stop" }),
    ];
    this.#pick(actor.token === "lead" && this.#take(3) === 0 ? ofLead : moves)();
  }

  #say(from: string, command: CommandKey): void {
    const to = this.#pick([...pool, "Lead", "broadcast", "nobody at all"]);
    const event = { type: "message.send", to, kind: "text", bytes: 9 } as const;
    this.send(this.#token(to), from, event, { command, body: { content: "hello" } });
  }

  #rare(kind: number): void {
    const { epoch } = this.#session;
    if (kind === 16) return this.send("session", "system", { type: "owner.claimed", epoch: epoch + 1, node: "n2" });
    if (kind === 17) {
      const mode = this.#pick(["graceful", "abort"] as const);
      if (this.#take(3) > 0) return this.#take(2) === 0 ? this.#run() : this.#invite();
      const event = { type: "team.dissolve", mode, reason: "enough" } as const;
      return this.send("team-1", "user", event, { command: this.#client("c") });
    }
    if (kind === 18) {
      const timer = desiredTimers(this.#session)[0] ?? { key: "grace", generation: 0 };
      return this.send("session", "system", { type: "timer.due", key: timer.key, generation: timer.generation, epoch });
    }
    // The same input again under a new sequence, or one of an older owner.
    const last = this.#last;
    if (last !== null) this.send(last.actor, last.from, last.event, { command: last.command, epoch: this.#take(2) });
  }
}
