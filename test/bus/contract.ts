import { describe } from "vitest";
import type { BusCapabilities, MakeBus } from "./contract/bus-maker.ts";
import { closeContract } from "./contract/close-contract.ts";
import { followContract } from "./contract/follow-contract.ts";
import { isolationContract } from "./contract/isolation-contract.ts";
import { leaseContract } from "./contract/lease-contract.ts";
import { logContract } from "./contract/log-contract.ts";
import { orderContract } from "./contract/order-contract.ts";
import { purgeContract } from "./contract/purge-contract.ts";
import { storesContract } from "./contract/stores-contract.ts";

/**
 * What every bus does, as tests: call it in the test file of an implementation. Nothing in it assumes that a record is
 * delivered before its append resolves, or within the same turn: what must not come is shown by what comes after it.
 */
export const busContract = (name: string, makeBus: MakeBus, capabilities: BusCapabilities): void => {
  describe(`the ${name} bus`, () => {
    logContract(makeBus);
    followContract(makeBus);
    orderContract(makeBus, capabilities.interleavings);
    isolationContract(makeBus);
    storesContract(makeBus);
    purgeContract(makeBus);
    if (capabilities.leasesByClock) leaseContract(makeBus);
    closeContract(makeBus);
  });
};
