export { describeRefusal, type Refusal } from "../errors/index.ts";
export { BodyRef, CommandKey, Input, InputEvent, Usage, type InputOf, type InputType } from "./input.ts";
export { Limits, resolveLimits } from "./limits.ts";
export {
  BROADCAST,
  byteLength,
  canonicalRecipient,
  collisionKey,
  LEAD,
  nameToken,
  nearestName,
  normalizeName,
} from "./names.ts";
export { SessionCheckpoint } from "./checkpoint.ts";
export { MailKind, MailState, type AcknowledgeResult, type MailPage, type MailStatus } from "./mail.ts";
export { NoticeKind } from "./notice.ts";
export {
  BodyLine,
  CheckpointLine,
  ErrorLine,
  EventLine,
  HeaderLine,
  InputLine,
  PostLine,
  recordedInput,
  recordingFormat,
  recordingVersion,
  ResultLine,
  Violation,
} from "./recording.ts";
export type {
  CreateResult,
  DissolveResult,
  InviteResult,
  PermissionResult,
  PresenceState,
  ReplanResult,
  Reply,
  ReplyValue,
  SendResult,
  TaskAddResult,
  TaskUpdateResult,
  TeamOutcome,
  WorkState,
} from "./reply.ts";
export { LogStart, ServiceInfo, SessionSummary } from "./service-api.ts";
export { AgentTypeFacts, LeadKind, SessionConfig } from "./session-config.ts";
export {
  AddedMemberSpec,
  Comms,
  DissolveSpec,
  InviteSpec,
  Lifetime,
  MemberSpec,
  ReplanSpec,
  TeamSpec,
  UpstreamFailurePolicy,
  type DissolveSpecInput,
  type InviteSpecInput,
  type MemberSpecInput,
  type ReplanSpecInput,
  type TeamSpecInput,
} from "./spec.ts";
export {
  BoardSpec,
  TaskChange,
  TaskSpec,
  TaskState,
  type BoardSpecInput,
  type TaskSpecInput,
  type TaskStatus,
} from "./task.ts";
export type { Plan } from "./plan.ts";
export type { MemberStatus, MessageCounts, PermissionRequestStatus, TeamState, TeamStatus } from "./status.ts";
export { formatSubject, memberToken, shardOf, shardsDefault, teamToken, type Subject } from "./subject.ts";
