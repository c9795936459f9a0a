export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from "../actors/models/scripted-model.ts";
export type { Clock, TimerHandle } from "../protocol/clock.ts";
export { replay, type RecordingSource, type Replayed, type ReplayOptions } from "./replay.ts";
export { budgetKinds, type Budget, type Budgets } from "./check/budgets.ts";
export { checkModel } from "./check/check-model.ts";
export { checkPath, type PathResult } from "./check/check-path.ts";
export { checkRecording, type Conformance } from "./check/check-recording.ts";
export type { CheckResult, SymmetryReport } from "./check/check-result.ts";
export type { Counterexample } from "./check/counterexample.ts";
export { mergeCoverage, type Coverage } from "./check/coverage.ts";
export { dagShapes } from "./check/dag-shapes.ts";
export { hostCommands } from "./check/host-commands.ts";
export { checkMatchers, type CheckMatchers, type Matched } from "./check/matchers.ts";
export type { Given, Move, MoveInput } from "./check/move.ts";
export type {
  CheckOptions,
  GhostState,
  Properties,
  StateProperty,
  Step,
  StepOf,
  StepProperty,
} from "./check/properties.ts";
export type { MachineOrNone, Protocol, ProtocolMove, ViewOf } from "./check/protocol.ts";
export type { MemberView, SessionView, TaskView } from "./check/session-view.ts";
export {
  teamModel,
  type ModelMember,
  type ModelStep,
  type ModelAgentType,
  type ModelTask,
  type TeamModel,
  type TeamModelOptions,
} from "./check/team-model.ts";
export { checkMachine } from "./machine/check-machine.ts";
export type {
  AlwaysCycle,
  Deadlock,
  DeadReason,
  DeadTransition,
  MachineCheck,
  MachineError,
  MachineLimit,
  MachinePath,
  MissingPayload,
  PathStep,
  UnhandledEvents,
} from "./machine/machine-check-result.ts";
export type { ActorOutcomes, MachineCheckOptions, MachineLimits } from "./machine/machine-options.ts";
export type { SimulationProblem } from "./simulate/judge-world.ts";
export { faultKinds, type FaultKind, type SimulateOptions } from "./simulate/simulate-options.ts";
export { simulate } from "./simulate/simulate.ts";
export type { Simulation } from "./simulate/simulation.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
