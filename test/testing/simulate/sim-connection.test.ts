import { LinkFates, calmLink } from "../../../src/testing/simulate/link-fates.ts";
import { SeededRandom } from "../../../src/testing/simulate/seeded-random.ts";
import { SimConnection } from "../../../src/testing/simulate/sim-connection.ts";
import { SimProcess } from "../../../src/testing/simulate/sim-process.ts";
import { SimScheduler } from "../../../src/testing/simulate/sim-scheduler.ts";
import { SimStore } from "../../../src/testing/simulate/sim-store.ts";
import { busContract } from "../../bus/contract.ts";
import type { MakeBus } from "../../bus/contract/bus-maker.ts";

/** A simulated bus that runs by itself: as long as it is open, whatever is under way happens in its seeded order. */
const simulatedBus =
  (quality = calmLink): MakeBus =>
  async ({ clock, onError }) => {
    const random = new SeededRandom(7);
    const scheduler = new SimScheduler(random.fork("scheduler"));
    const store = new SimStore({ clock, onFault: onError });
    const process = new SimProcess("client", scheduler);
    const fates = new LinkFates(random.fork("link"), () => quality);
    const bus = new SimConnection({ scheduler, process, store, fates, onFault: onError });
    let isClosed = false;
    const run = async (): Promise<void> => {
      while (!isClosed) if (!(await scheduler.step())) await new Promise((resolve) => setImmediate(resolve));
    };
    const running = run();
    const close = bus.close.bind(bus);
    bus.close = async () => {
      await close();
      isClosed = true;
      await running;
    };
    return bus;
  };

busContract("simulated", simulatedBus(), { leasesByClock: true, interleavings: 100 });

busContract(
  "simulated, with deliveries that are lost or come twice,",
  simulatedBus({ ...calmLink, dropped: 0.2, duplicate: 0.2 }),
  { leasesByClock: true, interleavings: 100 },
);
