import { randomUUID } from "node:crypto";
import type { LanguageModel } from "ai";
import { isTeamError, TeamError } from "../errors/index.ts";
import type { Bus, Claim } from "../bus/bus.ts";
import { memoryBus } from "../bus/memory.ts";
import { createKernel, type Kernel } from "../machines/index.ts";
import type { ToolVisibility } from "../protocol/agent-fields.ts";
import type { Clock } from "../protocol/clock.ts";
import { Limits } from "../protocol/limits.ts";
import { PermissionPolicy } from "../protocol/permissions/permission-policy.ts";
import type { ScriptInput } from "../protocol/script.ts";
import type { SessionConfig } from "../protocol/session-config.ts";
import { BoardSpec, type BoardSpecInput } from "../protocol/task.ts";
import { toolBlocks, type ToolBlocks } from "../tools/team/index.ts";
import { openWorkspace, type Workspace } from "../tools/workspace/index.ts";
import type { AgentSource } from "./agent.ts";
import { agentMap, listAgentType, type AgentType, type GivenAgents } from "./agent-types.ts";
import { guardedFault } from "./guarded-fault.ts";
import type { HostedLead } from "./hosted-lead.ts";
import { ModelPool } from "./model-pool.ts";
import type { Environment } from "./models/model-keys.ts";
import { scriptedModel } from "./models/scripted-model.ts";
import { parseOptions } from "./parse-options.ts";
import { SessionGates } from "./permissions/session-gates.ts";
import { Questions } from "./questions.ts";
import { readLead } from "./resolve-agent.ts";
import { Session } from "./session.ts";
import { SessionRuntime } from "./session-runtime.ts";
import { RunStarter } from "./start-run.ts";
import { systemClock } from "./system-clock.ts";
import { HostedLeadShape, SessionOptionsShape, SystemOptionsShape } from "./system-options.ts";

/** What a system of sessions is made of; everything has a default. */
export interface TeamSystemOptions {
  /** Where sessions live; left out = in this process, gone with it. A bus that is given is not closed by the system. */
  readonly bus?: Bus;
  /** Agent types by name. `general` exists always, unless a `default` takes its place. */
  readonly agents?: GivenAgents;
  /** `role` hides from members the tools that only a lead may use; left out = `all`: everybody is shown the same tools. */
  readonly toolVisibility?: ToolVisibility;
  readonly limits?: Partial<Limits>;
  /** Gives every team a task board that declares none of its own. Left out = teams have one that declare it, or tasks. */
  readonly board?: BoardSpecInput;
  /**
   * What may be done without asking, and what not at all, by everybody. Left out = every tool that an agent has runs, but
   * for those that it lists under `ask`.
   */
  readonly permissions?: PermissionPolicy;
  /** The model where neither agent nor lead names one and there is no `script`: `provider/model` or one of the AI SDK. */
  readonly model?: LanguageModel;
  /** What the model `scripted` answers, per actor. */
  readonly script?: ScriptInput;
  /** Where keys of providers are looked for; left out = the environment of this process. */
  readonly environment?: Environment;
  /** Folder that the members share; left out = none, and no workspace tools. */
  readonly workspace?: string;
  readonly clock?: Clock;
  /** Keeps systems that share a bus apart. */
  readonly namespace?: string;
  /**
   * Told of faults that belong to nobody's call: a subscriber that threw, an input that could not be stored. Left out = a
   * process warning. It never ends the process, whatever it does.
   */
  readonly onFault?: (fault: unknown) => unknown;
}

/** How a session is opened. */
export interface OpenSessionOptions {
  /** Left out = a random one. A session that another system holds is refused with `fenced`. */
  readonly id?: string;
  /** A lead that we run, `"own"` for a loop of yours, or left out: then you are the Lead. */
  readonly lead?: HostedLead | "own";
  /** The board of its teams; left out = the system's. */
  readonly board?: BoardSpecInput;
  /** Called with the session before its first input, for whoever must see all of them. */
  readonly onOpen?: (session: Session) => void | Promise<void>;
}

