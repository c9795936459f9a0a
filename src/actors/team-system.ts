import { randomUUID } from "node:crypto";
import type { LanguageModel } from "ai";
import { isTeamError, TeamError } from "../errors/index.ts";
import { sessionKeyText, type Bus, type Claim, type Purged } from "../bus/bus.ts";
import { memoryBus } from "../bus/memory.ts";
import { createKernel, type Kernel } from "../machines/index.ts";
import type { ToolVisibility } from "../protocol/agent-fields.ts";
import type { Clock } from "../protocol/clock.ts";
import { Limits } from "../protocol/limits.ts";
import { PermissionPolicy } from "../protocol/permissions/permission-policy.ts";
import { Prices } from "../protocol/prices.ts";
import type { SessionConfig } from "../protocol/session-config.ts";
import { BoardSpec, type BoardSpecInput } from "../protocol/task.ts";
import { toolBlocks, type ToolBlocks } from "../tools/team/index.ts";
import { openWorkspace, type Workspace } from "../tools/workspace/index.ts";
import type { AgentSource } from "./agent.ts";
import { agentMap, listAgentType, type AgentType } from "./agent-types.ts";
import { busHealth, type SystemHealth } from "./bus-health.ts";
import { guardedFault } from "./guarded-fault.ts";
import { HookRunner } from "./hook-runner.ts";
import type { TeamHooks } from "./hooks.ts";
import type { HostedLead } from "./hosted-lead.ts";
import { invitableAgents, Invitations } from "./invitations.ts";
import type { LivingAgent, OwnAgent } from "./living-agent.ts";
import { modelsOf } from "./models-of.ts";
import { parseInput } from "./parse-input.ts";
import { parseOptions } from "./parse-options.ts";
import { SessionGates } from "./permissions/session-gates.ts";
import { Questions } from "./questions.ts";
import { checkAgent, readLead } from "./resolve-agent.ts";
import { SessionId } from "./session-inputs.ts";
import { Session } from "./session.ts";
import { SessionRegistry } from "./session-registry.ts";
import { SessionRuntime } from "./session-runtime.ts";
import { RunStarter } from "./start-run.ts";
import type { TeamSystemOptions } from "./team-system-options.ts";
import { systemClock } from "./system-clock.ts";
import { HostedLeadShape, SessionOptionsShape, SystemOptionsShape } from "./system-options.ts";
import type { TeamSystem } from "./team-system-port.ts";
import { RunTracing, TelemetryOptions } from "./telemetry/run-tracing.ts";

/** How a session is opened. */
export interface OpenSessionOptions {
  /** Left out = a random one. A session that another system holds is refused with `fenced`. */
  readonly id?: string;
  /** A lead that we run, `"own"` for a loop of yours, or left out: then you are the Lead. */
  readonly lead?: HostedLead | "own";
  /** Hooks of this session alone; they are asked after those of the system. */
  readonly hooks?: TeamHooks;
  /** The board of its teams; left out = the system's. */
  readonly board?: BoardSpecInput;
  /** Called with the session before its first input, for whoever must see all of them. */
  readonly onOpen?: (session: Session) => void | Promise<void>;
}

/** Makes a system of sessions. Several in one process keep to themselves. */
export async function createTeamSystem(options: TeamSystemOptions = {}): Promise<TeamSystem> {
  parseOptions(SystemOptionsShape, options, "createTeamSystem");
  const limits = parseOptions(Limits, options.limits ?? {}, "limits");
  if (options.permissions !== undefined) parseOptions(PermissionPolicy, options.permissions, "permissions");
  const workspace = options.workspace === undefined ? null : await openWorkspace({ root: options.workspace });
  return new LocalTeamSystem(options, {
    limits,
    prices: parseInput(Prices, options.prices ?? {}, "prices"),
    workspace,
  });
}

/** What a session is opened with. */
interface Opening extends Pick<OpenSessionOptions, "lead" | "hooks"> {
  readonly hosted: HostedLead | null;
  readonly board: BoardSpec | undefined;
  readonly claim: Claim;
}

/** What of the options is read once. */
interface ParsedOptions {
  readonly limits: Limits;
  readonly prices: Prices;
  readonly workspace: Workspace | null;
}

