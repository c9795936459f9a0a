import type { ToolPermits } from "../../tools/permit.ts";
import type { GatedCall, PermissionGate } from "./permission-gate.ts";

/** What a tool gets as its context, and what is said with the permissions that it asks for meanwhile. */
export function permitsOf(
  gate: PermissionGate,
  call: Pick<GatedCall, "call" | "tool">,
): { readonly permits: ToolPermits; readonly notes: string[] } {
  const notes: string[] = [];
  const permits: ToolPermits = {
    permit: async (request) => {
      const given = await gate.permit(request, call);
      if (given.note !== null && given.note !== "") notes.push(given.note);
      return given;
    },
  };
  return { permits, notes };
}
