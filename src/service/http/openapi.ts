import { z } from "zod";
import { errorCatalogue, httpStatus, type ErrorCode } from "../../errors/index.ts";
import type { Route } from "./route.ts";
import { ErrorAnswer } from "./schemas.ts";

/** A schema as JSON Schema; `input`: as it is written by a caller, whose defaults may be left out. */
const jsonSchema = (schema: z.ZodType, io: "input" | "output"): object => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
};

const error = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

/** Codes by their status: the document has one answer per status. */
function errorAnswers(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(new Set(codes), httpStatus);
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [status, error(each.map((code) => `\`${code}\``).join(", "))]),
  );
}

function parametersOf({ path, query }: Route): object[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    // Every shape is of schemas.
    const { description, ...rest }: { description?: string } = jsonSchema(schema as z.ZodType, "input");
    return { name, in: "query", required: false, ...(description === undefined ? {} : { description }), schema: rest };
  });
  return [...inPath, ...inQuery];
}

function operationOf(route: Route): object {
  const { summary, body, answer, open, control, errors = [] } = route;
  const content =
    typeof answer === "string"
      ? { [answer]: { schema: { type: "string" } } }
      : { "application/json": { schema: jsonSchema(answer, "output") } };
  const codes: ErrorCode[] = [...errors];
  if (open !== true) codes.push("unauthorized", "forbidden_origin");
  if (route.path.includes(":id")) codes.push("unknown_session");
  if (route.query !== undefined || body !== undefined) codes.push("bad_input");
  if (control === true) codes.push("permission_denied", "payload_too_large", "fenced");
  const parameters = parametersOf(route);
  if (control === true) {
    parameters.push({ name: "x-teamchart", in: "header", required: true, schema: { type: "string", enum: ["1"] } });
  }
  return {
    summary,
    ...(open === true ? { security: [] } : {}),
    parameters,
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: jsonSchema(body, "input") } } } }),
    responses: { "200": { description: "Done", content }, ...errorAnswers(codes) },
  };
}

/** The OpenAPI document of these routes, made from the schemas that parse what they take. */
export function openApi(
  routes: readonly Route[],
  { version, basePath }: { version: string; basePath: string },
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[route.method] = operationOf(route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Teamchart",
      version,
      description: `Sessions of agent teams. Error codes: ${Object.keys(errorCatalogue).length}, in docs/errors.md.`,
    },
    servers: [{ url: basePath === "" ? "/" : basePath }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: jsonSchema(ErrorAnswer, "output") },
    },
  };
}
