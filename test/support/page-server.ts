import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import type { AddressInfo } from "node:net";

/** The built page. */
export const PAGE = join(import.meta.dirname, "../../dist/inspector");

/** The policy that the service gives with its page. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".md": "text/markdown",
};

/** Answers what is no file of the page; false = not found. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The page on a port of its own. */
export interface PageServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves the built page, and whatever `answer` answers, from 127.0.0.1. */
export async function servePage(answer: Answer = () => false, port = 0): Promise<PageServer> {
  const files = new Map(
    readdirSync(PAGE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(PAGE.length).replaceAll("\\", "/"), path] as const;
      }),
  );
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = files.get(path === "/" ? "/index.html" : path);
    if (file !== undefined) {
      response.writeHead(200, {
        "content-type": types[extname(file)] ?? "application/octet-stream",
        "content-security-policy": POLICY,
      });
      response.end(readFileSync(file));
    } else if (!answer(request, response)) response.writeHead(404, { "content-type": "text/plain" }).end("not found");
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
