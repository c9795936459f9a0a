import type { TeamStatus } from "../protocol/status.ts";
import { Listeners, type TeamSource, type TeamView } from "./team-view.ts";

/** A session of this process, as far as a view needs it. Each `Session` of a team system is one. */
export interface WatchedSession {
  status(): TeamStatus;
  readonly events$: {
    subscribe(observer: { next(): void; complete(): void }): { unsubscribe(): void };
  };
}

/** Changes that come within this time are shown together, in ms. */
const togetherMs = 50;

/** The team of a session that runs in this process: for terminals (Ink), desktop apps and server rendering. */
export function sessionTeam(session: WatchedSession): TeamSource {
  let view: TeamView = { phase: "live", status: session.status(), fault: null };
  let due: ReturnType<typeof setTimeout> | null = null;
  const look = (): void => {
    due = null;
    view = { phase: "live", status: session.status(), fault: null };
    listeners.tell();
  };
  const listeners = new Listeners(() => {
    const next = (): void => {
      due ??= setTimeout(look, togetherMs);
    };
    const subscription = session.events$.subscribe({ next, complete: next });
    // What happened between the first view and this subscription.
    if (session.status().version !== view.status?.version) next();
    return () => {
      subscription.unsubscribe();
      if (due !== null) clearTimeout(due);
      due = null;
    };
  });
  return {
    get view() {
      return view;
    },
    subscribe: (listener) => listeners.add(listener),
  };
}
