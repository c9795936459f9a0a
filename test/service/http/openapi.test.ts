import { expect, test } from "vitest";
import { one } from "../../support/sessions.ts";
import { httpService } from "../../support/http-service.ts";
import { LogStart, ServiceInfo } from "../../../src/protocol/service-api.ts";
import {
  DissolveAnswer,
  MessagesAnswer,
  PermissionsAnswer,
  PreviewAnswer,
  ReadyAnswer,
  ReplanAnswer,
  SentAnswer,
  SessionsAnswer,
  StatusAnswer,
  TaskAddedAnswer,
  TaskClaimedAnswer,
  TasksAnswer,
  TaskUpdatedAnswer,
} from "../../../src/service/http/schemas.ts";

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, { content?: Record<string, unknown> }>;
  readonly requestBody?: { content: Record<string, { schema: { properties: object } }> };
}

test("the document names every parameter, body and answer of every route, with the statuses of its errors", async () => {
  const { json } = await httpService({ basePath: "/teamchart" });
  const { openapi, paths } = (await json("/teamchart/openapi.json")) as unknown as Document;
  expect(openapi).toBe("3.1.0");
  for (const [path, methods] of Object.entries(paths)) {
    for (const operation of Object.values(methods)) {
      const named = operation.parameters.filter((each) => each.in === "path").map(({ name }) => name);
      expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
      expect(operation.summary).not.toBe("");
      expect(operation.responses["200"]?.content).toBeDefined();
    }
  }
  const { post } = paths["/api/sessions/{id}/dissolve"]!;
  expect(Object.keys(post!.responses)).toEqual(
    expect.arrayContaining(["200", "400", "401", "403", "404", "409", "413"]),
  );
  expect(Object.keys(post!.requestBody!.content["application/json"]!.schema.properties)).toEqual([
    "mode",
    "graceMs",
    "reason",
  ]);
});

test("what is answered has the form that the document says", async () => {
  const { system, json, post } = await httpService({ control: true });
  const session = await system.openSession({ id: "s" });
  await session.createTeam({
    name: "T",
    tasks: [
      { subject: "one", description: "all of it", assignee: "B" },
      { subject: "two", dependsOn: [1] },
    ],
    members: [
      one("A", { agentType: "echo", lifetime: "persistent" }),
      one("B", { agentType: "echo", dependsOn: ["A"] }),
    ],
  });
  ServiceInfo.parse(await json("/api/info"));
  SessionsAnswer.parse(await json("/api/sessions"));
  StatusAnswer.parse(await json("/api/sessions/s/status"));
  LogStart.parse(await json("/api/sessions/s/log"));
  PermissionsAnswer.parse(await json("/api/sessions/s/permissions"));
  ReadyAnswer.parse(await json("/readyz"));
  SentAnswer.parse(await (await post("/api/sessions/s/messages", { to: "A", content: "hello" })).json());
  const spec = { add: [{ name: "C", agentType: "echo", prompt: "x", dependsOn: ["A"] }] };
  const preview = PreviewAnswer.parse(await (await post("/api/sessions/s/replan/preview", { spec })).json());
  expect([preview.ok, preview.members.map(({ name }) => name)]).toEqual([true, ["A", "B", "C"]]);
  ReplanAnswer.parse(await (await post("/api/sessions/s/replan", { spec })).json());
  MessagesAnswer.parse(await json("/api/sessions/s/messages"));
  TasksAnswer.parse(await json("/api/sessions/s/tasks"));
  TaskAddedAnswer.parse(await (await post("/api/sessions/s/tasks", { subject: "three" })).json());
  TaskClaimedAnswer.parse(await (await post("/api/sessions/s/tasks/claim", { owner: "A", task: 3 })).json());
  TaskUpdatedAnswer.parse(await (await post("/api/sessions/s/tasks/1", { priority: 3 })).json());
  StatusAnswer.parse(await json("/api/sessions/s/status"));
  DissolveAnswer.parse(await (await post("/api/sessions/s/dissolve", {})).json());
});
