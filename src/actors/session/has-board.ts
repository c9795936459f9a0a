import type { SessionRuntime } from "./session-runtime.ts";

/** Whether this session's lead can have to do with a task board: its teams have one, or the one that is there does. */
export const hasBoard = ({ state, options }: Pick<SessionRuntime, "state" | "options">): boolean =>
  options.config.board !== undefined || (state.team?.board ?? null) !== null;
