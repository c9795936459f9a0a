import { comingTasks, hookedTools, type ComingTask, type HookedCommand } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import type { HookTask } from "./hooks.ts";
import { boundedFeedback, type HookEvents, type HookRunner, type HookVerdict } from "./hook-runner.ts";
import type { Outgoing } from "../owner/owner.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** What hooks are asked about a command before it is sent. */

/** A command that hooks may be asked about. */
export type Hooked = Pick<Outgoing, "body" | "plan"> & { readonly event: HookedCommand };

/** Which hook lets a command not pass, and what it says. */
export interface HookNo {
  readonly hook: keyof HookEvents;
  readonly verdict: NonNullable<HookVerdict>;
}

/** Asks; rejects only with the reason of the signal, once that is aborted. */
type Ask = (signal?: AbortSignal) => Promise<HookNo | null>;

/** Whether a command is one that hooks may be asked about. */
export const isHooked = (event: InputEvent): event is HookedCommand => Object.hasOwn(hookedTools, event.type);

/** The command as it is sent when a hook does not let it pass: whoever folds the log reads that there. */
export const refusedBy = (event: HookedCommand, feedback: string): HookedCommand => ({ ...event, hook: { feedback } });

/**
 * How to ask about a message, or about the tasks that a command brings; null = nobody would be asked. Of a delivery a run
 * asks for itself: it knows whose it is.
 */
export function hookQuestion(
  { options, state }: SessionRuntime,
  runner: HookRunner,
  { event, body, plan }: Hooked,
  from: string,
): Ask | null {
  const { config } = options;
  const place = { session: config.session, team: state.team?.name ?? null, from };
  if (event.type === "message.send") {
    const { to, kind } = event;
    // Wake-ups from outside are no messages of anybody here.
    if (!runner.has("onMessage") || typeof body !== "string" || (kind !== "text" && kind !== "instruction"))
      return null;
    return async (signal) => {
      const verdict = await runner.ask("onMessage", { ...place, to, content: body, kind }, signal);
      return verdict === null ? null : { hook: "onMessage", verdict };
    };
  }
  if (plan === undefined || !runner.has("onTaskCreated")) return null;
  const tasks = comingTasks(plan, config, state.team?.board?.tasks.length ?? 0);
  if (tasks.length === 0) return null;
  const team = "members" in plan ? plan.name : place.team;
  return async (signal) => {
    const ask = (task: ComingTask): Promise<HookVerdict> =>
      runner.ask("onTaskCreated", { ...place, team, task: hookTask(task) }, signal);
    const verdict = together(tasks, await Promise.all(tasks.map(ask)));
    return verdict === null ? null : { hook: "onTaskCreated", verdict };
  };
}

const hookTask = ({ spec, origin }: ComingTask): HookTask => ({
  subject: spec.subject,
  description: spec.description ?? null,
  dependsOn: [...spec.dependsOn],
  priority: spec.priority,
  assignee: spec.assignee ?? null,
  agentType: spec.agentType ?? null,
  origin,
});

const subjectCharsMax = 80;

/** One answer about all tasks of a command: the first stop, else every no with the task that it is about. */
function together(tasks: readonly ComingTask[], verdicts: readonly HookVerdict[]): HookVerdict {
  const stop = verdicts.find((verdict) => verdict !== null && "stop" in verdict);
  if (stop !== undefined) return stop;
  const said = verdicts.flatMap((verdict, index) => {
    if (verdict === null || !("block" in verdict)) return [];
    const { subject = "" } = tasks[index]?.spec ?? {};
    if (tasks.length === 1) return [verdict.block];
    return [`"${subject.slice(0, subjectCharsMax).toWellFormed()}": ${verdict.block.replace(/\.+$/u, "")}`];
  });
  return said.length === 0 ? null : { block: boundedFeedback(said.join("; ")) };
}
