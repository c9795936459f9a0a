import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { simulate } from "../../../src/testing/index.ts";
import type * as simulateModule from "../../../src/testing/simulate/simulate.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ImportGraph } from "../check/mutants/import-graph.ts";
import { plantFault } from "../check/mutants/plant-fault.ts";
import { ownFolder } from "../check/mutants/sources.ts";
import { hostFaults } from "./host-faults.ts";

/** Faults of the host, each planted in a copy of the sources: the whole simulation is loaded from that copy. */

const graph = new ImportGraph(ownFolder, ["testing/simulate/simulate.ts"]);

/** Seeds within which each must be found. */
const seedsMax = 300;

test.each(hostFaults.map((fault) => [fault.name, fault] as const))("a host that %s is found", async (_, fault) => {
  const folder = plantFault(fault, temporaryFolder(), graph);
  const path = pathToFileURL(join(folder, "testing/simulate/simulate.ts")).href;
  const faulty = (await import(path)) as typeof simulateModule;
  let found = await faulty.simulate({ seed: Math.max(1, fault.seed) });
  while (found.verdict === "holds" && found.seed < seedsMax) found = await faulty.simulate({ seed: found.seed + 1 });
  expect([found.verdict, found.problem?.check, found.seed], String(found)).toEqual([
    "violated",
    fault.check,
    fault.seed,
  ]);
});

test.each(hostFaults)("the seed that finds a host that $name finds nothing in the host as it is", async ({ seed }) => {
  expect(String(await simulate({ seed }))).toContain(`seed ${seed}: holds`);
});
