import type { Reply } from "../../protocol/reply.ts";
import { LEAD } from "../../protocol/names.ts";
import { hookQuestion, isHooked, refusedBy } from "../hooks/hook-question.ts";
import type { Outgoing } from "../owner/owner.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/**
 * Sends a command of the host, with what its hooks say to it: nobody can be stopped, so whoever says no refuses it. Where
 * no hook is asked it is appended at once, so that what a host commands is in the log in the order of its calls.
 */
export function sendAsHost(runtime: SessionRuntime, outgoing: Outgoing, signal?: AbortSignal): Promise<Reply> {
  const { owner, options } = runtime;
  const { event } = outgoing;
  const from = outgoing.from === "lead" ? LEAD : "user";
  const ask = isHooked(event) ? hookQuestion(runtime, options.hooks, { ...outgoing, event }, from) : null;
  if (ask === null || !isHooked(event)) return owner.command(outgoing, signal);
  return ask(signal).then((no) => {
    if (no === null) return owner.command(outgoing, signal);
    const feedback = "block" in no.verdict ? no.verdict.block : no.verdict.stop;
    return owner.command({ ...outgoing, event: refusedBy(event, feedback) }, signal);
  });
}
