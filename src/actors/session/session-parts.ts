import type { ToolBlocks } from "../../tools/team/index.ts";
import type { PortContext } from "../runs/run-port.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** What a session has beside its runtime. */
export interface SessionParts {
  readonly blocks: ToolBlocks;
  /** The lead's way to its session. */
  readonly leadContext: (runtime: SessionRuntime) => PortContext;
  /** Lets go of the session and of everything that the system keeps for it; `ends`: nobody is to go on with it. */
  readonly close: (runtime: SessionRuntime, ends: boolean) => Promise<void>;
}
