import { afterAll, expect, test } from "vitest";
import { GET, made, POST } from "./route.ts";

afterAll(async () => {
  const { service, system } = await made();
  await service.close();
  await system.close();
});

const at = (path: string, init?: RequestInit): Request => new Request(`https://app.example/teamchart${path}`, init);

test("the handlers answer for the page and the API, by the host that the app has", async () => {
  expect(await (await GET(at(""))).text()).toContain('<base href="/teamchart/">');
  const { system } = await made();
  await system.openSession({ id: "s" });
  expect(await (await GET(at("/api/sessions"))).json()).toMatchObject({ sessions: [{ id: "s" }] });
});

test("a page of another site is refused, and a write without control too", async () => {
  const headers = { "content-type": "application/json", "x-teamchart": "1" };
  const foreign = at("/api/sessions/s/dissolve", {
    method: "POST",
    body: "{}",
    headers: { ...headers, origin: "https://evil.example" },
  });
  expect(await (await POST(foreign)).json()).toMatchObject({ code: "forbidden_origin" });
  const own = at("/api/sessions/s/dissolve", {
    method: "POST",
    body: "{}",
    headers: { ...headers, origin: "https://app.example" },
  });
  expect(await (await POST(own)).json()).toMatchObject({ code: "permission_denied" });
});
