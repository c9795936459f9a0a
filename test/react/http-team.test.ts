import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { defineAgent } from "../../src/index.ts";
import { httpTeam, type TeamSource, type TeamView } from "../../src/react/index.ts";
import { heldAgents, inspected } from "../inspector/support/inspected.ts";
import { one } from "../support/sessions.ts";

const shortly = { timeout: 15_000 };

/** Subscribes, and keeps each view that there was. */
function watched(source: TeamSource): readonly TeamView[] {
  const views: TeamView[] = [];
  onTestFinished(source.subscribe(() => void views.push(source.view)));
  return views;
}

const shown = ({ view: { phase, status } }: TeamSource) => [phase, status?.members.map(({ status: work }) => work)];

test("a team is followed over HTTP: as it works, over a lost connection, and to its end", async () => {
  const held = heldAgents();
  await using given = await inspected({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await given.system.openSession({ id: "a b/ü" });
  const source = httpTeam({ url: given.url, session: "a b/ü" });
  expect(source.view).toEqual({ phase: "loading", status: null, fault: null });
  const views = watched(source);
  await session.createTeam({
    name: "T",
    members: [one("Ann", { agentType: "held" }), one("Ben", { agentType: "held", dependsOn: ["Ann"] })],
  });
  await expect.poll(() => shown(source), shortly).toEqual(["live", ["in_progress", "blocked"]]);
  held.finish("Ann");
  await expect.poll(() => shown(source), shortly).toEqual(["live", ["completed", "in_progress"]]);
  await given.cut();
  await expect.poll(() => source.view.phase, shortly).toBe("stale");
  expect(source.view.fault?.code).toBe("unreachable");
  expect(shown(source)).toEqual(["stale", ["completed", "in_progress"]]);
  held.finish("Ben");
  await given.mend();
  await expect.poll(() => shown(source), shortly).toEqual(["live", ["completed", "completed"]]);
  expect(source.view.fault).toBeNull();
  expect(new Set(views).size).toBe(views.length);
});

test("a session that there is not is refused, asked for again, and shown once it is there", async () => {
  await using given = await inspected();
  const source = httpTeam({ url: given.url, session: "later" });
  watched(source);
  await expect.poll(() => source.view.phase, shortly).toBe("failed");
  expect(source.view).toMatchObject({ status: null, fault: { code: "unknown_session" } });
  await given.system.openSession({ id: "later" });
  await expect.poll(() => source.view, shortly).toMatchObject({ phase: "live", status: { team: null } });
});

test("a wrong token, and a server that is no service, are said", async () => {
  await using given = await inspected();
  const refused = httpTeam({ url: given.url, session: "s", token: "b".repeat(43) });
  watched(refused);
  await expect.poll(() => refused.view, shortly).toMatchObject({ phase: "failed", fault: { code: "unauthorized" } });
  const server = createServer((_, response) => response.end("<p>hello</p>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // What a server that listens on a port has.
  const { port } = server.address() as AddressInfo;
  const other = httpTeam({ url: `http://127.0.0.1:${port}`, session: "s" });
  watched(other);
  await expect.poll(() => other.view.phase, shortly).toBe("failed");
  expect(other.view.fault?.message).toContain("is no service of Teamchart");
});

test("nobody is asked while nobody looks, and one question stands however many look", async () => {
  const asked: { readonly url: string; readonly signal: AbortSignal | null | undefined }[] = [];
  const fetch = (url: string, { signal }: RequestInit): Promise<Response> => {
    asked.push({ url, signal });
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  };
  const source = httpTeam({ url: "/teamchart/", session: "s", fetch });
  expect(asked).toEqual([]);
  const [first, second] = [source.subscribe(() => {}), source.subscribe(() => {})];
  expect(asked.map(({ url }) => url)).toEqual(["/teamchart/api/sessions/s/status"]);
  first();
  expect(asked[0]?.signal?.aborted).toBe(false);
  second();
  expect(asked[0]?.signal?.aborted).toBe(true);
  expect(source.view.phase).toBe("loading");
});

test("a closed session, for which the service doesn't wait, is not asked for again and again", async () => {
  await using given = await inspected();
  const session = await given.system.openSession({ id: "s" });
  await session.close();
  let asked = 0;
  const counted = (url: string, init: RequestInit): Promise<Response> => {
    asked += 1;
    return fetch(url, init);
  };
  const source = httpTeam({ url: given.url, session: "s", fetch: counted });
  watched(source);
  await expect.poll(() => source.view.phase, shortly).toBe("live");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(asked).toBeLessThanOrEqual(2);
});
