import {
  createKernel,
  type Applied,
  type FactReader,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "../../machines/index.ts";
import { TeamError } from "../../errors/index.ts";
import { resolveLimits, type Limits } from "../../protocol/limits.ts";
import {
  ReplanSpec,
  TeamSpec,
  type Comms,
  type Lifetime,
  type ReplanSpecInput,
  type UpstreamFailurePolicy,
} from "../../protocol/spec.ts";
import { parseInput } from "../../actors/parse-input.ts";
import type { Budget } from "./budgets.ts";
import { recordOf } from "./model-record.ts";
import type { Move } from "./move.ts";
import { readSession, type SessionView } from "./session-view.ts";
import { worldMoves } from "./world-moves.ts";

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
  /**
   * Whether runs also report what steers nothing: a model's answer, and the end of a step outside of `complete`. Off by
   * default: such a report leads back to the state it was made in.
   */
  readonly journals?: boolean;
  /**
   * Plans of your own, of any number of changes, each a move with budget `replan` beside the single changes that are tried
   * anyway. One that is refused in a state changes nothing there.
   */
  readonly replans?: readonly ReplanSpecInput[];
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
 * with the kernel's refusals when the team can't be created, and `bad_input` when one of `replans` is no plan.
 */
export function teamModel(options: TeamModelOptions): TeamModel {
  const kernel = options.kernel ?? createKernel();
  const { facts } = kernel.steppers;
  const limits = resolveLimits({ turnsMax: turnsOutOfReach, ...options.limits });
  const prologue = prologueOf(options, limits);
  const { callsMax = 1, journals = false } = options;
  const replans = (options.replans ?? []).map((plan, index) => parseInput(ReplanSpec, plan, `replans.${index}`));
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
      const moves = worldMoves({ session, facts, callsMax, journals, replans, wants });
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
