import {
  cloneSession,
  createKernel,
  memberByName,
  type Applied,
  type Kernel,
  type KernelRecord,
  type MemberRecord,
  type SessionState,
} from "../../src/machines/index.ts";
import type { InputEvent, InputOf, InputType } from "../../src/protocol/input.ts";
import type { AgentTypeFacts } from "../../src/protocol/session-config.ts";
import {
  InviteSpec,
  MemberSpec,
  ReplanSpec,
  resolveLimits,
  TeamSpec,
  type InviteSpecInput,
  type LeadKind,
  type Limits,
  type MemberSpecInput,
  type ReplanSpecInput,
  type TeamSpecInput,
} from "../../src/protocol/index.ts";

/** An input without what the driver adds. */
export interface Given {
  readonly actor: string;
  readonly from: string;
  readonly event: InputEvent;
  readonly command?: KernelRecord["input"]["command"];
  readonly plan?: KernelRecord["plan"];
  readonly body?: KernelRecord["input"]["body"];
  readonly epoch?: number;
  readonly id?: string;
}

export interface SessionOptions {
  readonly lead?: LeadKind;
  readonly limits?: Partial<Limits>;
  readonly kernel?: Kernel;
  /** Beside `general` and `reviewer`. */
  readonly agentTypes?: readonly AgentTypeFacts[];
}

type RunEvent<Type extends InputType> = Omit<InputOf<Type>, "type" | "run" | "k">;

/** `A` or `A<-B,C`, with `!` behind the name for a persistent member. */
export const memberOf = (text: string, more: Partial<MemberSpecInput> = {}): MemberSpec => {
  const [name = "", upstreams] = text.split("<-");
  const persistent = name.endsWith("!");
  return MemberSpec.parse({
    name: persistent ? name.slice(0, -1) : name,
    prompt: "work",
    dependsOn: upstreams === undefined || upstreams === "" ? [] : upstreams.split(","),
    lifetime: persistent ? "persistent" : "oneshot",
    ...more,
  });
};

/** A session driven by hand: every call is one input, applied at once. */
export class Driver {
  readonly kernel: Kernel;
  session: SessionState;
  at = 1_000;
  #commands = 0;
  #calls = 0;

  constructor(options: SessionOptions = {}) {
    this.kernel = options.kernel ?? createKernel();
    this.session = this.kernel.create();
    const limits = resolveLimits(options.limits);
    const agentTypes: AgentTypeFacts[] = [
      { name: "general", kind: "model" },
      { name: "reviewer", kind: "model" },
      ...(options.agentTypes ?? []),
    ];
    const config = { session: "s", lead: options.lead ?? ("none" as const), agentTypes, limits };
    this.apply({ actor: "session", from: "system", event: { type: "session.opened", config } });
    this.claim();
  }

  apply(given: Given): Applied {
    const { plan, epoch = this.session.epoch, ...rest } = given;
    const seq = this.session.seq + 1;
    const input = { id: `i${seq}`, at: this.at, epoch, ...rest };
    return this.kernel.apply(this.session, plan === undefined ? { seq, input } : { seq, input, plan });
  }

  claim(epoch = this.session.epoch + 1): Applied {
    return this.apply({ actor: "session", from: "system", event: { type: "owner.claimed", epoch, node: "n" } });
  }

