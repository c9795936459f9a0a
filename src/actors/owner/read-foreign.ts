import type { Stored } from "../../bus/bus.ts";
import { TeamError } from "../../errors/index.ts";
import { Input } from "../../protocol/input.ts";
import { isPlanned } from "../../protocol/plan.ts";
import { canonicalJson, digestOf } from "./body-store.ts";

/** A record of the log as it may be used, and what is wrong with it. */
export interface ForeignRecord {
  /** Without its body when that is not what the input refers to; null when it is no input at all. */
  readonly stored: Stored | null;
  readonly fault: TeamError | null;
}

/**
 * Reads a record that came from elsewhere: anybody who may write to the log can have written it. Who sent it, and to whom,
 * is what its subject says, since that alone a server can pin; an input that says otherwise is not used. An input names its
 * body by the digest of its content, so a body that was changed is found here. `held` gives bodies that are known already.
 */
export function readForeign(record: Stored, held: (digest: string) => unknown): ForeignRecord {
  const parsed = Input.safeParse(record.input);
  if (!parsed.success) return { stored: null, fault: badRecord(record, "it is no input") };
  const input = parsed.data;
  const { actor, sender } = record.subject;
  if (input.from !== sender || input.actor !== actor) {
    const problem = `it says that it is from ${shown(input.from)} for ${shown(input.actor)}, and ${shown(sender)} sent it to ${shown(actor)}; it is not used`;
    return { stored: null, fault: badRecord(record, problem) };
  }
  const bare: Stored = { subject: record.subject, seq: record.seq, input };
  const digest = bodyDigest(input);
  if (digest === null) return { stored: bare, fault: null };
  const known = held(digest);
  if (known !== undefined) return { stored: { ...bare, body: known }, fault: null };
  if (record.body === undefined) return { stored: bare, fault: badRecord(record, "its body is missing") };
  if (digestOf(canonicalJson(record.body)) !== digest) {
    return { stored: bare, fault: badRecord(record, "its body is not the one that it names; the body is not used") };
  }
  return { stored: { ...bare, body: record.body }, fault: null };
}

/** The digest by which an input names what is stored beside it: its body, or the plan of its event. */
function bodyDigest({ body, event }: Input): string | null {
  if (body !== undefined) return body.digest;
  return isPlanned(event) ? event.plan : null;
}

const shown = (token: string): string => JSON.stringify(token.slice(0, 100));

const badRecord = ({ seq }: Stored, problem: string): TeamError =>
  new TeamError("bad_input", { what: `record ${seq}`, problem });
