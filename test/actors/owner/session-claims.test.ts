import { expect, test } from "vitest";
import { TeamError } from "../../../src/errors/index.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { Bus } from "../../../src/bus/bus.ts";
import { createTeamSystem } from "../../../src/index.ts";
import { rejection } from "../../support/sessions.ts";

/** A durable bus that is away for the next releases of a lease, and counts them. */
function busAway() {
  const bus = memoryBus();
  const away = { releases: 0 };
  const watched: Bus = {
    ...bus,
    kind: "sqlite",
    claims: {
      ...bus.claims,
      release: (claim) => {
        if (away.releases === 0) return bus.claims.release(claim);
        away.releases -= 1;
        return Promise.reject(new TeamError("bus_unavailable", { reason: "the server is away" }));
      },
    },
  };
  return { bus: watched, away };
}

test("a session whose lease could not be given back is opened again at once, as of a new epoch", async () => {
  const { bus, away } = busAway();
  await using system = await createTeamSystem({ bus, environment: {} });
  const first = await system.openSession({ id: "s" });
  away.releases = 1;
  await first.close();
  const second = await system.openSession({ id: "s" });
  expect(second.state.epoch).toBeGreaterThan(first.state.epoch);
});

test("while the lease can't be given back the session can't be opened, and that says why; later it can", async () => {
  const { bus, away } = busAway();
  await using system = await createTeamSystem({ bus, environment: {} });
  const first = await system.openSession({ id: "s" });
  away.releases = 2;
  await first.close();
  expect(await rejection(system.openSession({ id: "s" }))).toMatchObject({
    code: "bus_unavailable",
    data: { reason: expect.stringContaining('the lease of the session "s"') },
  });
  expect((await system.openSession({ id: "s" })).state.epoch).toBeGreaterThan(first.state.epoch);
});
