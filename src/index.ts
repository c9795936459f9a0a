export {
  defineAgent,
  type Agent,
  type AgentSource,
  type FunctionAgent,
  type FunctionResult,
  type FunctionRun,
  type MailReader,
  type ModelAgent,
  type ReceivedMail,
  type UpstreamResult,
} from "./actors/agent.ts";
export type { PrepareStep } from "./actors/own-loop.ts";
export type { Session, SessionStatus, TeamDeclaration } from "./actors/session.ts";
export type { HostedLead } from "./actors/start-run.ts";
export type { Team, TeamResult } from "./actors/team.ts";
export {
  createTeamSystem,
  type OpenSessionOptions,
  type TeamSystem,
  type TeamSystemOptions,
} from "./actors/team-system.ts";
export { isTeamError, TeamError, type ErrorCode, type ErrorData, type Refusal } from "./errors/index.ts";
export type { EventLine } from "./protocol/recording.ts";
export type * from "./protocol/reply.ts";
