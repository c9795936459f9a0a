import type { z } from "zod";
import type { ErrorCode } from "../../errors/index.ts";
import type { SessionSource } from "../sessions/session-source.ts";
import type { ServiceState } from "../service-state.ts";

/** What a route is given: its parameters, parsed and allowed. */
export interface RouteCall<Query = unknown, Body = unknown> {
  readonly service: ServiceState;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The session that the path names. Throws for a route without one. */
  readonly session: SessionSource;
  /** The sessions that this request may see. */
  readonly visible: () => Promise<readonly SessionSource[]>;
}

/** What a route answers with: a value that becomes JSON, or a whole response. */
export type RouteAnswer = object | Response;

/** One route of the API: all that is checked, said in the OpenAPI document, and done. */
export interface Route {
  readonly method: "get" | "post";
  /** As Hono takes it; `:id` is a session's. */
  readonly path: string;
  readonly summary: string;
  /** Open to everybody: it needs no token. */
  readonly open?: true;
  /** Changes something: refused unless control is allowed. */
  readonly control?: true;
  /** Reads what the session did: also what it did before it was looked at. */
  readonly past?: true;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** What a good answer holds: JSON of this shape, or a text of this content type. */
  readonly answer: z.ZodType | string;
  readonly errors?: readonly ErrorCode[];
  readonly handle: (call: RouteCall) => RouteAnswer | Promise<RouteAnswer>;
}

/** A route whose handler knows the types of its query and body, by the schemas that have parsed them. */
export const route = <Query extends z.ZodObject, Body extends z.ZodType>(
  given: Omit<Route, "query" | "body" | "handle"> & {
    readonly query?: Query;
    readonly body?: Body;
    readonly handle: (call: RouteCall<z.output<Query>, z.output<Body>>) => RouteAnswer | Promise<RouteAnswer>;
  },
): Route =>
  // What is handed to the handler was parsed by these very schemas.
  given as unknown as Route;
