import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { TeamService } from "./service.ts";

/**
 * The service as a handler of `node:http`, and so of Express and its like: `app.use("/teamchart", nodeHandler(service))`.
 * A request that is no valid HTTP is answered with 400; nothing is ever thrown into the server. Behind a body parser of the
 * app (`express.json()`) it takes the body that was parsed.
 */
export function nodeHandler(
  service: Pick<TeamService, "fetch">,
): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener(service.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response("This is no request that can be answered.\n", { status: 400 }),
  });
  return (request, response) => {
    keepParsedBody(request);
    listener(request, response).catch(() => {
      // The connection is of no use any more, to anybody.
      response.destroy();
    });
  };
}

/** A body parser before us has read the stream: what it left is put where the listener looks for a body that was read. */
function keepParsedBody(request: IncomingMessage): void {
  if (!request.readableDidRead || !("body" in request) || request.body === undefined || "rawBody" in request) return;
  Object.assign(request, { rawBody: Buffer.from(JSON.stringify(request.body)) });
}
