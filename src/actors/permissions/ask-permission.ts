import { hash } from "node:crypto";
import { canonicalJson } from "../owner/body-store.ts";
import type { RunPort } from "../runs/run-port.ts";

/** Something that must be asked for. */
export interface AskRequest {
  readonly kind: "tool" | "network" | "mode";
  /** What tells it apart from everything else that this run asks for: the call's id, and more where a call asks twice. */
  readonly id: string;
  /** The call in whose name it asks: a request that is still open when it ends is cancelled. */
  readonly call: string;
  /** The tool that is to be used or that asks; of a mode its name. */
  readonly tool: string;
  readonly input: unknown;
  /** What rules were matched against: a real path, a command, a host. */
  readonly target: string | null;
  readonly approver: "user" | "lead";
}

/** What became of it: `denied` says why it must not be, null when it may. */
export interface AskAnswer {
  readonly denied: string | null;
  /** The words of whoever answered, or null. */
  readonly note: string | null;
}

/** The body of `permission.ask`: what whoever answers gets to see. */
export interface AskBody {
  readonly input: unknown;
  readonly target: string | null;
  /** Who told whom what, down to the one that asks: see `Journals.origins`. */
  readonly chains: readonly (readonly string[])[];
}

/** Digits of a request's id: short enough to be typed. */
const idLength = 12;

/**
 * The id of a request. Made of actor, run and call, since providers number calls anew in every answer and two members may
 * ask at once; and without any of them in it, since whoever answers sees it.
 */
const requestId = ({ token, run, by }: RunPort, call: string): string =>
  hash("sha256", canonicalJson([token, run, call, ...(by === "" ? [] : [by])])).slice(0, idLength);

/** Asks, and waits for the one answer; it holds for this tool and these arguments alone. */
export async function askPermission(
  port: RunPort,
  { kind, id, call, tool, input, target, approver }: AskRequest,
  chains: AskBody["chains"],
): Promise<AskAnswer> {
  const subject = hash("sha256", canonicalJson([kind, tool, input]));
  const body: AskBody = { input, target, chains };
  const event = { type: "permission.ask", call, kind, tool: tool.slice(0, 200), subject, approver } as const;
  const reply = await port.send({ actor: "lead", event, body }, requestId(port, id));
  const result = "ok" in reply && reply.ok.type === "permission" ? reply.ok : null;
  const note = result?.note ?? null;
  if (result === null) return { denied: "it could not be asked for", note };
  if (result.verdict === "approved") return { denied: null, note };
  return { denied: result.verdict === "timed_out" ? "nobody answered in time" : result.verdict, note };
}
