import { tool, type ToolSet } from "ai";
import { expect, test } from "vitest";
import type { LanguageModelV4 } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { anyInput, call, complete, member, one, startSystem, until } from "../../support/sessions.ts";

/** `deploy`, and what it was called with; `read` gives more than a small context holds. */
function tools() {
  const deployed: unknown[] = [];
  const set: ToolSet = {
    deploy: tool({ inputSchema: anyInput, execute: (input: unknown) => void deployed.push(input) }),
    read: tool({ inputSchema: anyInput, execute: () => "x".repeat(24_000) }),
  };
  return { deployed, set };
}

const team = { name: "T", members: [one("A", { agentType: "it" })] };

test("the calls of a fallback model are judged like those of the model that failed", async () => {
  const { deployed, set } = tools();
  // Entries are counted by actor, so the first one stands for what the other model has played.
  const calls = [{ error: "overloaded" } as const, call("deploy", { to: "moon" }), call("deploy", { to: "test" })];
  await using tests = await startSystem({
    permissions: { rules: { allow: ["deploy(to=test)"], deny: ["deploy(to=moon)"] } },
    agents: {
      it: {
        tools: set,
        model: scriptedModel([{ error: "overloaded" }]),
        fallbackModel: scriptedModel([...calls, complete()]),
      },
    },
    limits: { retriesMax: 0 },
  });
  const session = await tests.open();
  const verdicts: unknown[] = [];
  session.events$.subscribe(({ event }) => {
    if (event.type === "tool.ended") verdicts.push(event["verdict"]);
  });
  expect(await (await session.createTeam(team)).finished()).toMatchObject({ outcome: "completed" });
  expect([deployed, verdicts]).toEqual([[{ to: "test" }], ["refused", "ok", "ok"]]);
});

test("a member that was let out of explore mode stays out when its conversation is compacted", async () => {
  const { deployed, set } = tools();
  await using tests = await startSystem({
    script: {
      A: [
        call("deploy", { to: "early" }),
        call("leave_explore_mode", { reason: "to deploy" }),
        call("read"),
        call("deploy", { to: "prod" }),
        complete(),
      ],
    },
    permissions: { mode: "bypass" },
    agents: {
      it: {
        tools: set,
        readOnly: ["read"],
        permissions: { mode: "explore", overrideLeadMode: true },
        contextTokens: 6_000,
        compact: () => "I may deploy.",
      },
    },
  });
  const session = await tests.open();
  const compacted: string[] = [];
  session.events$.subscribe(({ event, verdict }) => {
    if (event.type === "run.compacted") compacted.push(verdict);
  });
  const created = await session.createTeam(team);
  await until(() => session.permissionRequests().length > 0);
  await session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve: true });
  expect(await created.finished()).toMatchObject({ outcome: "completed" });
  expect([deployed, compacted]).toEqual([[{ to: "prod" }], ["handled"]]);
});

test("a member that was let out of explore mode only looks again in its next attempt", async () => {
  const { deployed, set } = tools();
  const left = [call("leave_explore_mode", { reason: "to deploy" }), call("deploy", { to: "first" })];
  await using tests = await startSystem({
    script: { A: [...left, { error: "context_length" }, call("deploy", { to: "second" }), complete()] },
    permissions: { mode: "bypass" },
    agents: { it: { tools: set, permissions: { mode: "explore", overrideLeadMode: true } } },
  });
  const session = await tests.open();
  await session.createTeam(team);
  await until(() => session.permissionRequests().length > 0);
  await session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve: true });
  await until(() => member(session, "A").status === "failed");
  await session.replan({ retry: [{ name: "A" }] });
  await until(() => member(session, "A").status === "completed");
  expect(deployed).toEqual([{ to: "first" }]);
});

test("the policy of a lead, or of a type, holds in a session that has none of its own", async () => {
  const { deployed, set } = tools();
  const permissions = { rules: { allow: ["deploy(to=test)"] } };
  const deploys = [call("deploy", { to: "test" }), call("deploy", { to: "prod" }), complete()];
  for (const [lead, type] of [
    [permissions, undefined],
    [undefined, permissions],
  ] as const) {
    await using tests = await startSystem({
      script: { A: deploys, Lead: [call("team_create", team), { text: "go on" }] },
      agents: { it: { tools: set, ...(type && { permissions: type }) } },
    });
    const session = await tests.open({ lead: { model: "scripted", ...(lead && { permissions: lead }) } });
    await session.send("Go.");
    await until(() => session.permissionRequests().length > 0);
    expect(session.permissionRequests()).toMatchObject([{ member: "A", input: '{"to":"prod"}' }]);
    expect(deployed.splice(0)).toEqual([{ to: "test" }]);
  }
});

test("a lead that delegates can answer requests, and a member whom only a lead's tools are hidden from can't", async () => {
  const shown = new Map<string, readonly string[]>();
  const watched = (who: string, model: LanguageModelV4): LanguageModelV4 => ({
    ...model,
    doStream: (options) => {
      shown.set(who, options.tools?.map(({ name }) => name) ?? []);
      return model.doStream(options);
    },
  });
  await using tests = await startSystem({
    permissions: { approver: "lead" },
    toolVisibility: "role",
    agents: { it: { tools: {}, model: watched("A", scriptedModel([complete()])) } },
  });
  const lead = scriptedModel([call("team_create", team), { text: "waiting" }, { text: "done" }]);
  const session = await tests.open({ lead: { leadMode: "delegate", model: watched("Lead", lead) } });
  await session.send("Go.");
  await until(() => member(session, "A").status === "completed");
  expect(shown.get("Lead")).toContain("answer_permission");
  expect(shown.get("Lead")).not.toContain("task");
  expect(shown.get("A")).toEqual(["team_status", "team_send_message", "complete", "team_mail", "shutdown_reply"]);
});
