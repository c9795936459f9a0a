import type { Append, Stored } from "../bus.ts";
import { parseSubject } from "./subjects.ts";
import type { Delivered } from "./pull.ts";

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** An input as a message. */
export const encodeRecord = ({ input, body }: Pick<Append, "input" | "body">): Uint8Array =>
  utf8.encode(JSON.stringify(body === undefined ? { input } : { input, body }));

/**
 * A message as an input. Whoever may publish can have written anything: what is no input at all has `null` for one, which
 * its reader refuses as it refuses any other input that is none. Null = it is in no session's mailbox.
 */
export function decodeRecord({ subject: where, seq, data }: Delivered): Stored | null {
  const subject = parseSubject(where);
  if (subject === null) return null;
  const record = parse(data);
  // Parsed by whoever reads it (`readForeign`), as from every other bus.
  const input = (record?.["input"] ?? null) as Stored["input"];
  return record !== null && "body" in record ? { subject, input, body: record["body"], seq } : { subject, input, seq };
}

function parse(data: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.decode(data));
    // An object has properties of any kind; what they hold is for its reader to find out.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
