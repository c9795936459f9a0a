import { directFetch } from "../../actors/models/direct-fetch.ts";

/** How long a server on this machine may take to say which models it has. */
const answerMs = 1_000;

const isLocal = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Asks a server of models on this machine whether it is there, and says what is wrong, or null. Any answer will do; no key
 * is sent. An address on another machine is not asked.
 */
export async function askLocalServer(address: string): Promise<string | null> {
  const url = URL.parse(`${address}/models`);
  if (url === null || !isLocal(url)) return null;
  try {
    const answer = await directFetch(url, { signal: AbortSignal.timeout(answerMs) });
    await answer.body?.cancel();
    return null;
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return isLate ? `${address} says nothing for ${answerMs / 1_000} s` : `nothing listens at ${address}`;
  }
}
