import { TeamError } from "../errors/index.ts";
import { guardedFault } from "../actors/system/guarded-fault.ts";
import { ServiceMetrics } from "./metrics/service-metrics.ts";
import { serve, type TeamService } from "./service.ts";
import type { ServiceOptions } from "./service-options.ts";
import { RecordedSession, type Recorded } from "./sessions/recorded-session.ts";

/** Makes a service that shows one recording. Nothing in it can be changed, so it takes no control. */
export function createRecordingService(recorded: Recorded, options: ServiceOptions): TeamService {
  if (options.control === true)
    throw new TeamError("bad_input", { what: "control", problem: "a recording takes no commands" });
  const session = new RecordedSession(recorded);
  const directory = {
    bus: "recording",
    open: () => [session],
    list: async () => [session],
    find: async (id: string) => (id === session.id ? session : undefined),
    health: async () => ({ ready: true, reasons: [] }),
    close: () => {},
  };
  return serve(directory, { ...options, metrics: new ServiceMetrics(null), onFault: guardedFault(options.onFault) });
}
