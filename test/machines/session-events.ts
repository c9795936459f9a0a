import type { SessionEvent } from "../../src/machines/index.ts";

/** Every event a session can be sent, with every verdict. */
export const sessionEvents: readonly SessionEvent[] = (
  ["session.opened", "owner.claimed", "owner.released", "session.closed"] as const
).map((type) => ({ type }));
