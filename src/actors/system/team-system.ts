import { randomUUID } from "node:crypto";
import type { LanguageModel } from "ai";
import { isTeamError, TeamError } from "../../errors/index.ts";
import type { Bus, Purged } from "../../bus/bus.ts";
import { memoryBus } from "../../bus/memory.ts";
import { createKernel } from "../../machines/index.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import { BoardSpec } from "../../protocol/task.ts";
import { toolBlocks } from "../../tools/team/index.ts";
import { agentMap, listAgentType } from "../agents/agent-types.ts";
import { canonicalJson, digestOf } from "../owner/body-store.ts";
import { busHealth, type SystemHealth } from "../owner/bus-health.ts";
import { leadKind, requireFitting } from "../agents/fitting-session.ts";
import { guardedFault } from "./guarded-fault.ts";
import { invitableAgents } from "../agents/invitations.ts";
import { modelsOf } from "./models-of.ts";
import { parseInput } from "../parse-input.ts";
import { parseOptions } from "../parse-options.ts";
import { checkAgent, readLead } from "../agents/resolve-agent.ts";
import { SessionId } from "../commands/session-inputs.ts";
import { Session } from "../session/session.ts";
import { SessionClaims } from "../owner/session-claims.ts";
import type { SessionLease } from "../owner/session-lease.ts";
import { lookForSession, makeRuntime, makeStarter, type SystemParts } from "../session/session-maker.ts";
import type { z } from "zod";
import { OldSessions, purgeOldSessions } from "./old-sessions.ts";
import { SessionRegistry } from "./session-registry.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { readOpening } from "../owner/stored-sessions.ts";
import type { OpenSessionOptions, Opening } from "../session/open-session-options.ts";
import type { ParsedOptions, TeamSystemOptions } from "./team-system-options.ts";
import { systemClock } from "./system-clock.ts";
import { HostedLeadShape, SessionOptionsShape } from "./system-options.ts";
import type { TeamSystem } from "./team-system-port.ts";
import { TelemetryOptions } from "../telemetry/run-tracing.ts";
import { startOffering, type AgentOffering } from "../workers/agent-offering.ts";
import { inheritedOf } from "../workers/inherited.ts";
import { requireReachableWorkers, type OfferOptions } from "../workers/offer-options.ts";
import { PlacedRuns } from "../workers/placed-runs.ts";

/** Sessions that share agents, models and a bus. Several in one process keep to themselves. */
export class LocalTeamSystem implements TeamSystem {
  readonly #parts: SystemParts;
  readonly #ownsBus: boolean;
  readonly node: string;
  readonly bus: Bus["kind"];
  readonly workspace: string | null;
  readonly #board: BoardSpec | undefined;
  readonly #sessions: SessionRegistry;
  readonly #followed = new Set<Session>();
  readonly #offered = new Set<AgentOffering>();
  readonly #claims: SessionClaims;
  #closing: Promise<void> | null = null;

  constructor(options: TeamSystemOptions, { node, limits, prices, workspace, worktrees }: ParsedOptions) {
    this.node = node;
    const clock = options.clock ?? systemClock;
    const onFault = guardedFault(options.onFault);
    this.#sessions = new SessionRegistry(onFault);
    this.#ownsBus = options.bus === undefined;
    const bus = options.bus ?? memoryBus({ onError: onFault });
    this.bus = bus.kind;
    const place = { bus, clock, namespace: options.namespace ?? "default", node: this.node };
    this.#claims = new SessionClaims({ ...place, requireOpen: () => this.#requireOpen() });
    this.workspace = workspace?.root ?? null;
    const telemetry = parseOptions(TelemetryOptions, options.telemetry ?? {}, "telemetry");
    const agents = agentMap(options.agents ?? {}, limits);
    const agentTypes = [...agents].map(([name, source]) => listAgentType(name, source));
    requireReachableWorkers(bus, agentTypes);
    const invitables = invitableAgents(options.invitables ?? [], agents.keys());
    for (const { name, agent } of invitables.values()) checkAgent(name, agent, limits, "invitables");
    const blocks = toolBlocks({ agentTypes });
    this.#board = options.board === undefined ? undefined : parseOptions(BoardSpec, options.board, "board");
    const { permissions, hooks, toolVisibility = "all" } = options;
    const models = modelsOf(options, { clock, limits, prices });
    let writers = 0;
    const nextWriter = (): string => `${this.node}_${writers++}`;
    const own = { agents, agentTypes, invitables, limits, permissions, hooks, models, blocks, toolVisibility };
    this.#parts = { ...place, ...own, nextWriter, kernel: createKernel(), workspace, worktrees, telemetry, onFault };
  }

