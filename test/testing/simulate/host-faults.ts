import type { Patch } from "../check/mutants/planted-fault.ts";

/** A fault that a host could have, put into a copy of the sources. */
export interface HostFault {
  /** What the host does wrong. */
  readonly name: string;
  readonly patches: readonly Patch[];
  /** By which check it must be found. */
  readonly check: "fold" | "oracle" | "end";
  /** The first seed that finds it. */
  readonly seed: number;
}

/** Every fault of a host that is planted. */
export const hostFaults: readonly HostFault[] = [
  {
    name: "does not look whether the epoch is still its own",
    patches: [
      {
        file: "actors/owner/ownership.ts",
        find: "return this.#runtime.state.epoch === this.epoch;",
        replace: "return this.#runtime.state.epoch >= this.epoch;",
      },
      {
        file: "actors/owner/ownership.ts",
        find: "return this.#runtime.state.epoch > this.epoch;",
        replace: "return false;",
      },
    ],
    check: "oracle",
    seed: 46,
  },
  {
    name: "goes on before what it reports is durable",
    patches: [
      {
        file: "actors/runs/run-port.ts",
        find: "    this.#k = k;\n    return stored;",
        replace: "    this.#k = k;\n    stored.catch(() => {});\n    return Promise.resolve(0);",
      },
    ],
    check: "oracle",
    seed: 2,
  },
  {
    name: "goes on behind what came while its connection was away",
    patches: [
      {
        file: "testing/simulate/sim-connection.ts",
        find: "    for (const follower of this.#followers) follower.attach();",
        replace: "    for (const follower of this.#followers) follower.attachAtHead();",
      },
      {
        file: "testing/simulate/sim-follower.ts",
        find: "  /** What is on its way is lost. */",
        replace: `  attachAtHead(): void {
    const { core, filter } = this.#options;
    void core.read(filter, { fromSeq: 0 }).then((stored) => {
      this.#nextSeq = Math.max(this.#nextSeq, (stored.at(-1)?.seq ?? 0) + 1);
      this.attach();
    });
  }

  /** What is on its way is lost. */`,
      },
    ],
    check: "fold",
    seed: 27,
  },
  {
    name: "starts a run that is there already",
    patches: [
      {
        file: "actors/runs/run-board.ts",
        find: "        current.run.poke();\n        return null;",
        replace: "        return this.#start(actor, current.desired);",
      },
    ],
    check: "oracle",
    seed: 1,
  },
  {
    name: "forgets its timers at a takeover",
    patches: [
      {
        file: "actors/session/timers.ts",
        find: "    const remainingMs =",
        replace: "    if (timer.armedAt < this.#clock.now() - 500) return;\n    const remainingMs =",
      },
    ],
    check: "end",
    seed: 4,
  },
];
