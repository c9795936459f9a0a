import { afterAll, expect, test } from "vitest";
import { app, inspector, system } from "./app.ts";

afterAll(async () => {
  await inspector.close();
  await system.close();
});

const signedIn = { headers: { authorization: `Basic ${btoa("ann:only-for-the-example")}` } };

test("the inspector is behind the app's own sign-in, page and API alike", async () => {
  for (const path of ["/teamchart", "/teamchart/", "/teamchart/api/info"]) {
    expect([path, (await app.request(path)).status]).toEqual([path, 401]);
    expect([path, (await app.request(path, signedIn)).status]).toEqual([path, 200]);
  }
  expect(await (await app.request("/")).text()).toBe("This is the app.");
});

test("the page finds its files wherever it is mounted", async () => {
  expect(await (await app.request("/teamchart", signedIn)).text()).toContain('<base href="/teamchart/">');
});

test("it shows the sessions of the app, and changes nothing", async () => {
  const session = await system.openSession({ id: "review" });
  const list = await app.request("/teamchart/api/sessions", signedIn);
  expect(await list.json()).toMatchObject({ sessions: [{ id: "review", state: "open" }] });
  const headers = { ...signedIn.headers, "content-type": "application/json", "x-teamchart": "1" };
  const write = await app.request("/teamchart/api/sessions/review/dissolve", { method: "POST", body: "{}", headers });
  expect(write.status).toBe(403);
  await session.close();
});

test("health is open, for whoever watches the process", async () => {
  expect(await (await app.request("/healthz")).json()).toEqual({ status: "ok" });
  expect(await (await app.request("/readyz")).json()).toEqual({ ready: true, reasons: [] });
});
