import { randomUUID } from "node:crypto";
import type { LanguageModel } from "ai";
import { isTeamError, TeamError } from "../errors/index.ts";
import type { Bus } from "../bus/bus.ts";
import { memoryBus } from "../bus/memory.ts";
import { createKernel, type Kernel } from "../machines/index.ts";
import { callGuarded } from "../protocol/call-guarded.ts";
import type { ToolVisibility } from "../protocol/agent-fields.ts";
import type { Clock } from "../protocol/clock.ts";
import { Limits } from "../protocol/limits.ts";
import { PermissionPolicy } from "../protocol/permissions/permission-policy.ts";
import type { SessionConfig } from "../protocol/session-config.ts";
import { teamToolBlock, type TeamToolBlock } from "../tools/team/index.ts";
import { openWorkspace, type Workspace } from "../tools/workspace/index.ts";
import type { AgentSource } from "./agent.ts";
import { agentMap, listAgentType, type AgentType } from "./agent-types.ts";
import type { HostedLead } from "./hosted-lead.ts";
import { ModelPool } from "./model-pool.ts";
import { scriptedModel } from "./models/scripted-model.ts";
import { parseOptions } from "./parse-options.ts";
import { SessionGates } from "./permissions/session-gates.ts";
import { Questions } from "./questions.ts";
import { readLead } from "./resolve-agent.ts";
import { Session } from "./session.ts";
import { leadKind, requireFitting } from "./fitting-session.ts";
import { SessionLease } from "./session-lease.ts";
import { findSession, readOpening, type FoundSession } from "./stored-sessions.ts";
import { canonicalJson, digestOf } from "./body-store.ts";
import { SessionRuntime } from "./session-runtime.ts";
import { RunStarter } from "./start-run.ts";
import { systemClock } from "./system-clock.ts";
import { HostedLeadShape, SessionOptionsShape, SystemOptionsShape } from "./system-options.ts";
import type { OpenSessionOptions, TeamSystem, TeamSystemOptions } from "./team-system-api.ts";
import { failureText } from "./tool-calls.ts";

export type { OpenSessionOptions, TeamSystem, TeamSystemOptions } from "./team-system-api.ts";

/** Makes a system of sessions. Several in one process keep to themselves. */
export async function createTeamSystem(options: TeamSystemOptions = {}): Promise<TeamSystem> {
  parseOptions(SystemOptionsShape, options, "createTeamSystem");
  const limits = parseOptions(Limits, options.limits ?? {}, "limits");
  if (options.permissions !== undefined) parseOptions(PermissionPolicy, options.permissions, "permissions");
  const workspace = options.workspace === undefined ? null : await openWorkspace({ root: options.workspace });
  return new LocalTeamSystem(options, limits, workspace);
}

/** A fault handler that can't become a fault: when it fails itself there is nobody left to tell. */
const guardedFault = (onFault: TeamSystemOptions["onFault"]): ((fault: unknown) => void) =>
  callGuarded(
    onFault ??
      ((fault: unknown) => process.emitWarning(fault instanceof Error ? fault : new Error(failureText(fault)))),
    () => {},
  );

/** What a session is opened with. */
interface Opening extends Pick<OpenSessionOptions, "lead" | "file"> {
  readonly hosted: HostedLead | null;
  readonly found: FoundSession | null;
  /** null = it is followed. */
  readonly lease: SessionLease | null;
}

class LocalTeamSystem implements TeamSystem {
  readonly #bus: Bus;
  readonly #ownsBus: boolean;
  readonly #kernel: Kernel = createKernel();
  readonly #clock: Clock;
  readonly #namespace: string;
  readonly #node = randomUUID().slice(0, 8);
  readonly #agents: ReadonlyMap<string, AgentSource>;
  readonly #agentTypes: readonly AgentType[];
  readonly #limits: Limits;
  readonly #permissions: PermissionPolicy | undefined;
  readonly #models: ModelPool;
  readonly #block: TeamToolBlock;
  readonly #toolVisibility: ToolVisibility;
  readonly #workspace: Workspace | null;
  readonly #onFault: (fault: unknown) => void;
  readonly #sessions = new Map<string, Session>();
  readonly #followed = new Set<Session>();
  /** Ids of sessions that are being opened, are open or are being closed. */
  readonly #taken = new Set<string>();
  #closing: Promise<void> | null = null;

  constructor(options: TeamSystemOptions, limits: Limits, workspace: Workspace | null) {
    this.#clock = options.clock ?? systemClock;
    this.#onFault = guardedFault(options.onFault);
    this.#ownsBus = options.bus === undefined;
    this.#bus = options.bus ?? memoryBus({ onError: this.#onFault });
    this.#namespace = options.namespace ?? "default";
    this.#limits = limits;
    this.#permissions = options.permissions;
    this.#workspace = workspace;
    this.#agents = agentMap(options.agents ?? {}, limits);
    this.#agentTypes = [...this.#agents].map(([name, source]) => listAgentType(name, source));
    this.#block = teamToolBlock({ agentTypes: this.#agentTypes });
    this.#toolVisibility = options.toolVisibility ?? "all";
    this.#models = new ModelPool({
      environment: options.environment ?? process.env,
      scripted: options.script === undefined ? null : scriptedModel(options.script, { clock: this.#clock }),
      defaultModel: options.model ?? null,
      clock: this.#clock,
      concurrentCallsMax: limits.concurrentCallsMax,
      responseMs: limits.chunkMs,
    });
  }