/** Sessions that share agents, models and a bus. */
export interface TeamSystem {
  openSession(options?: OpenSessionOptions): Promise<Session>;
  /** Sessions that are open here. */
  sessions(): readonly Session[];
  /** The model that an agent would get, as printable text; rejects with `no_model_key` and the like. */
  routeOf(model?: LanguageModel): Promise<string>;
  /** Closes every session and lets go of everything. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a system of sessions. Several in one process keep to themselves. */
export async function createTeamSystem(options: TeamSystemOptions = {}): Promise<TeamSystem> {
  parseOptions(SystemOptionsShape, options, "createTeamSystem");
  const limits = parseOptions(Limits, options.limits ?? {}, "limits");
  if (options.permissions !== undefined) parseOptions(PermissionPolicy, options.permissions, "permissions");
  const workspace = options.workspace === undefined ? null : await openWorkspace({ root: options.workspace });
  return new LocalTeamSystem(options, limits, workspace);
}

/** What a session is opened with. */
interface Opening extends Pick<OpenSessionOptions, "lead"> {
  readonly hosted: HostedLead | null;
  readonly board: BoardSpec | undefined;
  readonly claim: Claim;
}

/** A session's lease on a bus that lives and dies with this process. */
const foreverMs = Number.MAX_SAFE_INTEGER;

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
  readonly #blocks: ToolBlocks;
  readonly #board: BoardSpec | undefined;
  readonly #toolVisibility: ToolVisibility;
  readonly #workspace: Workspace | null;
  readonly #onFault: (fault: unknown) => void;
  readonly #sessions = new Map<string, Session>();
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
    this.#blocks = toolBlocks({ agentTypes: this.#agentTypes });
    this.#board = options.board === undefined ? undefined : parseOptions(BoardSpec, options.board, "board");
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
    const { id = randomUUID(), lead, onOpen } = options;
    const board = options.board === undefined ? this.#board : parseOptions(BoardSpec, options.board, "board");
    if (typeof lead === "object") parseOptions(HostedLeadShape, lead, "lead");
    const hosted = typeof lead === "object" ? readLead(lead, this.#limits) : null;
    const claim = await this.#claim(id);
    let session: Session | null = null;
    try {
      const [opened, runtime] = this.#makeSession(id, { lead, hosted, board, claim });
      session = opened;
      this.#sessions.set(id, session);
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
      const claim = await this.#bus.claims.claim(`${this.#namespace}.session.${id}`, this.#node, foreverMs);
      if (claim === null) throw new TeamError("fenced", { reason: `the session "${id}" is open elsewhere` });
      if (!this.#isClosing) return claim;
      await this.#release(id, claim);
      throw new TeamError("fenced", { reason: "the system is closed", closed: true });
    } catch (fault) {
      this.#taken.delete(id);
      throw fault;
    }
  }

  #makeSession(id: string, { lead, hosted, board, claim }: Opening): [Session, SessionRuntime] {
    const questions = new Questions();
    const shared = { agents: this.#agents, lead: hosted, workspace: this.#workspace };
    const starter = new RunStarter({
      ...shared,
      agentTypes: this.#agentTypes,
      models: this.#models,
      blocks: this.#blocks,
      toolVisibility: this.#toolVisibility,
      questions,
      gates: new SessionGates({ ...shared, permissions: this.#permissions, hasLead: lead !== undefined }),
    });
    const startRun: SessionRuntime["options"]["startRun"] = (session, desired) => starter.start(session, desired);
    const runtime = this.#runtime(id, { lead, board, startRun, questions });
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

  #runtime(
    id: string,
    {
      lead,
      board,
      startRun,
      questions,
    }: Pick<Opening, "lead" | "board"> & Pick<SessionRuntime["options"], "startRun" | "questions">,
  ): SessionRuntime {
    const config: SessionConfig = {
      session: id,
      lead: lead === undefined ? "none" : lead === "own" ? "own" : "hosted",
      agentTypes: this.#agentTypes.map((each) => ({ ...each })),
      limits: this.#limits,
      ...(board === undefined ? {} : { board }),
    };
    return new SessionRuntime({
      bus: this.#bus,
      kernel: this.#kernel,
      clock: this.#clock,
      namespace: this.#namespace,
      node: this.#node,
      config,
      startRun,
      questions,
      onFault: this.#onFault,
    });
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
