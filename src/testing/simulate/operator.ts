import { sessionKeyText } from "../../bus/bus.ts";
import { desiredRuns } from "../../machines/index.ts";
import type { Scenario } from "./draw-scenario.ts";
import { factsOf } from "./fresh-fold.ts";
import { calmLink, type LinkQuality } from "./link-fates.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { FaultKind } from "./simulate-options.ts";
import { SimNode } from "./sim-node.ts";
import { place, type World } from "./world.ts";

/** Until then the world is at fault; after it, it heals. */
const troubleMs = 18_000;
/** How often the operator looks after its nodes. */
const lookMs = 400;

/**
 * Who runs the nodes of a world: starts them, starts others where they died, and does to them what happens to machines.
 * While there is trouble faults come as chance has drawn them; afterwards one node that is there has the session.
 */
export class Operator {
  readonly nodes: SimNode[] = [];
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #random: SeededRandom;
  readonly #faults: ReadonlySet<FaultKind>;
  readonly #starts = new Map<string, number>();
  /** Faults that are still to come, or that are not over yet. */
  #ahead = 0;
  #isTroubled = true;
  #isOver = false;

  constructor(world: World, scenario: Scenario, faults: ReadonlySet<FaultKind>) {
    this.#world = world;
    this.#scenario = scenario;
    this.#faults = faults;
    this.#random = world.random.fork("operator");
  }

  /** Whether all faults of this world have come and gone. */
  get isDone(): boolean {
    return !this.#isTroubled && this.#ahead === 0;
  }

  /** The node that has the session and runs, or null. */
  get owner(): SimNode | null {
    return this.nodes.find((node) => node.session !== null && node.process.state === "running") ?? null;
  }

  start(): void {
    this.#world.quality = this.#drawQuality();
    this.#startNode();
    if (this.#has("two owners") && this.#random.chance(0.5))
      this.#later(this.#random.int(0, 5_000), () => this.#startNode());
    const fates = [
      ...(this.#has("crash") ? [() => this.#crash(), () => this.#crash()] : []),
      ...(this.#has("two owners") ? [() => this.#freeze(), () => this.#handOver(), () => this.#loseLease()] : []),
      ...(this.#has("connection") ? [() => this.#interrupt()] : []),
      ...(this.#has("lost run") ? [() => this.#loseRun()] : []),
    ];
    const count = fates.length === 0 ? 0 : this.#random.int(0, 4);
    for (let each = 0; each < count; each++) {
      const fate = this.#random.pick(fates);
      this.#later(this.#random.int(100, troubleMs), fate);
    }
    this.#later(troubleMs, () => {
      this.#isTroubled = false;
      this.#world.quality = calmLink;
    });
    this.#look();
  }

  /** Ends all nodes in good order. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.nodes.filter(({ process }) => process.state === "running").map((node) => node.close()));
  }

  #has(fault: FaultKind): boolean {
    return this.#faults.has(fault);
  }

  #drawQuality(): LinkQuality {
    const random = this.#random;
    const rate = (fault: FaultKind, most: number): number =>
      this.#has(fault) && random.chance(0.5) ? random.next() * most : 0;
    return {
      delayMaxMs: this.#has("delay") ? random.pick([1, 20, 150, 600]) : 1,
      lost: rate("connection", 0.06),
      unconfirmed: rate("unconfirmed", 0.08),
      duplicate: rate("duplicate", 0.2),
      dropped: rate("connection", 0.1),
      slow: rate("slow store", 0.1),
      slowMs: random.int(500, 4_000),
    };
  }

  #startNode(): void {
    const node = new SimNode(this.#world, this.#scenario, `n${this.nodes.length + 1}`, this.#starts);
    this.nodes.push(node);
    this.#world.note(`${this.#world.scheduler.now()} ${node.name} starts`);
  }

  /** A node that has nothing to do asks for the session, and one that died has a successor in the end. */
  #look(): void {
    if (this.#isOver) return;
    for (const node of this.nodes) {
      // What comes of it is seen at the next look.
      node.look().catch((fault: unknown) => void this.#world.unexpected.push(fault));
      if (this.#isTroubled || this.owner === null)
        node.open().catch((fault: unknown) => void this.#world.unexpected.push(fault));
    }
    if (this.nodes.every(({ process }) => process.state === "dead") && this.#ahead === 0) this.#startNode();
    this.#world.scheduler.schedule(() => this.#look(), lookMs + this.#random.int(0, 300), { label: "operator" });
  }

  #later(ms: number, run: () => void): void {
    this.#ahead += 1;
    const label = "operator";
    this.#world.scheduler.schedule(
      () => {
        this.#ahead -= 1;
        run();
      },
      ms,
      { label },
    );
  }

  #running(): SimNode | null {
    return this.owner ?? this.nodes.find(({ process }) => process.state === "running") ?? null;
  }

  #crash(): void {
    const node = this.#running();
    if (node === null) return;
    this.#world.count("crash");
    node.kill();
    this.#later(this.#random.pick([50, 2_000, 12_000]), () => this.#startNode());
  }

  /** A process that is stopped for a while, such as by its machine's sleep, and doesn't notice. */
  #freeze(): void {
    const node = this.owner;
    if (node === null) return;
    this.#world.count("freeze");
    node.process.stop();
    if (this.nodes.every(({ process }) => process.state !== "running")) this.#startNode();
    this.#later(this.#random.pick([200, 4_000, 13_000]), () => node.process.resume());
  }

  /** The lease is gone while its holder is at work, as after a step of the store's clock: another node takes the session. */
  #loseLease(): void {
    if (this.owner === null) return;
    this.#world.count("lost lease");
    if (!this.nodes.some((node) => node.isIdle)) this.#startNode();
    const { claims } = this.#world.store.core;
    const release = async (): Promise<void> => {
      const claim = await claims.holder(sessionKeyText(place));
      if (claim !== null) await claims.release(claim);
    };
    release().catch((fault: unknown) => void this.#world.unexpected.push(fault));
  }

  #handOver(): void {
    const node = this.owner;
    if (node === null) return;
    this.#world.count("handover");
    node.handOver().catch((fault: unknown) => void this.#world.unexpected.push(fault));
  }

  #interrupt(): void {
    const node = this.#running();
    if (node === null) return;
    this.#world.count("interruption");
    node.connection.interrupt();
    this.#later(this.#random.pick([100, 1_500, 12_000]), () => node.connection.restore());
  }

  /** Says that a run which is alive was lost, as a node would that has found its worker gone. */
  #loseRun(): void {
    const state = this.owner?.session?.state;
    if (state === undefined || state.config === null) return;
    const runs = desiredRuns(state, factsOf());
    if (runs.length === 0) return;
    const { actor, n } = this.#random.pick(runs);
    this.#world.count("lost run");
    const event = { type: "run.lost", run: n, reason: "owner_lost: its worker is gone" } as const;
    const input = {
      id: this.#world.mark("lost"),
      at: this.#world.scheduler.now(),
      actor,
      from: "system",
      epoch: state.epoch,
      event,
    };
    const stored = this.#world.store.core.append({ subject: { ...place, actor, sender: "system" }, input });
    stored.catch((fault: unknown) => void this.#world.unexpected.push(fault));
  }
}
