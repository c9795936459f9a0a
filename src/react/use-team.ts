import { useMemo, useSyncExternalStore } from "react";
import { httpTeam, type HttpTeamOptions } from "./http-team.ts";
import { sessionTeam, type WatchedSession } from "./session-team.ts";
import type { TeamSource, TeamView } from "./team-view.ts";

/**
 * The team of a session, and again whenever it changes. Give it a `Session` of this process, the address of a service, or a
 * source that several components share (`httpTeam`, `sessionTeam`).
 */
export function useTeam(team: WatchedSession | HttpTeamOptions | TeamSource): TeamView {
  // Options are written where the hook is called, so each rendering has an object of its own with the same values.
  const [watched, url, session, token, fetch] =
    "url" in team ? [null, team.url, team.session, team.token, team.fetch] : [team];
  const source = useMemo(() => {
    if (watched !== null) return "subscribe" in watched ? watched : sessionTeam(watched);
    return httpTeam({
      url: url ?? "",
      session: session ?? "",
      ...(token === undefined ? {} : { token }),
      ...(fetch === undefined ? {} : { fetch }),
    });
  }, [watched, url, session, token, fetch]);
  const subscribe = useMemo(() => (listener: () => void) => source.subscribe(listener), [source]);
  const view = (): TeamView => source.view;
  return useSyncExternalStore(subscribe, view, view);
}
