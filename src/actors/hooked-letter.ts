import type { MessageEvent } from "./hooks.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** What hooks say to a message of the host, as a part of its event: nobody can be stopped, so whoever says no refuses it. */
export async function hookedLetter(
  { options, state }: SessionRuntime,
  letter: Pick<MessageEvent, "from" | "to" | "content" | "kind">,
  signal?: AbortSignal,
): Promise<{ readonly hook?: { readonly feedback: string } }> {
  const { hooks, config } = options;
  if (!hooks.has("onMessage")) return {};
  const place = { session: config.session, team: state.team?.name ?? null };
  const verdict = await hooks.ask("onMessage", { ...place, ...letter }, signal);
  if (verdict === null) return {};
  return { hook: { feedback: "block" in verdict ? verdict.block : verdict.stop } };
}
