import { findAgentType } from "../../protocol/default-agent-type.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { MemberSpec, TeamSpec } from "../../protocol/spec.ts";
import { BoardSpec, type TaskSpec } from "../../protocol/task.ts";
import { findCycle } from "../dag.ts";
import { taskName } from "./board-state.ts";
import type { Faults } from "./faults.ts";
import { bytesOver } from "./plan-check.ts";

/** What is wrong with tasks before they are on a board. Faults are collected, so that one answer tells all of them. */

/** A task to be added: its declaration, its number, and its dependencies by the numbers of the board. */
export interface NewTask {
  readonly spec: TaskSpec;
  readonly id: number;
  readonly dependsOn: readonly number[];
}

/** The board that a team of this declaration has, or null. Tasks that come from anywhere make one. */
export function boardOfSpec(spec: TeamSpec, config: SessionConfig): BoardSpec | null {
  const given = spec.board ?? config.board;
  if (given !== undefined) return given;
  const hasTasks = (spec.tasks ?? []).length > 0 || spec.members.some((each) => seedsOf(each, config).length > 0);
  return hasTasks ? BoardSpec.parse({}) : null;
}

/** The tasks that members of an agent type bring with them. */
export const seedsOf = ({ agentType }: Pick<MemberSpec, "agentType">, config: SessionConfig): readonly TaskSpec[] =>
  findAgentType(config.agentTypes, agentType)?.tasks ?? [];

/**
 * Numbers tasks from `first` on. The numbers in their `dependsOn` count from `from`: those of a type's seed tasks count
 * within its own list, all others on the board.
 */
export const numberTasks = (specs: readonly TaskSpec[], first: number, from = 0): NewTask[] =>
  specs.map((spec, index) => ({
    spec,
    id: first + index,
    dependsOn: [...new Set(spec.dependsOn)].map((id) => id + from),
  }));

/** Finds what is wrong with the sizes and the type of one task, or of its change. */
export function checkTask(
  task: string,
  { subject, description, agentType }: Partial<Pick<TaskSpec, "subject" | "description" | "agentType">>,
  config: SessionConfig,
  faults: Faults,
): void {
  const { taskSubjectBytesMax, taskDescriptionBytesMax } = config.limits;
  if (subject !== undefined) {
    if (subject.trim() === "") faults.add("bad_input", { what: `the subject of ${task}`, problem: "it is empty" });
    checkSize(`the subject of ${task}`, subject, taskSubjectBytesMax, faults);
  }
  if (description !== undefined) {
    checkSize(`the description of ${task}`, description, taskDescriptionBytesMax, faults);
  }
  if (agentType === undefined || findAgentType(config.agentTypes, agentType) !== undefined) return;
  faults.unknownAgentType(
    task,
    agentType,
    config.agentTypes.map(({ name }) => name),
  );
}

function checkSize(what: string, text: string, bytesMax: number, faults: Faults): void {
  const bytes = bytesOver(text, bytesMax);
  if (bytes > 0) faults.add("payload_too_large", { what, bytes, bytesMax });
}

/** Finds dependencies that are no task of a board with so many tasks. */
export function checkDependencies(task: string, dependsOn: readonly number[], count: number, faults: Faults): void {
  for (const id of dependsOn) {
    if (id <= count || faults.full) continue;
    faults.unknownTaskDependency(task, taskName(id), count);
  }
}

/** Finds a cycle in the tasks of a board; `graph` holds what each depends on, by their numbers. */
export function checkTaskCycle(graph: readonly (readonly number[])[], faults: Faults): void {
  const cycle = findCycle(graph.map((dependsOn) => dependsOn.filter((id) => id <= graph.length).map((id) => id - 1)));
  if (cycle !== null) faults.add("cycle", { path: cycle.map((index) => taskName(index + 1)) });
}

/** Finds what is wrong with the tasks that a board of `count` tasks is to get. */
export function checkNewTasks(
  added: readonly NewTask[],
  { count, graph, config }: { count: number; graph: readonly (readonly number[])[]; config: SessionConfig },
  faults: Faults,
): void {
  const { tasksMax } = config.limits;
  const total = count + added.length;
  if (added.length > 0 && total > tasksMax) {
    faults.add("too_many_tasks", { count: total, tasksMax });
    return;
  }
  for (const { spec, id, dependsOn } of added) {
    if (faults.full) return;
    checkTask(`task ${taskName(id)}`, spec, config, faults);
    checkDependencies(`task ${taskName(id)}`, dependsOn, total, faults);
  }
  checkTaskCycle([...graph, ...added.map(({ dependsOn }) => dependsOn)], faults);
}
