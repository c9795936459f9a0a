import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Clock } from "../../protocol/clock.ts";
import type { Bus, Claim } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";
import { hasEnded, markThisProcess, type ProcessMark } from "../process-mark.ts";
import type { TurnWriter } from "./turn-writer.ts";

/** A lease as it is stored. */
interface Lease extends Claim, ProcessMark {
  readonly until: number;
}

/**
 * Leases with the mark of the process that holds them: one of a process that has ended is free at once, whatever time it
 * had left. Epochs are counted over all keys.
 */
export class SqliteClaims {
  readonly #gate: OpenGate;
  readonly #writer: TurnWriter;
  readonly #clock: Pick<Clock, "now">;
  readonly #find: StatementSync;
  readonly #put: StatementSync;
  readonly #renew: StatementSync;
  readonly #delete: StatementSync;
  readonly #nextEpoch: StatementSync;
  #here: ProcessMark | null = null;

  constructor(
    database: DatabaseSync,
    { gate, writer, clock }: { gate: OpenGate; writer: TurnWriter; clock: Pick<Clock, "now"> },
  ) {
    this.#gate = gate;
    this.#writer = writer;
    this.#clock = clock;
    this.#find = database.prepare("SELECT * FROM claim WHERE key = ?");
    this.#put = database.prepare("INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#renew = database.prepare("UPDATE claim SET until = ? WHERE key = ?");
    this.#delete = database.prepare("DELETE FROM claim WHERE key = ? AND epoch = ?");
    this.#nextEpoch = database.prepare("UPDATE counter SET value = value + 1 WHERE name = 'epoch' RETURNING value");
  }

  readonly port: Bus["claims"] = {
    claim: async (key, owner, leaseMs) => {
      this.#gate.requireOpen();
      return this.#writer.write(() => this.#claim(key, owner, leaseMs));
    },
    release: async ({ key, epoch }) => {
      this.#gate.requireOpen();
      await this.#writer.write(() => this.#delete.run(key, epoch));
    },
    holder: async (key) => {
      this.#gate.requireOpen();
      const held = this.#leaseOf(key);
      return held === null || this.#isFree(held) ? null : { key, owner: held.owner, epoch: held.epoch };
    },
  };

  #claim(key: string, owner: string, leaseMs: number): Claim | null {
    const held = this.#leaseOf(key);
    const until = this.#clock.now() + leaseMs;
    if (held?.owner === owner) {
      this.#renew.run(until, key);
      return { key, owner, epoch: held.epoch };
    }
    if (held !== null && !this.#isFree(held)) return null;
    const epoch = Number(this.#nextEpoch.get()?.["value"]);
    const { place, pid, started } = this.#mark();
    this.#put.run(key, owner, epoch, until, place, pid, started);
    return { key, owner, epoch };
  }

  #mark(): ProcessMark {
    this.#here ??= markThisProcess();
    return this.#here;
  }

  #leaseOf(key: string): Lease | null {
    // The columns of the table are those of the interface.
    return (this.#find.get(key) as Lease | undefined) ?? null;
  }

  #isFree(held: Lease): boolean {
    return this.#clock.now() >= held.until || hasEnded(held, this.#mark());
  }
}
