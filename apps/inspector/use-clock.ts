import { useSession, useShown } from "./session-context.ts";
import { useNow } from "./use-now.ts";

/**
 * The service's time now, ms, in whole seconds: by it what is shown still goes on, also while no input comes. Null where it
 * does not: in an earlier place, in a recording, in a session that is closed. There the last input tells the time.
 */
export function useClock(): number | null {
  const { skewMs } = useSession();
  const goesOn = useShown(({ atHead, session }) => atHead && session.snapshot.value !== "closed");
  const now = useNow();
  return goesOn && skewMs !== null ? now + skewMs : null;
}
