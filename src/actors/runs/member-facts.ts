import type { SessionRuntime } from "../session/session-runtime.ts";

/** How a member of a session stands now, for what runs in its name. */

/** Whether its work is still to be delivered. */
export function isWorking(runtime: SessionRuntime, token: string): boolean {
  const member = runtime.state.members.get(token);
  return member !== undefined && runtime.facts.member(member.snapshot).work === "in_progress";
}

/** Whether it is asked to shut down. */
export function isDraining(runtime: SessionRuntime, token: string): boolean {
  const member = runtime.state.members.get(token);
  return member !== undefined && runtime.facts.member(member.snapshot).presence === "draining";
}

/** Whether its plan is still to be approved: until then it may only look, and speak. */
export function isPlanning(runtime: SessionRuntime, token: string): boolean {
  const context = runtime.state.members.get(token)?.snapshot.context;
  return context !== undefined && context.requirePlan && !context.planned;
}
