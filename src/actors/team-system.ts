import { randomUUID } from "node:crypto";
import type { LanguageModel } from "ai";
import { isTeamError, TeamError } from "../errors/index.ts";
import type { Bus, Purged } from "../bus/bus.ts";
import { memoryBus } from "../bus/memory.ts";
import { createKernel, type Kernel } from "../machines/index.ts";
import type { ToolVisibility } from "../protocol/agent-fields.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Limits } from "../protocol/limits.ts";
import type { PermissionPolicy } from "../protocol/permissions/permission-policy.ts";
import type { Prices } from "../protocol/prices.ts";
import type { SessionConfig } from "../protocol/session-config.ts";
import { BoardSpec } from "../protocol/task.ts";
import { toolBlocks, type ToolBlocks } from "../tools/team/index.ts";
import type { Workspace } from "../tools/workspace/index.ts";
import type { AgentSource } from "./agent.ts";
import { agentMap, listAgentType, type AgentType } from "./agent-types.ts";
import { canonicalJson, digestOf } from "./body-store.ts";
import { busHealth, type SystemHealth } from "./bus-health.ts";
import { leadKind, requireFitting } from "./fitting-session.ts";
import { guardedFault } from "./guarded-fault.ts";
import { HookRunner } from "./hook-runner.ts";
import type { TeamHooks } from "./hooks.ts";
import { invitableAgents, Invitations } from "./invitations.ts";
import type { OwnAgent } from "./living-agent.ts";
import { modelsOf } from "./models-of.ts";
import { parseInput } from "./parse-input.ts";
import { parseOptions } from "./parse-options.ts";
import { SessionGates } from "./permissions/session-gates.ts";
import { Questions } from "./questions.ts";
import { checkAgent, readLead } from "./resolve-agent.ts";
import { SessionId } from "./session-inputs.ts";
import { Session } from "./session.ts";
import { SessionClaims } from "./session-claims.ts";
import type { SessionLease } from "./session-lease.ts";
import { SessionRegistry } from "./session-registry.ts";
import { SessionRuntime } from "./session-runtime.ts";
import { findSession, readOpening, type FoundSession } from "./stored-sessions.ts";
import { RunStarter } from "./start-run.ts";
import type { OpenSessionOptions, Opening } from "./open-session-options.ts";
import type { ParsedOptions, TeamSystemOptions } from "./team-system-options.ts";
import { systemClock } from "./system-clock.ts";
import { HostedLeadShape, SessionOptionsShape } from "./system-options.ts";
import type { TeamSystem } from "./team-system-port.ts";
import { RunTracing, TelemetryOptions } from "./telemetry/run-tracing.ts";

/** Sessions that share agents, models and a bus. Several in one process keep to themselves. */
export class LocalTeamSystem implements TeamSystem {
  readonly #bus: Bus;
  readonly #ownsBus: boolean;
  readonly #kernel: Kernel = createKernel();
  readonly #clock: Clock;
  readonly #namespace: string;
  readonly node: string;
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
  readonly #followed = new Set<Session>();
  readonly #claims: SessionClaims;
  /** Each runtime counts its inputs from 1, also one that a session is followed by or opened again. */
  #writers = 0;
  #closing: Promise<void> | null = null;

