import { test } from "vitest";
import { checkMachine } from "../../../src/testing/machine/check-machine.ts";
import { sessionMachines } from "../../../src/machines/index.ts";

test("x", () => {
  for (const machine of Object.values(sessionMachines)) {
    console.log(checkMachine(machine, { limits: { statesMax: 3000 } }).toString());
  }
});
