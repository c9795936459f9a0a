import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { generateText } from "ai";
import { expect, test } from "vitest";
import { resolveModel } from "../../../src/actors/models/model-registry.ts";

const addressOf = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test.each([
  ["anthropic/m", "ANTHROPIC"],
  ["openai/m", "OPENAI"],
  ["openai-compatible/m", "OPENAI_COMPATIBLE"],
])("neither the key nor the conversation of %s follows a redirect to another host", async (name, prefix) => {
  const asked: unknown[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(request.headers);
    response.end("{}");
  });
  const there = await addressOf(elsewhere);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(307, { location: `${there}/v1` }).end();
  });
  const environment = { [`${prefix}_BASE_URL`]: await addressOf(server), [`${prefix}_API_KEY`]: "made-up-key" };
  try {
    const { model } = await resolveModel(name, { environment });
    await expect(generateText({ model, prompt: "Go.", maxRetries: 0 })).rejects.toThrow();
    expect(asked).toEqual([]);
  } finally {
    for (const each of [server, elsewhere]) {
      each.closeAllConnections();
      each.close();
    }
  }
});
