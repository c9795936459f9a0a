import type { MemberStatus } from "../protocol/status.ts";

/** How a member stands: one word, and its kind for whoever colours it. */
export interface MemberWord {
  readonly kind: "waiting" | "working" | "resting" | "done" | "failed" | "cancelled";
  readonly word: string;
  /** Whom it waits for, what it does, or why it failed; empty when there is nothing to say. */
  readonly more: string;
}

const namedMax = 3;

/** `Ann, Ben, Cem and 4 more`. */
function listOf(names: readonly string[]): string {
  const more = names.length - namedMax;
  return more > 0 ? `${names.slice(0, namedMax).join(", ")} and ${more} more` : names.join(", ");
}

/** The one thing worth saying of a member. */
export function memberWord({ status, presence, activity, waitingOn, reason }: MemberStatus): MemberWord {
  if (status === "failed") return { kind: "failed", word: "failed", more: reason ?? "" };
  if (status === "cancelled") return { kind: "cancelled", word: "cancelled", more: reason ?? "" };
  if (status === "blocked") {
    const more = waitingOn.length > 0 ? `waits for ${listOf(waitingOn)}` : "";
    return { kind: "waiting", word: "blocked", more };
  }
  if (presence === "running") return { kind: "working", word: "running", more: (activity ?? "").replaceAll("_", " ") };
  if (status === "completed") return { kind: "done", word: "completed", more: presence === "idle" ? "idle" : "" };
  return { kind: "resting", word: presence === "parked" ? "waits to start" : presence, more: "" };
}
