export { useTeam } from "./use-team.ts";
export { TeamCard, type TeamCardProps } from "./team-card.tsx";
export { httpTeam, type HttpTeamOptions } from "./http-team.ts";
export { sessionTeam, type WatchedSession } from "./session-team.ts";
export type { TeamSource, TeamView, TeamViewFault } from "./team-view.ts";
