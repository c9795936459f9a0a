import { Hono } from "hono";
import { digestOf } from "../../actors/owner/body-store.ts";
import { TeamError } from "../../errors/index.ts";
import { parseInput } from "../../actors/parse-input.ts";
import type { ServiceState } from "../service-state.ts";
import type { ServiceOptions } from "../service-options.ts";
import type { SessionSource } from "../sessions/session-source.ts";
import { errorAnswer, secured } from "./answers.ts";
import { controlRoutes } from "./control-routes.ts";
import { requireOrigin, requireToken, requireWrite, type GuardOptions } from "./guard.ts";
import { openApi } from "./openapi.ts";
import { readJson } from "./read-body.ts";
import { readRoutes } from "./read-routes.ts";
import type { Route, RouteCall } from "./route.ts";
import { systemRoutes } from "./system-routes.ts";
import { taskRoutes } from "./task-routes.ts";

/** What an app is guarded by. */
export interface AppOptions extends GuardOptions {
  readonly canSee: NonNullable<ServiceOptions["canSee"]> | null;
  readonly bodyBytesMax: number;
  readonly onFault: (fault: unknown) => void;
}

const describing: Omit<Route, "handle"> = {
  method: "get",
  path: "/openapi.json",
  summary: "This document",
  answer: "application/json",
};

/** The routes of the service as one function from requests to responses, which never rejects. */
export function createApp(service: ServiceState, options: AppOptions): (request: Request) => Promise<Response> {
  const { basePath } = service;
  const app = new Hono({ getPath: (request) => pathOf(request, basePath) });
  const document: Route = { ...describing, handle: () => Response.json(openApi(routes, service)) };
  const routes: readonly Route[] = [...systemRoutes, document, ...readRoutes, ...controlRoutes, ...taskRoutes];
  for (const each of routes) {
    app.on(each.method.toUpperCase(), each.path, async ({ req }) => {
      const answer = await new RouteRun(each, { request: req.raw, params: req.param(), service, options }).answer();
      return answer instanceof Response ? answer : Response.json(answer);
    });
  }
  app.get("*", async ({ req }) => {
    const found = await service.page.answer(req.path, req.raw);
    return found ?? errorAnswer(unknownRoute(req.method, req.path), options.onFault);
  });
  app.notFound(({ req }) => errorAnswer(unknownRoute(req.method, req.path), options.onFault));
  app.onError((error) => errorAnswer(error, options.onFault));
  return async (request) => {
    try {
      requireOrigin(request, options);
      return secured(await app.fetch(request));
    } catch (error) {
      return secured(errorAnswer(error, options.onFault));
    }
  };
}

const unknownRoute = (method: string, path: string): TeamError =>
  new TeamError("unknown_resource", { what: `${method} ${path.slice(0, 200)}` });

/** The path inside the service. A framework may have taken off the path that it is mounted under, or not. */
function pathOf(request: Request, basePath: string): string {
  const { pathname } = new URL(request.url);
  if (pathname === basePath) return "/";
  return basePath !== "" && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

interface RunOptions {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly service: ServiceState;
  readonly options: AppOptions;
}

/** One request on its way through one route. */
class RouteRun {
  readonly #route: Route;
  readonly #run: RunOptions;

  constructor(route: Route, run: RunOptions) {
    this.#route = route;
    this.#run = run;
  }

  async answer(): Promise<object> {
    const { open, control, query, body, past, handle } = this.#route;
    const { request, params, service, options } = this.#run;
    if (open !== true) requireToken(request, options);
    if (control === true) this.#requireControl();
    const session = params["id"] === undefined ? null : await this.#session(params["id"]);
    if (past === true) await session?.recall();
    const call: Omit<RouteCall, "session"> = {
      service,
      request,
      params,
      query: query === undefined ? {} : parseInput(query, queryOf(request), "query"),
      body: body === undefined ? {} : parseInput(body, await readJson(request, options.bodyBytesMax), "body"),
      visible: async () => this.#visible(await service.directory.list()),
    };
    // The one key that was missing is defined here.
    return handle(Object.defineProperty(call, "session", { get: () => session ?? unknown("") }) as RouteCall);
  }

  #requireControl(): void {
    const { request, service } = this.#run;
    requireWrite(request);
    if (service.control) return;
    const tool = `POST ${pathOf(request, service.basePath).slice(0, 200)}`;
    throw new TeamError("permission_denied", { tool, reason: "this service is read-only", readOnly: true });
  }

  /** The session of a path. One that is somebody else's looks just like one that doesn't exist. */
  async #session(id: string): Promise<SessionSource> {
    const session = await this.#run.service.directory.find(id);
    const [seen] = session === undefined ? [] : await this.#visible([session]);
    return seen ?? unknown(id);
  }

  async #visible(sessions: readonly SessionSource[]): Promise<readonly SessionSource[]> {
    const { request, options } = this.#run;
    const { canSee } = options;
    const header = request.headers.get("x-teamchart-workspace");
    const workspace = header === null ? null : digestOf(decoded(header) ?? "");
    const here = workspace === null ? sessions : sessions.filter((each) => each.workspace === workspace);
    if (canSee === null) return here;
    const seen = await Promise.all(here.map(async ({ id }) => canSee(request, { id })));
    return here.filter((_session, index) => seen[index] === true);
  }
}

const unknown = (session: string): never => {
  throw new TeamError("unknown_session", { session: session.slice(0, 200) });
};

const queryOf = (request: Request): object => Object.fromEntries(new URL(request.url).searchParams);

/** A header holds bytes; a path of any script comes percent-encoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
