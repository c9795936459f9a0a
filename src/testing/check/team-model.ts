import {
  cloneSession,
  createKernel,
  type Applied,
  type FactReader,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "../../machines/index.ts";
import { describeRefusal, TeamError } from "../../errors/index.ts";
import { Limits } from "../../protocol/limits.ts";
import {
  ReplanSpec,
  TeamSpec,
  type Comms,
  type Lifetime,
  type ReplanSpecInput,
  type UpstreamFailurePolicy,
} from "../../protocol/spec.ts";
import { SeedTask, type BoardSpecInput, type SeedTaskInput, type TaskSpecInput } from "../../protocol/task.ts";
import { parseInput } from "../../actors/parse-input.ts";
import type { Budget } from "./budgets.ts";
import { assertModelOptions } from "./assert-model-options.ts";
import { recordOf } from "./model-record.ts";
import type { AnyMove, Given, Move } from "./move.ts";
import { ownMoves } from "./own-moves.ts";
import type { MachineOrNone, Protocol } from "./protocol.ts";
import { noSteps, ProtocolRun, type ProtocolStep } from "./protocol-run.ts";
import type { SessionView } from "./session-view.ts";
import { worldMoves } from "./world-moves.ts";

/** A member of a model: what steers it, and nothing else. */
export interface ModelMember {
  readonly name: string;
  readonly dependsOn?: readonly string[];
  readonly lifetime?: Lifetime;
  readonly requirePlan?: boolean;
  /** Who may take tasks that are for one type alone; in a model without a board it tells nobody apart. */
  readonly agentType?: string;
}

/** A task of a model's board: what steers it, and nothing else. */
export type ModelTask = Omit<TaskSpecInput, "subject" | "description">;

/** An agent type whose new members bring tasks, also those that a plan adds. Its `dependsOn` count within its own list. */
export interface ModelAgentType {
  readonly name: string;
  readonly tasks?: readonly Omit<SeedTaskInput, "subject" | "description">[];
}

/** What a model is made of. */
export interface TeamModelOptions<Machine extends MachineOrNone = null> {
  readonly members: readonly ModelMember[];
  /** The lifetime of members that name none. */
  readonly lifetimes?: Lifetime;
  /** `none` (the host leads, by default), or a lead whose turns are explored too. */
  readonly lead?: "none" | "hosted";
  readonly upstreamFailure?: UpstreamFailurePolicy;
  readonly comms?: Comms;
  /** The team's task board; left out = it has one if there are `tasks`. */
  readonly board?: BoardSpecInput;
  /** Its tasks at first; a model without any has a board when `board` is there. */
  readonly tasks?: readonly ModelTask[];
  /** Agent types that bring seed tasks. A type that brings none need not be here. */
  readonly agentTypes?: readonly ModelAgentType[];
  /**
   * Limits that differ from the defaults. `turnsMax` is out of reach unless you set it, so that counting turns doesn't
   * multiply the states.
   */
  readonly limits?: Partial<Limits>;
  /** Tool calls that a run may have open at once; 1 by default. */
  readonly callsMax?: number;
  /**
   * Whether runs also report what steers nothing: a model's answer, and the end of a step outside of `complete`. Off by
   * default: such a report leads back to the state it was made in.
   */
  readonly journals?: boolean;
  /** Names of existing agents that the host offers: each may be invited, with budget `invite`. None by default. */
  readonly invitable?: readonly string[];
  /** Whether the host has hooks, which may keep members from ending, speaking and delivering, with budget `hook`. Off by default. */
  readonly hooks?: boolean;
  /**
   * Plans of your own, of any number of changes, each a move with budget `replan` beside the single changes that are tried
   * anyway. One that is refused in a state changes nothing there.
   */
  readonly replans?: readonly ReplanSpecInput[];
  /**
   * Moves of your own, beside those of the model, that need to remember nothing. Names must be unique within a state.
   * What has states of its own is a `protocol`.
   */
  readonly world?: (session: SessionView) => readonly Given<Move>[];
  /** Rules of your own over the team, checked together with it. */
  readonly protocol?: Protocol<Machine>;
  /** Another build of the kernel, such as one with a fault put in on purpose. By default the one that runs in production. */
  readonly kernel?: Kernel;
}

/** What a model is made of, with or without a protocol. */
export type AnyModelOptions = TeamModelOptions<MachineOrNone>;

/** What one move did. */
export interface ModelStep {
  /** The input of the session; null for a move of the protocol alone, which applied nothing. */
  readonly record: KernelRecord | null;
  readonly applied: Applied;
  /** What the protocol heard and did, in order. */
  readonly protocolSteps: readonly ProtocolStep[];
  /** What the protocol threw, or null. */
  readonly fault: string | null;
}

/** A team's kernel with its world. */
export interface TeamModel<Machine extends MachineOrNone = MachineOrNone> {
  readonly options: AnyModelOptions;
  /** The machine of the protocol. */
  readonly machine: Machine;
  /** The protocol beside its sessions. */
  readonly protocol: ProtocolRun | null;
  readonly kernel: Kernel;
  readonly facts: FactReader;
  readonly limits: Limits;
  /** The inputs that lead to the initial state. */
  readonly prologue: readonly KernelRecord[];
  /** A session in its initial state: the team was just created. `onStep` sees what led there. */
  initial(onStep?: (step: ModelStep) => void): SessionState;
  /** An independent copy of a session, with what stands beside it. */
  copy(session: SessionState): SessionState;
  /** Everything that may happen next and is wanted: moves without a budget always are. */
  moves(session: SessionState, wants?: (budget: Budget) => boolean): AnyMove[];
  /** Whether the protocol's host, or somebody whom it waits for, has something to do without any intervention. */
  isProtocolDue(session: SessionState): boolean;
  /** Makes a move, in place. */
  step(session: SessionState, move: AnyMove): ModelStep;
}

/** More turns than any path has inputs. */
const turnsOutOfReach = 1_000_000;

/** What a move of the protocol alone does to the session. */
const nothingApplied: Applied = {
  seq: 0,
  verdict: "handled",
  steps: [],
  replies: [],
  changed: new Set(),
  touched: new Set(),
  mail: [],
  why: null,
};

/**
 * The model of a team: the kernel that runs in production, and a world that chooses what happens next; with `protocol`,
 * rules of your own beside it. Throws `bad_input` when the team can't be created, with the kernel's refusals as its cause,
 * for options that can't be used, a protocol's machine that is not pure, and when one of `replans` is no plan.
 */
export function teamModel<Machine extends MachineOrNone = null>(options: TeamModelOptions<Machine>): TeamModel<Machine>;
export function teamModel(options: AnyModelOptions): TeamModel {
  assertModelOptions(options);
  const kernel = options.kernel ?? createKernel();
  const { facts } = kernel.steppers;
  const limits = parseInput(Limits, { turnsMax: turnsOutOfReach, ...options.limits }, "model.limits");
  const replans = (options.replans ?? []).map((plan, index) => parseInput(ReplanSpec, plan, `replans.${index}`));
  const prologue = prologueOf(options, limits, replans);
  const { callsMax = 1, journals = false, invitable = [], hooks = false } = options;
  const machine = options.protocol?.machine ?? null;
  const protocol =
    options.protocol === undefined || machine === null ? null : new ProtocolRun(options.protocol, machine);
  const isOwn = options.world !== undefined || protocol !== null;
  const model: TeamModel = {
    options,
    machine,
    kernel,
    facts,
    limits,
    prologue,
    protocol,
    initial: (onStep) => createTeam(model, onStep),
    copy(session) {
      const copy = cloneSession(session);
      protocol?.copy(session, copy);
      return copy;
    },
    moves(session, wants = () => true) {
      const moves = worldMoves({ session, facts, callsMax, journals, replans, invitable, hooks, wants });
      return isOwn ? [...moves, ...ownMoves(model, session, moves, wants)] : moves;
    },
    isProtocolDue: (session) =>
      protocol?.protocol.moves !== undefined &&
      ownMoves(model, session, [], () => false).some(({ budget }) => budget === null),
    step(session, move) {
      if ("fault" in move) return { record: null, applied: nothingApplied, protocolSteps: [], fault: move.fault };
      if (!("event" in move)) return applyRecord(model, session, recordOf(session, move.input));
      const { steps: protocolSteps, fault } = protocol?.send(session, move.event) ?? noSteps;
      return { record: null, applied: nothingApplied, protocolSteps, fault };
    },
  };
  model.initial();
  return model;
}

function createTeam(model: TeamModel, onStep: (step: ModelStep) => void = () => {}): SessionState {
  const session = model.kernel.create();
  for (const record of model.prologue) {
    // A host can follow a session as soon as it is open, and can't begin to do so just after a team was created.
    const step = applyRecord(model, session, record, record.input.event.type === "team.create");
    onStep(step);
    if (step.fault !== null) throw new TeamError("bad_input", { what: "protocol", problem: step.fault });
    const { verdict, replies } = step.applied;
    if (verdict === "handled") continue;
    const refused = replies.flatMap(({ reply }) => ("refused" in reply ? reply.refused : []));
    const problem = refused.map((each) => `${each.code}: ${describeRefusal(each)}`).join(" ") || verdict;
    const [first, ...more] = refused;
    // The refusals themselves are the cause, for whoever tells them one by one.
    const cause = first === undefined ? undefined : TeamError.from([first, ...more]);
    throw new TeamError("bad_input", { what: "teamModel", problem }, { cause });
  }
  return session;
}

/** Applies a record, and tells the protocol. */
function applyRecord(
  { kernel, protocol }: TeamModel,
  session: SessionState,
  record: KernelRecord,
  isHeard = true,
): ModelStep {
  const applied = kernel.apply(session, record);
  const heard = isHeard ? protocol?.hear(session, record, applied) : null;
  const { steps: protocolSteps, fault } = heard ?? noSteps;
  return { record, applied, protocolSteps, fault };
}

function prologueOf(options: AnyModelOptions, limits: Limits, replans: readonly ReplanSpec[]): KernelRecord[] {
  const { members, lifetimes = "oneshot", lead = "none", upstreamFailure, comms, board, tasks } = options;
  const hasTasks = mayHaveBoard(options);
  const declared = {
    name: "Team",
    members: members.map(
      ({ name, dependsOn = [], lifetime = lifetimes, requirePlan = false, agentType = "general" }) => ({
        name,
        agentType: hasTasks ? agentType : "general",
        prompt: "work",
        dependsOn,
        lifetime,
        requirePlan,
      }),
    ),
    ...(upstreamFailure && { upstreamFailure }),
    ...(comms && { comms }),
    ...(board && { board }),
    ...(tasks && { tasks: tasks.map((task, index) => ({ ...task, subject: `task ${index + 1}` })) }),
  };
  const plan = parseInput(TeamSpec, declared, "model");
  const config = { session: "model", lead, agentTypes: typesOf(options, replans), limits };
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

/** Whether the team of a model has a task board, or gets one by a plan. */
const mayHaveBoard = ({ board, tasks = [], agentTypes = [] }: AnyModelOptions): boolean =>
  board !== undefined || tasks.length > 0 || agentTypes.some((type) => (type.tasks ?? []).length > 0);

/** The agent types of a model's members, those that its plans add too; they tell members apart and bring seed tasks. */
function typesOf({ members, agentTypes = [] }: AnyModelOptions, replans: readonly ReplanSpec[]) {
  const added = replans.flatMap(({ add }) => add);
  const names = new Set(["general", ...[...members, ...added].map(({ agentType = "general" }) => agentType)]);
  for (const { name } of agentTypes) names.add(name);
  const seeds = new Map(agentTypes.map(({ name, tasks = [] }) => [name, tasks]));
  return [...names].map((name) => {
    const tasks = seeds.get(name)?.map((task, index) => SeedTask.parse({ ...task, subject: `seed ${index + 1}` }));
    return { name, kind: "model" as const, ...(tasks && { tasks }) };
  });
}
