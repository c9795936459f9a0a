import { join } from "node:path";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { busContract } from "./contract.ts";

busContract("sqlite", async (options) => sqliteBus({ ...options, path: join(temporaryFolder(), "bus.db") }), {
  leasesByClock: true,
  interleavings: 200,
});
