import {
  createKernel,
  type Applied,
  type FactReader,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "../../machines/index.ts";
import { TeamError } from "../../errors/index.ts";
import { collisionKey } from "../../protocol/names.ts";
import { resolveLimits, type Limits } from "../../protocol/limits.ts";
import { TeamSpec, type Comms, type Lifetime, type UpstreamFailurePolicy } from "../../protocol/spec.ts";
import type { Budget } from "./budgets.ts";
import { addLeadMoves } from "./lead-moves.ts";
import { addMemberMoves } from "./member-moves.ts";
import type { Move, MoveInput, World } from "./move.ts";
import { readSession, type SessionView } from "./session-view.ts";
import { addDuplicateMoves, addLateMoves, addStaleMoves } from "./stale-moves.ts";
import { addAnswers, addDissolves, addOwnerMoves, addReplans, addTimers, addUserMessages } from "./team-moves.ts";

/** A member of a model: what steers it, and nothing else. */
export interface ModelMember {
  readonly name: string;
  readonly dependsOn?: readonly string[];
  readonly lifetime?: Lifetime;
  readonly requirePlan?: boolean;
}

/** What a model is made of. */
export interface TeamModelOptions {
  readonly members: readonly ModelMember[];
  /** The lifetime of members that name none. */
  readonly lifetimes?: Lifetime;
  /** `none` (the host leads, by default), or a lead whose turns are explored too. */
  readonly lead?: "none" | "hosted";
  readonly upstreamFailure?: UpstreamFailurePolicy;
  readonly comms?: Comms;
  /**
   * Limits that differ from the defaults. `turnsMax` is out of reach unless you set it, so that counting turns doesn't
   * multiply the states.
   */
  readonly limits?: Partial<Limits>;
  /** Tool calls that a run may have open at once; 1 by default. */
  readonly callsMax?: number;
  /** Moves of your own, beside those of the model. Names must be unique within a state. */
  readonly world?: (session: SessionView) => readonly Move[];
  /** Another build of the kernel, such as one with a fault put in on purpose. By default the one that runs in production. */
  readonly kernel?: Kernel;
}

/** What one move did. */
export interface ModelStep {
  readonly record: KernelRecord;
  readonly applied: Applied;
}

/** A team's kernel with its world. */
export interface TeamModel {
  readonly options: TeamModelOptions;
  readonly kernel: Kernel;
  readonly facts: FactReader;
  readonly limits: Limits;
  /** The inputs that lead to the initial state. */
  readonly prologue: readonly KernelRecord[];
  /** A session in its initial state: the team was just created. */
  initial(): SessionState;
  /** Everything that may happen next and is wanted: moves without a budget always are. */
  moves(session: SessionState, wants?: (budget: Budget) => boolean): Move[];
  /** Makes a move, in place. */
  step(session: SessionState, move: Move): ModelStep;
}

/** More turns than any path has inputs. */
const turnsOutOfReach = 1_000_000;

/**
 * The model of a team: the kernel that runs in production, and a world that chooses what happens next. Throws `bad_file`
 * with the kernel's refusals when the team can't be created.
 */
export function teamModel(options: TeamModelOptions): TeamModel {
  const kernel = options.kernel ?? createKernel();
  const { facts } = kernel.steppers;
  const limits = resolveLimits({ turnsMax: turnsOutOfReach, ...options.limits });
  const prologue = prologueOf(options, limits);
  const { callsMax = 1 } = options;
  const model: TeamModel = {
    options,
    kernel,
    facts,
    limits,
    prologue,
    initial() {
      const session = kernel.create();
      for (const record of prologue) {
        const { verdict, replies } = kernel.apply(session, record);
        if (verdict === "handled") continue;
        const problem = replies
          .flatMap(({ reply }) => ("refused" in reply ? reply.refused : []))
          .map(({ code, data }) => `${code} ${JSON.stringify(data)}`);
        throw new TeamError("bad_file", { file: "teamModel", problem: problem.join("; ") || verdict });
      }
      return session;
    },
    moves(session, wants = () => true) {
      const moves: Move[] = [];
      const add: World["add"] = (name, budget, input) => moves.push({ name, budget, input });
      addMoves({ session, facts, callsMax, wants, add });
      if (options.world === undefined) return moves;
      const own = options.world(readSession(session, facts));
      return [...moves, ...own.filter(({ budget }) => budget === null || wants(budget))];
    },
    step(session, { input }) {
      const record = recordOf(session, input);
      return { record, applied: kernel.apply(session, record) };
    },
  };
  model.initial();
  return model;
}

function addMoves(world: World): void {
  const { session, wants } = world;
  if (session.snapshot.value === "closed" || session.team === null) return;
  for (const member of session.members.values()) {
    addMemberMoves(world, member);
    if (wants("late")) addLateMoves(world, member);
    if (wants("duplicate")) addDuplicateMoves(world, member);
  }
  addLeadMoves(world);
  addAnswers(world);
  if (wants("timer")) addTimers(world);
  addStaleMoves(world);
  if (wants("message")) addUserMessages(world);
  if (wants("replan")) addReplans(world);
  if (wants("dissolve")) addDissolves(world);
  if (wants("owner")) addOwnerMoves(world);
}

/** The next record of a session. Every input is dated one millisecond after the one before, a timer when it is due. */
function recordOf(session: SessionState, given: MoveInput): KernelRecord {
  const seq = session.seq + 1;
  const { plan, epoch = session.epoch, actor, from, event, command } = given;
  const input = {
    id: `i${seq}`,
    at: event.type === "timer.due" ? Math.max(session.at, dueAt(session, event.key)) : session.at + 1,
    actor: tokenOf(session, actor),
    from: tokenOf(session, from),
    epoch,
    event,
    ...(command && { command }),
  };
  return plan === undefined ? { seq, input } : { seq, input, plan };
}

/** When a timer is due; now, where it isn't armed. */
function dueAt(session: SessionState, key: string): number {
  const armed = [
    ...session.polls.map((poll) => ({ key: `poll:${poll.call}`, ...poll.deadline })),
    ...session.requests.map((request) => ({ key: `permission:${request.id}`, ...request.deadline })),
    ...(session.team?.grace ? [{ key: "grace", ...session.team.grace }] : []),
  ].find((each) => each.key === key);
  return armed === undefined ? session.at + 1 : armed.armedAt + armed.ms;
}

/** The token of a member's display name; tokens stay as they are. */
function tokenOf(session: SessionState, actor: string): string {
  if (session.members.has(actor)) return actor;
  return session.team?.byKey.get(collisionKey(actor.normalize("NFC"))) ?? actor;
}

function prologueOf(options: TeamModelOptions, limits: Limits): KernelRecord[] {
  const { members, lifetimes = "oneshot", lead = "none", upstreamFailure, comms } = options;
  const plan = TeamSpec.parse({
    name: "Team",
    members: members.map(({ name, dependsOn = [], lifetime = lifetimes, requirePlan = false }) => ({
      name,
      prompt: "work",
      dependsOn,
      lifetime,
      requirePlan,
    })),
    ...(upstreamFailure && { upstreamFailure }),
    ...(comms && { comms }),
  });
  const config = { session: "model", lead, agentTypes: [{ name: "general", kind: "model" as const }], limits };
  const system = { actor: "session", from: "system" };
  const inputs = [
    { ...system, epoch: 0, event: { type: "session.opened", config } },
    { ...system, epoch: 0, event: { type: "owner.claimed", epoch: 1, node: "model" } },
    {
      actor: "session",
      from: lead === "none" ? "lead" : "user",
      epoch: 1,
      command: { client: "host", n: 1 },
      event: { type: "team.create", plan: "plan", byModel: false },
    },
  ] as const;
  return inputs.map((input, index) => {
    const record = { seq: index + 1, input: { id: `i${index + 1}`, at: index + 1, ...input } };
    return input.event.type === "team.create" ? { ...record, plan } : record;
  });
}
