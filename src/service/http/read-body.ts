import { TeamError } from "../../errors/index.ts";

/** Reads a JSON body of at most `bytesMax` bytes; no body at all is an empty object. */
export async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (request.body !== null) {
    const body: AsyncIterable<Uint8Array> = request.body;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new TeamError("payload_too_large", { what: "the request", bytes, bytesMax });
      chunks.push(chunk);
    }
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message.slice(0, 200) : "it is no JSON";
    throw new TeamError("bad_input", { what: "the request", problem });
  }
}