  /** A command of the host's client, as the user by default. */
  command(event: InputEvent, more: Partial<Given> = {}): Applied {
    const command = { client: "client", n: ++this.#commands };
    const team = this.session.team?.token ?? "session";
    return this.apply({ actor: team, from: "user", event, command, ...more });
  }

  create(members: readonly (string | MemberSpec)[], more: Partial<TeamSpecInput> = {}): Applied {
    const specs = members.map((each) => (typeof each === "string" ? memberOf(each) : each));
    const plan = { ...TeamSpec.parse({ name: "Team one", ...more, members: [] }), members: specs };
    return this.command({ type: "team.create", plan: "digest", byModel: false }, { from: "lead", plan });
  }

  replan(spec: ReplanSpecInput, from = "lead"): Applied {
    return this.command(
      { type: "team.replan", plan: "digest", byModel: false },
      { from, plan: ReplanSpec.parse(spec) },
    );
  }

  invite(
    spec: InviteSpecInput,
    more: Partial<Given> & { offered?: boolean; byModel?: boolean; turnsMax?: number } = {},
  ): Applied {
    const { offered = true, byModel = false, turnsMax, ...rest } = more;
    const facts = {
      name: spec.agent,
      description: `${spec.agent} helps`,
      ...(turnsMax === undefined ? {} : { turnsMax }),
    };
    const agent = offered ? facts : null;
    return this.command(
      { type: "team.invite", plan: "digest", byModel, agent, known: ["Guest", "Translator"] },
      { from: "lead", plan: InviteSpec.parse(spec), ...rest },
    );
  }

  dissolve(mode: "graceful" | "abort" = "graceful", more: Partial<Given> = {}): Applied {
    return this.command({ type: "team.dissolve", mode }, { from: "lead", ...more });
  }

  send(to: string, more: Partial<Given> & { kind?: "text" | "instruction"; bytes?: number } = {}): Applied {
    const { kind = "text", bytes = 10, ...rest } = more;
    return this.command({ type: "message.send", to, kind, bytes }, rest);
  }

  timer(key: string, generation: number): Applied {
    const event = { type: "timer.due", key, generation, epoch: this.session.epoch } as const;
    return this.apply({ actor: "session", from: "system", event });
  }

  member(name: string): MemberRecord {
    const member = memberByName(this.session, name);
    if (member === undefined) throw new Error(`no member ${name}`);
    return member;
  }

  /** How many upstreams a member still waits for. */
  unmet(name: string): number | undefined {
    return this.session.unmet[this.member(name).index];
  }

  /** Work, presence and activity of a member, as one text. */
  state(name: string): string {
    const { work, presence, activity } = this.kernel.steppers.facts.member(this.member(name).snapshot);
    return activity === null ? `${work}/${presence}` : `${work}/${presence}/${activity}`;
  }

  team(): string {
    return this.session.team === null ? "none" : this.kernel.steppers.facts.team(this.session.team.snapshot);
  }

  /** The next input of an actor's current run. */
  run<Type extends InputType>(name: string, type: Type, more: RunEvent<Type>): Applied {
    const { token, snapshot, run } = name === "Lead" ? { token: "lead", ...this.session.lead } : this.member(name);
    // The caller's type argument pairs the type with its fields.
    const event = { type, run: snapshot.context.run, k: run.k + 1, ...more } as unknown as InputEvent;
    return this.apply({ actor: token, from: token, event });
  }

  /** Opens a tool call in the current run and sends a command by it. */
  call(name: string, event: InputEvent, more: Partial<Given> = {}): Applied {
    const call = `call-${++this.#calls}`;
    this.run(name, "tool.started", { call, tool: event.type });
    return this.byCall(name, call, event, more);
  }

  /** A command of a call that is open already. */
  byCall(name: string, call: string, event: InputEvent, more: Partial<Given> = {}): Applied {
    const { token, snapshot } = name === "Lead" ? { token: "lead", ...this.session.lead } : this.member(name);
    return this.apply({ actor: token, from: token, event, command: { call, run: snapshot.context.run }, ...more });
  }

  /** A whole delivery: the call, its end and the step's end. */
  complete(name: string): Applied {
    this.call(name, { type: "work.complete" });
    for (const call of this.member(name).run.calls) this.run(name, "tool.ended", { call, verdict: "ok" });
    return this.run(name, "step.ended", {});
  }

  fail(name: string, reason = "model_error: overloaded"): Applied {
    return this.run(name, "run.failed", { reason });
  }

  endTurn(name: string): Applied {
    return this.run(name, "turn.ended", { finish: "stop" });
  }

  inject(name: string): Applied {
    const { unread } = name === "Lead" ? this.session.lead : this.member(name);
    return this.run(name, "run.injected", { mail: unread.map((mail) => mail.id) });
  }

  lose(name: string): Applied {
    const { token, snapshot } = name === "Lead" ? { token: "lead", ...this.session.lead } : this.member(name);
    const event = { type: "run.lost", run: snapshot.context.run, reason: "node gone" } as const;
    return this.apply({ actor: token, from: "system", event });
  }

  fork(): SessionState {
    return cloneSession(this.session);
  }
}

/** The codes of a refusal, or `ok`. */
export const codesOf = (applied: Applied): readonly string[] | "ok" | "none" => {
  const [first] = applied.replies;
  if (first === undefined) return "none";
  return "refused" in first.reply ? first.reply.refused.map((each) => each.code) : "ok";
};