  constructor(options: TeamSystemOptions, { node, limits, prices, workspace }: ParsedOptions) {
    this.node = node;
    this.#clock = options.clock ?? systemClock;
    this.#onFault = guardedFault(options.onFault);
    this.#sessions = new SessionRegistry(this.#onFault);
    this.#ownsBus = options.bus === undefined;
    this.#bus = options.bus ?? memoryBus({ onError: this.#onFault });
    this.bus = this.#bus.kind;
    this.#namespace = options.namespace ?? "default";
    const place = { bus: this.#bus, clock: this.#clock, namespace: this.#namespace, node: this.node };
    this.#claims = new SessionClaims({ ...place, requireOpen: () => this.#requireOpen() });
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
    const { id = randomUUID(), lead, hooks, file, onOpen, board: own } = options;
    const board = own === undefined ? this.#board : parseOptions(BoardSpec, own, "board");
    if (typeof lead === "object") parseOptions(HostedLeadShape, lead, "lead");
    const hosted = typeof lead === "object" ? readLead(lead, this.#limits) : null;
    const lease = await this.#claims.take(id);
    let session: Session | null = null;
    try {
      const found = await this.#find(id);
      const [opened, runtime] = this.#makeSession(id, { lead, hosted, board, hooks, file, found, lease });
      session = opened;
      lease.keep(() => runtime.fence());
      if (found !== null) {
        await runtime.owner.catchUp();
        const { invitations } = runtime.options;
        requireFitting(runtime.state, { session: id, lead: leadKind(lead), agents: this.#agents, invitations });
      }
      this.#sessions.add(session);
      await onOpen?.(session);
      await runtime.start(lease.epoch, file);
      return session;
    } catch (fault) {
      await (session?.close() ?? this.#release(id, lease)).catch(this.#onFault);
      throw fault;
    }
  }

  async followSession(id: string): Promise<Session> {
    const session = parseInput(SessionId, id, "id");
    this.#requireOpen();
    const found = await this.#find(session);
    if (found === null) throw new TeamError("unknown_session", { session });
    const lead = found.config.lead === "own" ? "own" : undefined;
    const [followed, runtime] = this.#makeSession(session, { lead, hosted: null, found, lease: null });
    this.#followed.add(followed);
    await runtime.owner.catchUp();
    await runtime.start(null);
    return followed;
  }

  async readSessionFile(id: string): Promise<unknown> {
    const opening = await readOpening({ bus: this.#bus, namespace: this.#namespace, session: id });
    if (opening === null) throw new TeamError("unknown_session", { session: id });
    return opening.file ?? null;
  }

  knownSessions(): Promise<readonly string[]> {
    return this.#bus.sessions(this.#namespace);
  }

  #find(session: string): Promise<FoundSession | null> {
    const place = { bus: this.#bus, namespace: this.#namespace, session };
    return findSession(place, { kernel: this.#kernel, onFault: this.#onFault });
  }

  #requireOpen(): void {
    if (this.#closing !== null) throw new TeamError("fenced", { reason: "the system is closed", closed: true });
  }

  #makeSession(id: string, opening: Opening): [Session, SessionRuntime] {
    const { lead, hosted, hooks, found, lease } = opening;
    const questions = found?.questions ?? new Questions();
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
    const runtime: SessionRuntime = new SessionRuntime({
      ...shared,
      found,
      // Whoever holds it finds it closed; its place here is free.
      onFenced: () => void session.close().catch(this.#onFault),
      bus: this.#bus,
      kernel: this.#kernel,
      namespace: this.#namespace,
      node: this.node,
      writer: `${this.node}_${this.#writers++}`,
      config: found?.config ?? this.#configOf(id, opening),
      questions,
      invitations,
      hooks: new HookRunner([this.#hooks, hooks], shared),
      startRun: (session, desired) => starter.start(session, desired),
    });
    const session = new Session(runtime, {
      blocks: this.#blocks,
      questions,
      leadContext: (each) => starter.context(each, undefined),
      close: async (each, ends) => {
        if (lease !== null) return this.#closeSession(each, { lease, ends });
        each.owner.stop();
        this.#followed.delete(session);
      },
    });
    return [session, runtime];
  }

  sessions(): readonly Session[] {
    return this.#sessions.list();
  }

  watch(onSession: (session: Session) => void): () => void {
    return this.#sessions.watch(onSession);
  }

  async health(): Promise<SystemHealth> {
    return this.#closing !== null ? { ready: false, reasons: ["the system is closed"] } : busHealth(this.#bus);
  }

  async purge(id: string): Promise<Purged> {
    const session = parseInput(SessionId, id, "id");
    // Whoever holds the claim can't be opening it meanwhile; the claim goes with the rest.
    const lease = await this.#claims.take(session);
    try {
      return await this.#bus.purge({ namespace: this.#namespace, session });
    } finally {
      await this.#release(session, lease);
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

  #configOf(session: string, { lead, board, file }: Opening): SessionConfig {
    return {
      session,
      lead: leadKind(lead),
      agentTypes: this.#agentTypes.map((each) => ({ ...each })),
      limits: this.#limits,
      ...(file === undefined ? {} : { file: digestOf(canonicalJson(file)) }),
      ...(board === undefined ? {} : { board }),
    };
  }

  /** What is in memory is of no use to anybody once its session is closed; on a durable bus it can be gone on with. */
  async #closeSession(
    runtime: SessionRuntime,
    { lease, ends }: { readonly lease: SessionLease; readonly ends: boolean },
  ): Promise<void> {
    const { session } = runtime.options.config;
    const isMemory = this.#bus.kind === "memory";
    await (ends || isMemory ? runtime.end() : runtime.release()).catch(this.#onFault);
    try {
      if (isMemory) await this.#bus.trim({ namespace: this.#namespace, session }, Infinity);
    } catch (fault) {
      // A bus that is closed has let go of everything already.
      if (!isTeamError(fault, "bus_unavailable")) throw fault;
    } finally {
      await this.#release(session, lease);
    }
  }

  async #release(id: string, lease: SessionLease): Promise<void> {
    try {
      await this.#claims.release(id, lease);
    } finally {
      this.#sessions.delete(id);
    }
  }

  async #closeAll(): Promise<void> {
    const open = [...this.sessions(), ...this.#followed];
    await Promise.all(open.map((session) => session.close().catch(this.#onFault)));
    this.#models.close();
    if (this.#ownsBus) await this.#bus.close();
  }
}
