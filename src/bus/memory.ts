import type { Clock } from "../protocol/clock.ts";
import { sessionKeyText, type Bus } from "./bus.ts";
import { faultReporter } from "./fault-reporter.ts";
import { MemoryBlobs } from "./memory/memory-blobs.ts";
import { MemoryCheckpoints } from "./memory/memory-checkpoints.ts";
import { MemoryClaims } from "./memory/memory-claims.ts";
import { MemoryLog } from "./memory/memory-log.ts";
import { MemorySignals } from "./memory/memory-signals.ts";
import { OpenGate } from "./open-gate.ts";

/** What a memory bus can be given. */
export interface MemoryBusOptions {
  /** What leases are measured by; the process's monotonic clock by default. */
  readonly clock?: Pick<Clock, "now">;
  /**
   * Told what an observer of `follow` or `signals.follow` throws, and of an end with an error that it doesn't handle.
   * By default a process warning.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * A bus inside this process: the rules and errors of every bus, and nothing that survives the process.
 *
 * Values are passed on by reference, neither copied nor frozen: what was appended, put or published must not be changed
 * afterwards. `follow` delivers within a microtask of the append, before the append resolves. Whoever owns a session
 * trims it; until then its log is kept, and `trim(session, Infinity)` lets go of all of it.
 */
export function memoryBus(options: MemoryBusOptions = {}): Bus {
  const gate = new OpenGate();
  const report = faultReporter(options.onError);
  const log = new MemoryLog(gate, report);
  const claims = new MemoryClaims(gate, options.clock ?? performance);
  const checkpoints = new MemoryCheckpoints(gate);
  const blobs = new MemoryBlobs(gate);
  const signals = new MemorySignals(gate, report);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    gate.shut();
    await log.close();
    signals.close();
    for (const store of [claims, checkpoints, blobs]) store.clear();
  };
  return {
    kind: "memory",
    append: (append) => log.append(append),
    follow: (filter, fromSeq) => log.follow(filter, fromSeq),
    read: (filter, range) => log.read(filter, range),
    trim: (session, beforeSeq) => log.trim(session, beforeSeq),
    sessions: (namespace) => log.sessions(namespace),
    purge: async (session) => {
      const key = sessionKeyText(session);
      const inputs = await log.purge(session);
      claims.purge(key);
      return { inputs, checkpoints: checkpoints.purge(key), bodies: blobs.purge(session) };
    },
    claims: claims.port,
    checkpoints: checkpoints.port,
    blobs: blobs.port,
    signals: signals.port,
    close: () => (closing ??= close()),
  };
}
