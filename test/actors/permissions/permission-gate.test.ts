import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { tool } from "ai";
import { expect, test } from "vitest";
import { permit, type Session } from "../../../src/index.ts";
import { anyInput, call, complete, lookTool, member, settle, until } from "../../support/sessions.ts";
import { startGated as start } from "../../support/gated-team.ts";

const asked = (session: Session) => session.permissionRequests();
const isAsked = (session: Session) => (): boolean => asked(session).length > 0;
const write = (path: string, text = "new") => call("write_file", { path, text });
const approve = (session: Session, note?: string) =>
  session.answerPermission({
    request: asked(session)[0]?.id ?? "",
    approve: true,
    ...(note === undefined ? {} : { note }),
  });

test("default: what reads runs, a write asks with its real path, and runs once it is approved", async () => {
  const given = await start({
    script: { A: [call("read_file", { path: "src/a.ts" }), write("src/./x/../b.ts"), complete()] },
    permissions: {},
  });
  await using _ = given.system;
  await until(isAsked(given.session));
  expect(given.results()).toContain("no plum here");
  expect(asked(given.session)).toMatchObject([
    { member: "A", kind: "tool", tool: "write_file", target: "src/b.ts", approver: "user", chains: [["user", "A"]] },
  ]);
  expect(given.text("src/b.ts")).toBeNull();
  await approve(given.session);
  await given.team?.finished();
  expect(given.text("src/b.ts")).toBe("new");
});

test("accept_edits: writes within the directories run, others ask", async () => {
  const { session, text, system } = await start({
    script: { A: [write("src/b.ts"), write("other.md"), complete()] },
    permissions: { mode: "accept_edits", directories: ["src"] },
  });
  await using _ = system;
  await until(isAsked(session));
  expect([text("src/b.ts"), text("other.md"), asked(session)[0]?.target]).toEqual(["new", null, "other.md"]);
});

test("explore: nothing is changed, whatever is allowed; deny: what would ask is denied", async () => {
  for (const [mode, why] of [
    ["explore", "the session only explores"],
    ["deny", "nobody is to be asked"],
  ] as const) {
    const { session, team, text, results, system } = await start({
      script: { A: [write("src/b.ts"), call("list_files"), complete()] },
      permissions: { mode, rules: mode === "explore" ? { allow: ["*"] } : {} },
    });
    await team?.finished();
    expect(member(session, "A").status).toBe("completed");
    expect(text("src/b.ts")).toBeNull();
    expect(results()).toContain("PERMISSION_DENIED: write_file was NOT executed: ");
    expect(results()).toContain(why);
    expect(results()).toContain("src");
    await system.close();
  }
});

test("a rule holds for where a path leads: through a link, in another spelling, by a search and by a listing", async () => {
  const rules = { allow: ["*"], deny: ["read_file(secrets/**)", "list_files(secrets/**)", "write_file(secrets/**)"] };
  const { root, results, text, system, session, clock } = await start({
    script: {
      A: [
        { calls: [{ tool: "list_files", input: {} }], delayMs: 10 },
        call("read_file", { path: "src/innocent/key" }),
        call("read_file", { path: "src/../secrets/key" }),
        call("read_file", { path: "./secrets//key" }),
        write("src/innocent/key", "gone"),
        call("search_text", { pattern: "plum" }),
        call("search_text", { pattern: "plum", path: "src/innocent" }),
        call("list_files", { depth: 3 }),
        complete(),
      ],
    },
    permissions: { rules },
  });
  await using _ = system;
  symlinkSync("../secrets", join(root, "src/innocent"));
  await clock.advance(10);
  await until(() => session.status().state === "finished");
  expect(results()).not.toContain("the word is plum");
  expect(results().match(/PERMISSION_DENIED/gu)).toHaveLength(5);
  expect(results()).toContain('the rule \\"read_file(secrets/**)\\" of the session denies it');
  expect(results()).toContain("no plum here");
  expect(results()).toContain("entries that you may not see were left out");
  expect(results()).not.toContain('"path":"secrets/key"');
  expect(text("secrets/key")).toBe("the word is plum");
});

