import type { AskToLeave } from "../../tools/team/index.ts";
import type { PermissionGate } from "./permission-gate.ts";

/** Asks in the name of a member to be let out of explore mode. */
export async function askToLeave(
  gate: PermissionGate,
  ...[reason, call]: Parameters<AskToLeave>
): ReturnType<AskToLeave> {
  const answer = await gate.leaveExplore(reason, call.toolCallId);
  return "error" in answer ? { approved: false, remark: answer.reason } : { approved: true, remark: answer.note };
}
