import { TeamError } from "../../errors/index.ts";
import type { Reply, ReplyValue } from "../../protocol/reply.ts";

/** The value of a reply of this type, without its type; a refusal is thrown. */
export function expectReply<Type extends ReplyValue["type"]>(
  reply: Reply,
  type: Type,
): Omit<Extract<ReplyValue, { type: Type }>, "type"> {
  if ("refused" in reply) throw TeamError.from(reply.refused);
  const { type: given, ...value } = reply.ok;
  if (given !== type) throw new TeamError("kernel_error", { problem: `${given} answers a ${type}` });
  // Checked on the line above; a generic comparison doesn't narrow the union.
  return value as Omit<Extract<ReplyValue, { type: Type }>, "type">;
}
