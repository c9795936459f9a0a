import { describeAll, machineText } from "../../machines/index.ts";
import { digestOf } from "./body-store.ts";

/** Machines don't change while the process lives, and describing them takes milliseconds. */
const hashes: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(Object.entries(describeAll()).map(([name, machine]) => [name, digestOf(machineText(machine))])),
);

/** The hash of each machine of a session, by its name: machines of equal hashes have the same states and transitions. */
export const machineHashes = (): Readonly<Record<string, string>> => hashes;