  async openSession(options: OpenSessionOptions = {}): Promise<Session> {
    parseOptions(SessionOptionsShape, options, "openSession");
    const { id = randomUUID(), lead, file, onOpen } = options;
    if (typeof lead === "object") parseOptions(HostedLeadShape, lead, "lead");
    const hosted = typeof lead === "object" ? readLead(lead, this.#limits) : null;
    const lease = await this.#claim(id);
    let session: Session | null = null;
    try {
      const found = await this.#find(id);
      const [opened, runtime] = this.#makeSession(id, { lead, hosted, file, found, lease });
      session = opened;
      this.#sessions.set(id, session);
      lease.keep(() => runtime.fence());
      if (found !== null) {
        await runtime.owner.catchUp();
        requireFitting(runtime.state, { session: id, lead: leadKind(lead), agents: this.#agents });
      }
      await onOpen?.(session);
      await runtime.start(lease.epoch, file);
      return session;
    } catch (fault) {
      await (session?.close() ?? this.#release(id, lease)).catch(this.#onFault);
      throw fault;
    }
  }

  async followSession(id: string): Promise<Session> {
    parseOptions(SessionOptionsShape, { id }, "followSession");
    this.#requireOpen();
    const found = await this.#find(id);
    if (found === null) throw new TeamError("unknown_session", { session: id });
    const lead = found.config.lead === "own" ? "own" : undefined;
    const [session, runtime] = this.#makeSession(id, { lead, hosted: null, found, lease: null });
    this.#followed.add(session);
    await runtime.owner.catchUp();
    await runtime.start(null);
    return session;
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
    if (this.#isClosing) throw new TeamError("fenced", { reason: "the system is closed", closed: true });
  }

  /**
   * Takes a session for this system. An id is taken from here until its lease is given back: a claim of our own would
   * only renew that lease, which the session before is about to give up.
   */
  async #claim(session: string): Promise<SessionLease> {
    this.#requireOpen();
    if (this.#taken.has(session)) {
      throw new TeamError("fenced", { reason: `the session "${session}" is open here, or closing` });
    }
    this.#taken.add(session);
    const place = { bus: this.#bus, clock: this.#clock, namespace: this.#namespace, session, node: this.#node };
    try {
      const lease = await SessionLease.take(place);
      if (!this.#isClosing) return lease;
      await this.#release(session, lease);
      throw new TeamError("fenced", { reason: "the system is closed", closed: true });
    } catch (fault) {
      this.#taken.delete(session);
      throw fault;
    }
  }

  #makeSession(id: string, opening: Opening): [Session, SessionRuntime] {
    const { lead, hosted, found, lease } = opening;
    const questions = found?.questions ?? new Questions();
    const shared = { agents: this.#agents, lead: hosted, workspace: this.#workspace };
    const starter = new RunStarter({
      ...shared,
      agentTypes: this.#agentTypes,
      models: this.#models,
      block: this.#block,
      toolVisibility: this.#toolVisibility,
      questions,
      gates: new SessionGates({ ...shared, permissions: this.#permissions, hasLead: lead !== undefined }),
    });
    const runtime: SessionRuntime = new SessionRuntime({
      bus: this.#bus,
      kernel: this.#kernel,
      clock: this.#clock,
      namespace: this.#namespace,
      node: this.#node,
      config: found?.config ?? this.#configOf(id, opening),
      startRun: (each, desired) => starter.start(each, desired),
      questions,
      found,
      onFault: this.#onFault,
      // Whoever holds it finds it closed; its place here is free.
      onFenced: () => void session.close().catch(this.#onFault),
    });
    const session = new Session(runtime, {
      block: this.#block,
      questions,
      leadContext: (each) => starter.context(each, undefined),
      close: (each, ends) =>
        lease === null ? this.#unfollow(session, each) : this.#closeSession(each, { lease, ends }),
    });
    return [session, runtime];
  }

  get #isClosing(): boolean {
    return this.#closing !== null;
  }

  sessions(): readonly Session[] {
    return [...this.#sessions.values()];
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

  #configOf(session: string, { lead, file }: Opening): SessionConfig {
    return {
      session,
      lead: leadKind(lead),
      agentTypes: this.#agentTypes.map((each) => ({ ...each })),
      limits: this.#limits,
      ...(file === undefined ? {} : { file: digestOf(canonicalJson(file)) }),
    };
  }

  async #unfollow(session: Session, runtime: SessionRuntime): Promise<void> {
    runtime.owner.stop();
    this.#followed.delete(session);
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

  /** Gives a session's lease back, and with it its id: only then may somebody open it again. */
  async #release(id: string, lease: SessionLease): Promise<void> {
    try {
      await lease.release();
    } finally {
      this.#sessions.delete(id);
      this.#taken.delete(id);
    }
  }

  async #closeAll(): Promise<void> {
    const open = [...this.#sessions.values(), ...this.#followed];
    await Promise.all(open.map((session) => session.close().catch(this.#onFault)));
    this.#models.close();
    if (this.#ownsBus) await this.#bus.close();
  }
}
