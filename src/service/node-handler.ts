import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { TeamService } from "./service.ts";

/**
 * The service as a handler of `node:http`, and so of Express and its like: `app.use("/teamchart", nodeHandler(service))`.
 * A request that is no valid HTTP is answered with 400; nothing is ever thrown into the server.
 */
export function nodeHandler(
  service: Pick<TeamService, "fetch">,
): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener(service.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response("This is no request that can be answered.\n", { status: 400 }),
  });
  return (request, response) => {
    listener(request, response).catch(() => {
      // The connection is of no use any more, to anybody.
      response.destroy();
    });
  };
}