  async openSession(options: OpenSessionOptions = {}): Promise<Session> {
    parseOptions(SessionOptionsShape, options, "openSession");
    const { id = randomUUID(), lead, hooks, file, onOpen, board: own } = options;
    const board = own === undefined ? this.#board : parseOptions(BoardSpec, own, "board");
    if (typeof lead === "object") parseOptions(HostedLeadShape, lead, "lead");
    const hosted = typeof lead === "object" ? readLead(lead, this.#parts.limits) : null;
    const lease = await this.#claims.take(id);
    let session: Session | null = null;
    try {
      const found = await lookForSession(this.#parts, id);
      const [opened, runtime] = this.#makeSession(id, { lead, hosted, board, hooks, file, found, lease });
      session = opened;
      lease.keep(() => runtime.fence());
      if (found !== null) {
        await runtime.owner.catchUp();
        const { invitations } = runtime.options;
        requireFitting(runtime.state, { session: id, lead: leadKind(lead), agents: this.#parts.agents, invitations });
      }
      this.#sessions.add(session);
      await onOpen?.(session);
      await runtime.start(lease.epoch, file);
      return session;
    } catch (fault) {
      await (session?.close() ?? this.#release(id, lease)).catch(this.#parts.onFault);
      throw fault;
    }
  }

  async followSession(id: string): Promise<Session> {
    const session = parseInput(SessionId, id, "id");
    this.#requireOpen();
    const found = await lookForSession(this.#parts, session);
    if (found === null) throw new TeamError("unknown_session", { session });
    const lead = found.config.lead === "own" ? "own" : undefined;
    const [followed, runtime] = this.#makeSession(session, { lead, hosted: null, found, lease: null });
    this.#followed.add(followed);
    await runtime.owner.catchUp();
    await runtime.start(null);
    return followed;
  }

  async readSessionFile(id: string): Promise<unknown> {
    const opening = await readOpening({ ...this.#parts, session: id });
    if (opening === null) throw new TeamError("unknown_session", { session: id });
    return opening.file ?? null;
  }

  knownSessions(): Promise<readonly string[]> {
    return this.#parts.bus.sessions(this.#parts.namespace);
  }

  #requireOpen(): void {
    if (this.#closing !== null) throw new TeamError("fenced", { reason: "the system is closed", closed: true });
  }

  #makeSession(id: string, opening: Opening): [Session, SessionRuntime] {
    const { lead, hosted, hooks, found, lease } = opening;
    const parts = this.#parts;
    const starter = makeStarter(parts, { lead: hosted, hasLead: lead !== undefined });
    const placed = new PlacedRuns({ ...parts, session: id, inherited: inheritedOf(hosted, parts.permissions) });
    const runtime: SessionRuntime = makeRuntime(parts, {
      config: found?.config ?? this.#configOf(id, opening),
      found,
      hooks,
      placed,
      // Whoever holds it finds it closed; its place here is free.
      onFenced: () => void session.close().catch(parts.onFault),
      startRun: (each, desired) => placed.start(each, desired) ?? starter.start(each, desired),
    });
    const session = new Session(runtime, {
      blocks: parts.blocks,
      leadContext: (each) => starter.context(each, undefined),
      close: async (each, ends) => {
        if (lease !== null) return this.#closeSession(each, { lease, ends });
        each.owner.stop();
        this.#followed.delete(session);
      },
    });
    return [session, runtime];
  }

  async offerAgents(agentTypes: readonly string[], options: OfferOptions = {}): Promise<AgentOffering> {
    this.#requireOpen();
    const offering = startOffering(this.#parts, agentTypes, options, (closed) => this.#offered.delete(closed));
    this.#offered.add(offering);
    return offering;
  }

  sessions(): readonly Session[] {
    return this.#sessions.list();
  }

  watch(onSession: (session: Session) => void): () => void {
    return this.#sessions.watch(onSession);
  }

  async health(): Promise<SystemHealth> {
    return this.#closing !== null ? { ready: false, reasons: ["the system is closed"] } : busHealth(this.#parts.bus);
  }

  async purge(id: string): Promise<Purged> {
    const session = parseInput(SessionId, id, "id");
    // Whoever holds the claim can't be opening it meanwhile; the claim goes with the rest.
    const lease = await this.#claims.take(session);
    try {
      return await this.#parts.bus.purge({ namespace: this.#parts.namespace, session });
    } finally {
      await this.#release(session, lease);
    }
  }

  async purgeOld(old: z.input<typeof OldSessions> = {}): Promise<readonly string[]> {
    const { bus, clock, namespace } = this.#parts;
    this.#requireOpen();
    return purgeOldSessions(parseInput(OldSessions, old, "purgeOld"), {
      bus,
      clock,
      namespace,
      find: (session) => lookForSession(this.#parts, session),
      purge: (session) => this.purge(session),
    });
  }

  async routeOf(model?: LanguageModel): Promise<string> {
    return (await this.#parts.models.ready(model)).route;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #configOf(session: string, { lead, board, file }: Opening): SessionConfig {
    const { workspace } = this;
    return {
      session,
      lead: leadKind(lead),
      agentTypes: this.#parts.agentTypes.map((each) => ({ ...each })),
      limits: this.#parts.limits,
      ...(file === undefined ? {} : { file: digestOf(canonicalJson(file)) }),
      ...(board === undefined ? {} : { board }),
      // Not the path itself: recordings are handed to others.
      ...(workspace === null ? {} : { workspace: digestOf(workspace) }),
    };
  }

  /** What is in memory is of no use to anybody once its session is closed; on a durable bus it can be gone on with. */
  async #closeSession(
    runtime: SessionRuntime,
    { lease, ends }: { readonly lease: SessionLease; readonly ends: boolean },
  ): Promise<void> {
    const { session } = runtime.options.config;
    const { bus, namespace } = this.#parts;
    const isMemory = bus.kind === "memory";
    await (ends || isMemory ? runtime.end() : runtime.release()).catch(this.#parts.onFault);
    try {
      if (isMemory) await bus.trim({ namespace, session }, Infinity);
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
    // Runs that are carried out here for others are given back first: other workers may go on with them.
    await Promise.all([...this.#offered].map((offering) => offering.close().catch(this.#parts.onFault)));
    const open = [...this.sessions(), ...this.#followed];
    await Promise.all(open.map((session) => session.close().catch(this.#parts.onFault)));
    this.#parts.models.close();
    if (this.#ownsBus) await this.#parts.bus.close();
  }
}
