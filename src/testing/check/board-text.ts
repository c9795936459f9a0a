import type { BoardRecord, TaskRecord } from "../../machines/index.ts";

/**
 * What steers a board, as a text: without subjects, notes, times and who added what. Members by their places. Whose a closed
 * task was steers nothing: whoever opens it again takes it from them.
 */
export function boardText(
  { selfClaim, onOwnerGone, tasks }: BoardRecord,
  placeOf: (token: string | null) => number,
): string {
  const textOf = ({
    status,
    owner,
    assignee,
    agentType,
    priority,
    dependsOn,
    offeredTo,
    declined,
  }: TaskRecord): string => {
    const place = [status, status === "in_progress" ? placeOf(owner) : -1, placeOf(assignee), agentType, priority];
    const asked = [placeOf(offeredTo), declined.map(placeOf).toSorted((a, b) => a - b)];
    return JSON.stringify([...place, dependsOn, ...asked]);
  };
  return `b${selfClaim},${onOwnerGone}${tasks.map(textOf).join("")}`;
}
