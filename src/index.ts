export {
  defineAgent,
  type Agent,
  type AgentSource,
  type FunctionAgent,
  type FunctionResult,
  type FunctionRun,
  type LongConversation,
  type MailReader,
  type ModelAgent,
  type ReceivedMail,
  type UpstreamResult,
  type WorkOptions,
} from "./actors/agents/agent.ts";
export { pending, type PendingCall, type PendingOptions } from "./tools/pending.ts";
export { permit, type Permit, type PermitRequest } from "./tools/permit.ts";
export type { AppliedRecord } from "./actors/owner/owner.ts";
export type { PrepareStep } from "./actors/session/own-loop.ts";
export type { RecordOptions, SessionRecording } from "./actors/recording/record-session.ts";
export type { Purged } from "./bus/bus.ts";
export type { LineSink } from "./actors/recording/recorder.ts";
export type { PermissionAnswer } from "./actors/commands/session-inputs.ts";
export type { Invitation } from "./actors/commands/host-commands.ts";
export type { Session } from "./actors/session/session.ts";
export type { SessionMailQuery } from "./actors/mail/session-mail.ts";
export type { SessionStatus } from "./actors/session/session-status.ts";
export type { TeamListing } from "./actors/session/teams-of.ts";
export type { TeamDeclaration } from "./actors/session/team-declaration.ts";
export type {
  AgentHooks,
  CompleteEvent,
  Hook,
  HookAnswer,
  HookMember,
  HookTask,
  IdleEvent,
  MessageEvent,
  TaskCreatedEvent,
  TeamHooks,
} from "./actors/hooks/hooks.ts";
export {
  createAgent,
  type AgentMemory,
  type AgentTeam,
  type LivingAgent,
  type LivingAgentOptions,
} from "./actors/agents/living-agent.ts";
export type { HostedLead } from "./actors/agents/hosted-lead.ts";
export type { GivenClaim, SessionBoard } from "./actors/session/session-board.ts";
export type { MemberBoard, TaskBoard, TaskChangeInput } from "./actors/session/task-board.ts";
export type { Team, TeamResult } from "./actors/session/team.ts";
export { createTeamSystem } from "./actors/system/create-team-system.ts";
export type { OpenSessionOptions } from "./actors/session/open-session-options.ts";
export type { TeamSystemOptions } from "./actors/system/team-system-options.ts";
export type { TeamSystem } from "./actors/system/team-system-port.ts";
export type { AgentOffering } from "./actors/workers/agent-offering.ts";
export type { OfferOptions, WorkerEvent } from "./actors/workers/offer-options.ts";
export type { SystemHealth } from "./actors/owner/bus-health.ts";
export type { HistoryLine, HistoryOptions, HistoryPage, SessionHistory } from "./actors/history/session-history.ts";
export type { Inspection } from "./actors/session/inspection.ts";
export type { TextPiece } from "./actors/runs/text-stream.ts";
export type { ReplanPreview, UserCommands } from "./actors/commands/user-commands.ts";
export { httpStatus, isTeamError, TeamError, type ErrorCode, type ErrorData, type Refusal } from "./errors/index.ts";
export type { SessionState } from "./machines/index.ts";
export type { Effort, Isolation, LeadMode, RunsOn, ToolVisibility } from "./protocol/agent-fields.ts";
export type {
  AgentPermissions,
  PermissionMode,
  PermissionPolicy,
  PermissionRules,
} from "./protocol/permissions/permission-policy.ts";
export type { EventLine, ResultLine } from "./protocol/recording.ts";
export type * from "./protocol/reply.ts";
export type { Price } from "./protocol/prices.ts";
export type { BoardSpecInput, SeedTaskInput, TaskSpecInput, TaskState, TaskStatus } from "./protocol/task.ts";
export type { BudgetUse, PendingCallStatus, PermissionRequestStatus } from "./protocol/status.ts";
