export { findCycle, type Graph } from "./dag.ts";
export { eventLines } from "./event-lines.ts";
export { leadMachine, type LeadContext, type LeadEvent } from "./lead-machine.ts";
export { memberMachine } from "./member-machine.ts";
export type { MemberContext, MemberEvent } from "./member-events.ts";
export { sessionMachine, type SessionEvent } from "./session-machine.ts";
export { teamMachine, type TeamContext, type TeamEvent, type TeamVerdict } from "./team-machine.ts";
export {
  describeMachine,
  type GuardDescription,
  type MachineDescription,
  type StateDescription,
  type TransitionDescription,
} from "./describe-machine.ts";
export type { LiveActor } from "./live-actor.ts";
export { createLiveActors, type LiveActors } from "./live-actors.ts";
export { liveSource } from "./live-source.ts";
export { describeAll, machineText, sessionMachines, type MachineName } from "./machine-hash.ts";
export { toMermaid } from "./to-mermaid.ts";
export { createStepper, type Effect, type Step, type Stepper, type StepperKeys } from "./transition-once.ts";
export { possibleTransitions, type GuardOutcome, type PossibleTransition } from "./possible-transitions.ts";
export { stateNodesOf, transitionsFrom, type StateNodeShape } from "./state-nodes.ts";
export { createKernel, type Applied, type Kernel } from "./kernel/kernel.ts";
export type { AppliedStep, DueReply, KernelRecord, Verdict } from "./kernel/applied.ts";
export { fromCheckpoint, toCheckpoint } from "./kernel/checkpoint.ts";
export { desiredLeadRun, desiredRun, desiredRuns, type DesiredRun } from "./kernel/desired.ts";
export type { FactReader, LeadFacts, LeadTurn, MemberActivity, MemberFacts, TeamFacts } from "./kernel/facts.ts";
export { teamBudgets } from "./kernel/budgets.ts";
export { turnsMaxOf } from "./kernel/turns.ts";
export { comingTasks, type ComingTask } from "./kernel/coming-tasks.ts";
export { hookedTools, idleBlocksMax, type HookedCommand } from "./kernel/hooks.ts";
export type { MailFact } from "./kernel/mail-fact.ts";
export type { OutsideAnswer, OutsideCall } from "./kernel/outside-call.ts";
export { displayName } from "./kernel/roster.ts";
export {
  cloneSession,
  type CommandRef,
  type LeadRecord,
  type Mail,
  type MemberRecord,
  type PermissionRequest,
  type Poll,
  type RunData,
  type SessionState,
  type TeamRecord,
} from "./kernel/state.ts";
export type { WorktreeRecord } from "./kernel/worktree-record.ts";
export { worktreeOf } from "./kernel/worktrees.ts";
export {
  memberByName,
  membersInOrder,
  memberStatus,
  messageCounts,
  projectStatus,
  type RequestTexts,
  type ResultLookup,
  type ResultTexts,
} from "./kernel/status.ts";
export { taskStatuses } from "./kernel/task-status.ts";
export type { BoardRecord, TaskRecord } from "./kernel/board-state.ts";
export type { Steppers } from "./kernel/steppers.ts";
export { desiredTimers, idleTimer, shutdownTimer, type DesiredTimer } from "./kernel/timers.ts";
