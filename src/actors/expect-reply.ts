import { TeamError } from "../errors/index.ts";
import type { Reply, ReplyValue } from "../protocol/reply.ts";

/** The value of a reply of this type; a refusal is thrown. */
export function expectReply<Type extends ReplyValue["type"]>(
  reply: Reply,
  type: Type,
): Extract<ReplyValue, { type: Type }> {
  if ("refused" in reply) throw TeamError.from(reply.refused);
  if (reply.ok.type !== type) throw new TeamError("kernel_error", { problem: `${reply.ok.type} answers a ${type}` });
  // Checked on the line above; a generic comparison doesn't narrow the union.
  return reply.ok as Extract<ReplyValue, { type: Type }>;
}
