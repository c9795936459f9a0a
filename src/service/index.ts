export { createService, type TeamService } from "./service.ts";
export type { LogEntry, ServiceOptions } from "./service-options.ts";
export { nodeHandler } from "./node-handler.ts";
export { listen, type Listening, type ListenOptions } from "./listen.ts";
