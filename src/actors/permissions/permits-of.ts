import { TeamError } from "../../errors/index.ts";
import type { ToolPermits } from "../../tools/permit.ts";
import type { GatedCall, PermissionGate } from "./permission-gate.ts";

/** The way of one call to permissions. */
interface CallPermits {
  /** What its tool gets as its context. */
  readonly permits: ToolPermits;
  /** What was said with the permissions that it was given. */
  readonly notes: string[];
  /** The call has ended: a tool that goes on all the same is given nothing any more. */
  readonly end: () => void;
}

/** What a tool asks by in the middle of its work. */
export function permitsOf(gate: PermissionGate, call: Pick<GatedCall, "call" | "tool">): CallPermits {
  const notes: string[] = [];
  let isOver = false;
  const permits: ToolPermits = {
    permit: async (request) => {
      if (isOver) throw new TeamError("permission_denied", { tool: call.tool, reason: "its call has ended" });
      const given = await gate.permit(request, call);
      if (given.note !== null && given.note !== "") notes.push(given.note);
      return given;
    },
  };
  return { permits, notes, end: () => void (isOver = true) };
}