test("a link that is put in the way while somebody is asked leads nowhere", async () => {
  const { root, session, results, text, system } = await start({
    script: { A: [write("src/new/key", "gone"), complete()] },
    permissions: {},
  });
  await using _ = system;
  await until(isAsked(session));
  expect(asked(session)[0]?.target).toBe("src/new/key");
  symlinkSync("../secrets", join(root, "src/new"));
  await approve(session);
  await until(() => session.status().state === "finished");
  expect(results()).toContain("WORKSPACE_ESCAPE");
  expect(text("secrets/key")).toBe("the word is plum");
});

test("S13: an approval holds for one call: the same call again asks again, and so do other arguments", async () => {
  const deployed: unknown[] = [];
  const deploy = tool({ inputSchema: anyInput, execute: (input: unknown) => void deployed.push(input) });
  const { session, system } = await start({
    script: { A: [call("deploy", { to: "a" }), call("deploy", { to: "a" }), call("deploy", { to: "b" }), complete()] },
    permissions: {},
    agent: { tools: { deploy } },
  });
  await using _ = system;
  const seen = new Set<string>();
  for (const count of [0, 1, 2]) {
    await until(() => asked(session).some(({ id }) => !seen.has(id)));
    expect(deployed).toHaveLength(count);
    seen.add(asked(session)[0]?.id ?? "");
    await approve(session);
  }
  await until(() => session.status().state === "finished");
  expect([seen.size, deployed]).toEqual([3, [{ to: "a" }, { to: "a" }, { to: "b" }]]);
});

test("a network host is asked for by the tool that reaches it, by every spelling of the host", async () => {
  const reached: string[] = [];
  const fetchPage = tool({
    inputSchema: anyInput,
    execute: async ({ host }: Record<string, unknown>, options) => {
      await permit(options, { kind: "network", host: String(host) });
      reached.push(String(host));
      return "page";
    },
  });
  const { session, results, system } = await start({
    script: {
      A: [
        {
          calls: ["API.Example.com.", "evil.org", "a.example.com", "http://x"].map((host) => ({
            tool: "fetch_page",
            input: { host },
          })),
        },
        complete(),
      ],
    },
    permissions: { rules: { allow: ["fetch_page(host:api.example.com)"], deny: ["*(host:evil.org)"] } },
    agent: { tools: { fetch_page: fetchPage }, readOnly: ["fetch_page"] },
  });
  await using _ = system;
  await until(isAsked(session));
  expect(asked(session)).toMatchObject([{ kind: "network", tool: "fetch_page", target: "a.example.com" }]);
  await session.answerPermission({ request: asked(session)[0]?.id ?? "", approve: false, note: "not now" });
  await until(() => session.status().state === "finished");
  expect(results()).toContain("denied (not now)");
  expect(reached).toEqual(["API.Example.com."]);
  expect(results()).toContain("fetch_page to evil.org was NOT executed");
  expect(results()).toContain("denied (not now)");
  expect(results()).toContain("expected a host name");
});

test("explore mode is left by asking, with the lead's mode then; a denial leaves it as it is", async () => {
  const asks = call("leave_explore_mode", { reason: "The typo is in b.ts." });
  const { session, text, results, system } = await start({
    script: { A: [write("src/b.ts", "1"), asks, write("src/b.ts", "2"), asks, write("src/b.ts", "3"), complete()] },
    permissions: { mode: "accept_edits" },
    agent: { permissions: { mode: "explore", overrideLeadMode: true } },
  });
  await using _ = system;
  await until(isAsked(session));
  expect(asked(session)).toMatchObject([
    { kind: "mode", tool: "accept_edits", input: '{"reason":"The typo is in b.ts."}' },
  ]);
  const first = asked(session)[0]?.id ?? "";
  await session.answerPermission({ request: first, approve: false, note: "say more" });
  await until(() => asked(session).some(({ id }) => id !== first));
  expect(text("src/b.ts")).toBeNull();
  await approve(session);
  await until(() => session.status().state === "finished");
  expect(text("src/b.ts")).toBe("3");
  expect(results().match(/only explores/gu)).toHaveLength(2);
  expect(results()).toContain("denied (say more)");
});

