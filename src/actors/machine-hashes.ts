import { describeAll, machineText } from "../machines/index.ts";
import { digestOf } from "./body-store.ts";

/** The hash of each machine of a session, by its name: machines of equal hashes have the same states and transitions. */
export const machineHashes = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(describeAll()).map(([name, machine]) => [name, digestOf(machineText(machine))]));
