import type { EventObject } from "xstate";
import { createLiveActors, type LiveActors } from "../../src/machines/live-actors.ts";
import { liveSource } from "../../src/machines/live-source.ts";
import { createKernel, type SessionState } from "../../src/machines/index.ts";
import { resolveLimits, type Input } from "../../src/protocol/index.ts";
import type { MemberSpec, TeamSpec } from "../../src/protocol/spec.ts";

/** A session on a real kernel whose live actors follow it. */
export interface LiveSession {
  readonly session: SessionState;
  readonly live: LiveActors;
  /** What was sent to actors, and what callbacks threw. */
  readonly sent: { readonly token: string; readonly event: EventObject }[];
  readonly errors: unknown[];
  input(actor: string, from: string, event: Input["event"], plan?: TeamSpec): void;
  /** Declares a team of these members, each of them depending on those before the colon: `"A,B:C"`. */
  createTeam(...members: string[]): void;
  dissolve(): void;
}

const memberSpec = (declared: string): MemberSpec => {
  const [upstream = "", name] = declared.includes(":") ? declared.split(":") : ["", declared];
  const dependsOn = upstream === "" ? [] : upstream.split(",");
  return { name: name ?? "", agentType: "general", prompt: "p", dependsOn, lifetime: "oneshot", requirePlan: false };
};

/** Opens it. */
export function openLiveSession(options: { liveActorsMax?: number } = {}): LiveSession {
  const kernel = createKernel();
  const session = kernel.create();
  const sent: LiveSession["sent"] = [];
  const errors: unknown[] = [];
  const live = createLiveActors({
    session: "review",
    source: liveSource(() => session),
    send: (token, event) => void sent.push({ token, event }),
    onError: (error) => void errors.push(error),
    liveActorsMax: options.liveActorsMax ?? 1_000,
  });
  let commands = 0;
  const apply = (input: Omit<Input, "id" | "at" | "epoch">, plan?: TeamSpec): void => {
    const seq = session.seq + 1;
    const whole: Input = { id: `i${seq}`, at: seq, epoch: session.epoch, ...input };
    const applied = kernel.apply(session, { seq, input: whole, ...(plan === undefined ? {} : { plan }) });
    if (applied.verdict !== "handled") throw new Error(`${input.event.type}: ${applied.verdict} ${applied.why ?? ""}`);
    live.follow(applied);
  };
  const command = (actor: string, event: Input["event"], plan?: TeamSpec): void =>
    apply({ actor, from: "lead", event, command: { client: "c", n: ++commands } }, plan);

  const agentTypes = [{ name: "general", kind: "model" as const }];
  const config = { session: "review", lead: "none" as const, agentTypes, limits: resolveLimits() };
  apply({ actor: "session", from: "system", event: { type: "session.opened", config } });
  apply({ actor: "session", from: "system", event: { type: "owner.claimed", epoch: 1, node: "n" } });
  return {
    session,
    live,
    sent,
    errors,
    input: (actor, from, event, plan) => apply({ actor, from, event }, plan),
    createTeam(...members) {
      const plan: TeamSpec = { name: "T", members: members.map(memberSpec), comms: "all", upstreamFailure: "block" };
      command("session", { type: "team.create", plan: "d", byModel: false }, plan);
    },
    dissolve: () => command(session.team?.token ?? "", { type: "team.dissolve", mode: "abort" }),
  };
}