test("R52: before its plan is approved a member looks and changes nothing, by own tools neither", async () => {
  const ran: string[] = [];
  const named = (name: string) => tool({ inputSchema: anyInput, execute: () => void ran.push(name) });
  const { session, results, system } = await start({
    script: { A: [call("look"), call("change"), call("submit_plan", { plan: "p" }), call("change"), complete()] },
    agent: { tools: { look: named("look"), change: named("change") }, readOnly: ["look"] },
    more: { requirePlan: true },
  });
  await using _ = system;
  await until(() => member(session, "A").activity === "waiting_plan_approval");
  expect(ran).toEqual(["look"]);
  expect(results()).toContain("change was NOT executed: your plan is not approved yet. Do: Submit it with submit_plan");
  await session.answerPlan("A", { approve: true });
  await until(() => session.status().state === "finished");
  expect(ran).toEqual(["look", "change"]);
});

test("what is denied anyway is so before a plan too: nobody is sent to submit one for it", async () => {
  const change = tool({ inputSchema: anyInput, execute: () => "changed" });
  const { team, results, system } = await start({
    script: { A: [call("change"), { text: "no" }] },
    permissions: { mode: "bypass", rules: { deny: ["change"] } },
    more: { requirePlan: true },
    agent: { tools: { change }, turnsMax: 1 },
  });
  await using _ = system;
  await team?.finished();
  expect(results()).toMatch(/change was NOT executed: the rule .* denies it\. Do: Go on/u);
  expect(results()).not.toContain("with submit_plan");
});

test("the lead asks the user too, is seen to wait, and can't be answered by itself", async () => {
  const { session, text, system } = await start({
    script: { Lead: [write("src/b.ts"), { text: "done" }] },
    permissions: { approver: "lead" },
    lead: {},
  });
  await using _ = system;
  const answer = session.send("Write b.ts.");
  await until(isAsked(session));
  expect(asked(session)).toMatchObject([
    { member: "Lead", tool: "write_file", approver: "user", chains: [["user", "Lead"]] },
  ]);
  expect([session.status().lead, text("src/b.ts")]).toEqual(["asking_user", null]);
  await approve(session);
  expect([await answer, text("src/b.ts")]).toEqual(["done", "new"]);
});

test("U54: a request of the lead is denied in time when nobody answers, and its turn goes on", async () => {
  const { session, clock, text, results, system } = await start({
    script: { Lead: [write("src/b.ts"), { text: "it was denied" }] },
    permissions: {},
    lead: {},
  });
  await using _ = system;
  const answer = session.send("Write b.ts.");
  await until(isAsked(session));
  await clock.advance(600_000);
  expect(await answer).toBe("it was denied");
  expect([text("src/b.ts"), clock.pending]).toEqual([null, 0]);
  expect(results("Lead")).toContain("nobody answered in time");
});

test("team tools run in every mode, and a tool that doesn't exist is asked for by nobody", async () => {
  const shown: string[] = [];
  const { session, system } = await start({
    script: { A: [call("team_send_message", { to: "Lead", content: "hi" }), call("deplyo"), call("look"), complete()] },
    permissions: { mode: "deny", rules: { deny: ["team_*", "complete"] } },
    agent: { tools: { look: lookTool(shown) }, readOnly: ["look"] },
  });
  await using _ = system;
  await until(() => session.status().state === "finished");
  expect(shown[0]).toContain("unavailable tool 'deplyo'");
  await settle();
  expect(asked(session)).toEqual([]);
});
