import { TeamError } from "../errors/index.ts";

/** What a tool may ask for in the middle of its work. */
export interface PermitRequest {
  readonly kind: "network";
  /** The host that it wants to reach: a name or an address, without scheme, port and path. */
  readonly host: string;
}

/** That it may. */
export interface Permit {
  /** The words of whoever was asked, or null. */
  readonly note: string | null;
}

/** What the runtime hands to a tool as its `context`. */
export interface ToolPermits {
  readonly permit: (request: PermitRequest) => Promise<Permit>;
}

const isPermits = (context: unknown): context is ToolPermits =>
  typeof context === "object" && context !== null && "permit" in context && typeof context.permit === "function";

/**
 * Asks whether a tool may do this, in the name of whoever called it; `options` is the second argument of its `execute`.
 * Resolves when the rules allow it or somebody approves. Rejects with `permission_denied` otherwise, and also where a tool is
 * called by nobody of a team.
 */
export async function permit(options: { readonly context?: unknown }, request: PermitRequest): Promise<Permit> {
  if (isPermits(options.context)) return options.context.permit(request);
  throw new TeamError("permission_denied", { tool: "it", reason: "there is nobody here who could be asked" });
}
