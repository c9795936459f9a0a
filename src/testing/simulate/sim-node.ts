import { startTeamSystem } from "../../actors/system/create-team-system.ts";
import type { Session } from "../../actors/session/session.ts";
import type { TeamSystem } from "../../actors/system/team-system-port.ts";
import { isTeamError } from "../../errors/index.ts";
import type { Scenario } from "./draw-scenario.ts";
import { freshFold } from "./fresh-fold.ts";
import { simAgents } from "./sim-agents.ts";
import { SimLinkError, type SimConnection } from "./sim-connection.ts";
import type { SimProcess } from "./sim-process.ts";
import { place, type World } from "./world.ts";

/** What the faults of a world explain: everything else that a runtime tells of is a fault of its own. */
const isExplained = (fault: unknown): boolean =>
  fault instanceof SimLinkError || isTeamError(fault, "fenced") || isTeamError(fault, "bus_unavailable");

/** A process that runs a system of its own and opens the session whenever it can have it. */
export class SimNode {
  readonly process: SimProcess;
  readonly connection: SimConnection;
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #system: Promise<TeamSystem>;
  #session: Session | null = null;
  /** The session as it was opened last, before anything of it runs. */
  #opened: Session | null = null;
  #opening = false;
  #isClosed = false;
  /** Where a state of this node was no fold of the log; null = nowhere. */
  #difference: string | null = null;

  constructor(world: World, scenario: Scenario, name: string, starts: Map<string, number>) {
    this.#world = world;
    this.#scenario = scenario;
    const skewMs = world.random.fork(`clock of ${name}`).int(-1_500, 1_500);
    const onFault = (fault: unknown): void => {
      if (this.process.state !== "dead" && !isExplained(fault)) world.unexpected.push(fault);
    };
    ({ process: this.process, connection: this.connection } = world.process(name, skewMs, onFault));
    this.#system = startTeamSystem(
      {
        bus: this.connection,
        clock: this.process.clock,
        environment: {},
        agents: simAgents(world, this.process, {
          asks: scenario.asks,
          starts,
          epochOf: () => this.#opened?.state.epoch ?? 0,
        }),
        script: scenario.script,
        limits: scenario.limits,
        onFault,
      },
      name,
    );
  }

  get name(): string {
    return this.process.name;
  }

  /** The session while this node has it. */
  get session(): Session | null {
    return this.#session;
  }

  get difference(): string | null {
    return this.#difference;
  }

  /** Whether it is there and has nothing to do with the session. */
  get isIdle(): boolean {
    return this.process.state === "running" && !this.#isClosed && this.#session === null && !this.#opening;
  }

  /** Opens the session if it can be had now; says so in the trace if not. */
  async open(): Promise<void> {
    if (!this.isIdle) return;
    this.#opening = true;
    try {
      const system = await this.#system;
      const session = await system.openSession({
        id: place.session,
        onOpen: (opened) => void (this.#opened = opened),
        ...(this.#scenario.lead === "hosted" ? { lead: { model: "scripted" } } : {}),
      });
      this.#world.note(`${this.#world.scheduler.now()} ${this.name} owns the session`);
      this.#session = session;
    } catch (error) {
      if (!isExplained(error)) this.#world.unexpected.push(error);
    } finally {
      this.#opening = false;
    }
  }

  /** Looks whether another owner has taken the session from it. */
  async look(): Promise<void> {
    if (this.process.state !== "running" || this.#session === null) return;
    const system = await this.#system;
    if (!system.sessions().includes(this.#session)) this.#leave();
  }

  /** Lets go of the session in good order. */
  async handOver(): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    this.#leave();
    try {
      await session.close();
    } catch (fault) {
      // Its lease may not have been given back.
      if (!isExplained(fault)) throw fault;
    }
  }

  /** Dies at once. */
  kill(): void {
    this.#leave();
    this.process.kill();
    this.connection.abandon();
  }

  /** Ends for good, in good order. */
  async close(): Promise<void> {
    this.#leave();
    this.#isClosed = true;
    await (await this.#system).close();
    await this.connection.close();
  }

  /** Lets go of what a dead process still holds of this one: timers of calls that nobody waits for. */
  async bury(): Promise<void> {
    // Nothing of it comes to an end any more, so nobody waits for that.
    (await this.#system).close().catch(() => {});
  }

  /** Holds the state as it stands against a fold of the log. */
  compare(): void {
    if (this.#session === null) return;
    this.#difference ??= freshFold(this.#world.records, this.#session.state.seq).differenceTo(this.#session.state);
  }

  #leave(): void {
    this.compare();
    this.#session = null;
  }
}
