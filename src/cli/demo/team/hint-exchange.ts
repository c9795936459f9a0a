import { TeamError } from "../../../errors/index.ts";
import type { FunctionRun } from "../../../index.ts";
import { hintMessages, parseHintMessage } from "../hint-messages.ts";
import type { Hint } from "../hint.ts";

/** The line after which a reviewer has said all it has to say. */
const endOfHints = "That is all I have to tell.";

/** Bytes of one message of hints; well below a message's limit, so that the last line fits too. */
const hintBytesMax = 24 * 1024;

/** How a reviewer talks to the others. */
export interface HintExchange {
  readonly peers: readonly string[];
  /** How long a reviewer waits for the others before it goes on without them. */
  readonly waitMs: number;
  /** False = nobody tells anybody anything. */
  readonly isOn: boolean;
}

/** Tells the peers what this reviewer found out. A peer that is gone already needs no hints. */
export async function tellPeers({ send }: FunctionRun, hints: readonly Hint[], exchange: HintExchange): Promise<void> {
  if (!exchange.isOn) return;
  const messages = hintMessages(hints, hintBytesMax);
  const last = messages.pop();
  messages.push(last === undefined ? endOfHints : `${last}\n${endOfHints}`);
  for (const peer of exchange.peers) {
    for (const message of messages) {
      try {
        await send(peer, message);
      } catch (error) {
        if (error instanceof TeamError && error.code === "recipient_closed") break;
        throw error;
      }
    }
  }
}

/** Reads what the peers have found out, until each has said all or the time is up. */
export async function hearPeers({ mail, signal }: FunctionRun, exchange: HintExchange): Promise<Hint[]> {
  if (!exchange.isOn) return [];
  const silent = new Set(exchange.peers);
  const hints: Hint[] = [];
  const timeout = AbortSignal.timeout(exchange.waitMs);
  const isOver = Promise.withResolvers<null>();
  timeout.addEventListener("abort", () => isOver.resolve(null), { once: true });
  while (silent.size > 0 && !signal.aborted) {
    const message = await Promise.race([mail.next(), isOver.promise]);
    if (message === null) break;
    hints.push(...parseHintMessage(message.content, message.from));
    if (message.content.endsWith(endOfHints)) silent.delete(message.from);
  }
  return hints;
}
