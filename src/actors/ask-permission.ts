import { hash } from "node:crypto";
import { canonicalJson } from "./body-store.ts";
import type { ModelToolCall } from "./model-call.ts";
import type { RunPort } from "./run-port.ts";

/** What became of a call that had to ask: `denied` says why it must not run, null when it may. */
export interface PermissionAnswer {
  readonly denied: string | null;
  /** The words of whoever answered, or null. */
  readonly note: string | null;
}

/** Digits of a request's id: short enough to be typed. */
const idLength = 12;

/**
 * The id of a request. Made of actor, run and call, since providers number calls anew in every answer and two members may
 * ask at once; and without any of them in it, since whoever answers sees it.
 */
const requestId = ({ token, run }: RunPort, call: string): string =>
  hash("sha256", canonicalJson([token, run, call])).slice(0, idLength);

/** Asks before a call runs, and waits for the one answer; it holds for this tool and these arguments alone. */
export async function askPermission(port: RunPort, call: ModelToolCall): Promise<PermissionAnswer> {
  const subject = hash("sha256", canonicalJson([call.tool, call.input]));
  const reply = await port.send(
    {
      actor: "lead",
      event: { type: "permission.ask", kind: "tool", tool: call.tool.slice(0, 200), subject, approver: "user" },
      body: call.input,
    },
    requestId(port, call.call),
  );
  const result = "ok" in reply && reply.ok.type === "permission" ? reply.ok : null;
  const note = result?.note ?? null;
  if (result === null) return { denied: "it could not be asked for", note };
  if (result.verdict === "approved") return { denied: null, note };
  return { denied: result.verdict === "timed_out" ? "nobody answered in time" : result.verdict, note };
}