class LocalTeamSystem implements TeamSystem {
  readonly #bus: Bus;
  readonly #ownsBus: boolean;
  readonly #kernel: Kernel = createKernel();
  readonly #clock: Clock;
  readonly #namespace: string;
  readonly node = randomUUID().slice(0, 8);
  readonly bus: Bus["kind"];
  readonly workspace: string | null;
  readonly #agents: ReadonlyMap<string, AgentSource>;
  readonly #agentTypes: readonly AgentType[];
  readonly #invitables: ReadonlyMap<string, OwnAgent>;
  readonly #hooks: TeamHooks | undefined;
  readonly #limits: Limits;
  readonly #permissions: PermissionPolicy | undefined;
  readonly #models: ReturnType<typeof modelsOf>;
  readonly #blocks: ToolBlocks;
  readonly #board: BoardSpec | undefined;
  readonly #toolVisibility: ToolVisibility;
  readonly #workspace: Workspace | null;
  readonly #telemetry: TelemetryOptions;
  readonly #onFault: (fault: unknown) => void;
  readonly #sessions: SessionRegistry;
  /** Ids of sessions that are being opened, are open or are being closed. */
  readonly #taken = new Set<string>();
  #closing: Promise<void> | null = null;

  constructor(options: TeamSystemOptions, { limits, prices, workspace }: ParsedOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#onFault = guardedFault(options.onFault);
    this.#sessions = new SessionRegistry(this.#onFault);
    this.#ownsBus = options.bus === undefined;
    this.#bus = options.bus ?? memoryBus({ onError: this.#onFault });
    this.bus = this.#bus.kind;
    this.#namespace = options.namespace ?? "default";
    this.#limits = limits;
    this.#permissions = options.permissions;
    this.#workspace = workspace;
    this.workspace = workspace?.root ?? null;
    this.#telemetry = parseOptions(TelemetryOptions, options.telemetry ?? {}, "telemetry");
    this.#agents = agentMap(options.agents ?? {}, limits);
    this.#agentTypes = [...this.#agents].map(([name, source]) => listAgentType(name, source));
    this.#invitables = invitableAgents(options.invitables ?? [], this.#agents.keys());
    for (const { name, agent } of this.#invitables.values()) checkAgent(name, agent, limits, "invitables");
    this.#hooks = options.hooks;
    this.#blocks = toolBlocks({ agentTypes: this.#agentTypes });
    this.#board = options.board === undefined ? undefined : parseOptions(BoardSpec, options.board, "board");
    this.#toolVisibility = options.toolVisibility ?? "all";
    this.#models = modelsOf(options, { clock: this.#clock, limits, prices });
  }

  async openSession(options: OpenSessionOptions = {}): Promise<Session> {
    parseOptions(SessionOptionsShape, options, "openSession");
    const { id = randomUUID(), lead, hooks, onOpen } = options;
    const board = options.board === undefined ? this.#board : parseOptions(BoardSpec, options.board, "board");
    if (typeof lead === "object") parseOptions(HostedLeadShape, lead, "lead");
    const hosted = typeof lead === "object" ? readLead(lead, this.#limits) : null;
    const claim = await this.#claim(id);
    let session: Session | null = null;
    try {
      const [opened, runtime] = this.#makeSession(id, { lead, hosted, board, hooks, claim });
      session = opened;
      this.#sessions.add(session);
      await onOpen?.(session);
      await runtime.start(claim.epoch);
      return session;
    } catch (fault) {
      await (session?.close() ?? this.#release(id, claim)).catch(this.#onFault);
      throw fault;
    }
  }

  /**
   * Takes a session for this system. An id is taken from here until its lease is given back: a claim of our own would
   * only renew that lease, which the session before is about to give up.
   */
  async #claim(id: string): Promise<Claim> {
    if (this.#isClosing) throw new TeamError("fenced", { reason: "the system is closed", closed: true });
    if (this.#taken.has(id)) throw new TeamError("fenced", { reason: `the session "${id}" is open here, or closing` });
    this.#taken.add(id);
    try {
      // A session's lease on a bus that lives and dies with this process.
      const foreverMs = Number.MAX_SAFE_INTEGER;
      const key = sessionKeyText({ namespace: this.#namespace, session: id });
      const claim = await this.#bus.claims.claim(key, this.node, foreverMs);
      if (claim === null) throw new TeamError("fenced", { reason: `the session "${id}" is open elsewhere` });
      if (!this.#isClosing) return claim;
      await this.#release(id, claim);
      throw new TeamError("fenced", { reason: "the system is closed", closed: true });
    } catch (fault) {
      this.#taken.delete(id);
      throw fault;
    }
  }

  #makeSession(id: string, { lead, hosted, board, hooks, claim }: Opening): [Session, SessionRuntime] {
    const questions = new Questions();
    const invitations = new Invitations(this.#invitables, id, this.#onFault);
    const sources = { agents: this.#agents, lead: hosted, workspace: this.#workspace };
    const starter = new RunStarter({
      ...sources,
      agentTypes: this.#agentTypes,
      models: this.#models,
      blocks: this.#blocks,
      toolVisibility: this.#toolVisibility,
      questions,
      invitations,
      tracing: new RunTracing(this.#telemetry),
      gates: new SessionGates({ ...sources, permissions: this.#permissions, hasLead: lead !== undefined }),
    });
    const shared = { clock: this.#clock, hookMs: this.#limits.hookMs, onFault: this.#onFault };
    const runtime = new SessionRuntime({
      ...shared,
      bus: this.#bus,
      kernel: this.#kernel,
      namespace: this.#namespace,
      node: this.node,
      config: this.#configOf(id, { lead, board }),
      questions,
      invitations,
      hooks: new HookRunner([this.#hooks, hooks], shared),
      startRun: (session, desired) => starter.start(session, desired),
    });
    const session = new Session(runtime, {
      blocks: this.#blocks,
      questions,
      leadContext: (each) => starter.context(each, undefined),
      close: (each) => this.#closeSession(each, claim),
    });
    return [session, runtime];
  }

  get #isClosing(): boolean {
    return this.#closing !== null;
  }

  sessions(): readonly Session[] {
    return this.#sessions.list();
  }

  watch(onSession: (session: Session) => void): () => void {
    return this.#sessions.watch(onSession);
  }

  async health(): Promise<SystemHealth> {
    return this.#isClosing ? { ready: false, reasons: ["the system is closed"] } : busHealth(this.#bus);
  }

  async purge(id: string): Promise<Purged> {
    const session = parseInput(SessionId, id, "id");
    // Whoever holds the claim can't be opening it meanwhile; the claim goes with the rest.
    const claim = await this.#claim(session);
    try {
      return await this.#bus.purge({ namespace: this.#namespace, session });
    } finally {
      await this.#release(session, claim);
    }
  }

  async routeOf(model?: LanguageModel): Promise<string> {
    return (await this.#models.ready(model)).route;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #configOf(id: string, { lead, board }: Pick<Opening, "lead" | "board">): SessionConfig {
    return {
      session: id,
      lead: lead === undefined ? "none" : lead === "own" ? "own" : "hosted",
      agentTypes: this.#agentTypes.map((each) => ({ ...each })),
      limits: this.#limits,
      ...(board === undefined ? {} : { board }),
    };
  }

  async #closeSession(runtime: SessionRuntime, claim: Claim): Promise<void> {
    const { session } = runtime.options.config;
    await runtime.stop().catch(this.#onFault);
    try {
      // Nothing of a session in memory is of use to anybody once it is closed.
      if (this.#bus.kind === "memory") await this.#bus.trim({ namespace: this.#namespace, session }, Infinity);
    } catch (fault) {
      // A bus that is closed has let go of everything already.
      if (!isTeamError(fault, "bus_unavailable")) throw fault;
    } finally {
      await this.#release(session, claim);
    }
  }

  /** Gives a session's lease back, and with it its id: only then may somebody open it again. */
  async #release(id: string, claim: Claim): Promise<void> {
    try {
      await this.#bus.claims.release(claim);
    } catch (fault) {
      if (!isTeamError(fault, "bus_unavailable")) throw fault;
    } finally {
      this.#sessions.delete(id);
      this.#taken.delete(id);
    }
  }

  async #closeAll(): Promise<void> {
    await Promise.all(this.sessions().map((session) => session.close().catch(this.#onFault)));
    this.#models.close();
    if (this.#ownsBus) await this.#bus.close();
  }
}
