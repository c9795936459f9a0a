export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from "../actors/models/scripted-model.ts";
export type { Clock, TimerHandle } from "../protocol/clock.ts";
export { replay, type RecordingSource, type Replayed, type ReplayOptions } from "./replay.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
