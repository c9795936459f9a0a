import { badInput, kindOf, knownKeys, parseFields } from "../fields.ts";

/** What can go wrong in a simulated world. */
export const faultKinds = [
  /** Requests and deliveries take long, and come in another order. */
  "delay",
  /** A request or a delivery comes twice. */
  "duplicate",
  /** Requests and deliveries are lost, and the way to the store is interrupted for a while. */
  "connection",
  /** What was stored is reported as failed. */
  "unconfirmed",
  /** The store takes seconds. */
  "slow store",
  /** A process dies, and another one starts. */
  "crash",
  /** A second node wants the session: the first one is stopped for longer than its lease, loses it, or hands it over. */
  "two owners",
  /** A run is gone without an outcome. */
  "lost run",
] as const;
/** One kind of what goes wrong. */
export type FaultKind = (typeof faultKinds)[number];

/** What is simulated. */
export interface SimulateOptions {
  /** Decides everything that chance decides: a whole number. */
  readonly seed: number;
  /** What goes wrong; left out = everything, an empty list = nothing. */
  readonly faults?: readonly FaultKind[];
}

const isFaultKind = (value: unknown): value is FaultKind => faultKinds.some((kind) => kind === value);

/** The options as they are meant; whatever can't be used is `bad_input`. */
export function parseSimulateOptions(value: unknown): {
  readonly seed: number;
  readonly faults: ReadonlySet<FaultKind>;
} {
  const options = parseFields(value, "simulate");
  knownKeys(options, ["seed", "faults"] satisfies (keyof SimulateOptions)[], "simulate");
  const { seed, faults = faultKinds } = options;
  if (typeof seed !== "number" || !Number.isSafeInteger(seed))
    throw badInput("simulate.seed", `give a whole number, not ${kindOf(seed)}`);
  if (!Array.isArray(faults)) throw badInput("simulate.faults", `give a list, not ${kindOf(faults)}`);
  const kinds = new Set<FaultKind>();
  // Array.isArray says any[].
  const given = faults as readonly unknown[];
  for (const fault of given) {
    if (!isFaultKind(fault))
      throw badInput("simulate.faults", `there is no fault ${kindOf(fault)}; known are ${faultKinds.join(", ")}`);
    kinds.add(fault);
  }
  return { seed, faults: kinds };
}
