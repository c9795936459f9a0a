import { jsonSchema, tool } from "ai";
import { expect, test } from "vitest";
import { call, complete, gate, member, one, settle, startSystem, until, lookTool } from "../../support/sessions.ts";

const any = jsonSchema({ type: "object" });
const slowTool = (until_: Promise<unknown>) =>
  tool({
    inputSchema: any,
    execute: async () => {
      await until_;
      return "slow done";
    },
  });

test("complete beside a slow tool is accepted at once and counts when the step has ended", async () => {
  const slow = gate();
  await using tests = await startSystem({
    script: {
      A: [
        {
          calls: [
            { tool: "slow", input: {} },
            { tool: "complete", input: { summary: "mine" } },
          ],
        },
      ],
    },
    agents: { it: { tools: { slow: slowTool(slow.promise) } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => member(session, "A").activity === "completing");
  await settle();
  expect([member(session, "A").status, session.status().state]).toEqual(["in_progress", "running"]);
  slow.resolve();
  expect((await team.finished()).members[0]).toMatchObject({ status: "completed", summary: "mine", modelCalls: 1 });
});

test("U43: a second complete of the step is told ALREADY_COMPLETED, the first result stands, and downstream starts once", async () => {
  const outputs: unknown[] = [];
  await using tests = await startSystem({
    script: {
      A: [
        {
          calls: [
            { tool: "complete", input: { summary: "first" } },
            { tool: "complete", input: { summary: "second" } },
          ],
        },
      ],
      B: [complete()],
    },
  });
  const session = await tests.open();
  let starts = 0;
  session.events$.subscribe(({ actor, event }) => {
    if (actor === "B" && event.type === "member.start") starts += 1;
    if (event.type === "tool.ended" && actor === "A") outputs.push("verdict" in event ? event.verdict : null);
  });
  const team = await session.createTeam({ name: "T", members: [one("A"), one("B", { dependsOn: ["A"] })] });
  expect((await team.finished()).members[0]).toMatchObject({ summary: "first" });
  expect([outputs, starts]).toEqual([["ok", "refused"], 1]);
});

test("U43: complete after a cancel, and a cancel after complete: what came first stands", async () => {
  const slow = gate();
  await using tests = await startSystem({
    script: { A: [call("slow"), complete("too late")], B: [complete("b")] },
    agents: { it: { tools: { slow: slowTool(slow.promise) } } },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" }), one("B")] });
  await until(() => member(session, "A").activity === "tool" && member(session, "B").status === "completed");
  await session.replan({ cancel: ["A"] });
  slow.resolve();
  await settle(50);
  expect(member(session, "A")).toMatchObject({ status: "cancelled", modelCalls: 1 });
  await expect(session.replan({ cancel: ["B"] })).rejects.toMatchObject({ code: "not_cancellable" });
  expect(member(session, "B")).toMatchObject({ status: "completed", summary: "b" });
});

test("U37: a refused complete is a refusal, not a delivery: the member corrects it", async () => {
  await using tests = await startSystem({
    script: { A: [complete(" "), complete("x".repeat(5_000)), complete("good")] },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect((await team.finished()).members[0]).toMatchObject({ summary: "good", modelCalls: 3 });
});

test("a lead's complete ends its turn with the summary as its answer", async () => {
  await using tests = await startSystem({ script: { Lead: [complete("the answer"), { text: "second turn" }] } });
  const session = await tests.open({ lead: {} });
  expect(await session.send("Go.")).toBe("the answer");
  expect(session.status().lead).toBe("waiting_user");
  expect(await session.send("Again.")).toBe("second turn");
});

test("S21: turnsMax ends a member that takes turn after turn on mail alone", async () => {
  await using tests = await startSystem({
    script: { A: Array.from({ length: 20 }, () => ({ text: "hm" })) },
    limits: { turnsMax: 3 },
  });
  const session = await tests.open();
  let turns = 0;
  session.events$.subscribe(({ actor, event }) => {
    if (actor !== "A" || event.type !== "run.injected") return;
    turns += 1;
    if (turns < 10) void session.sendMessage({ to: "A", content: `again ${turns}` }).catch(() => {});
  });
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await team.finished();
  expect(member(session, "A")).toMatchObject({ status: "failed", modelCalls: 3 });
  expect(member(session, "A").reason).toMatch(/^budget: .*turnsMax/u);
});

test("U20: a persistent member that ends without complete goes idle, and the Lead is told that it did", async () => {
  await using tests = await startSystem({ script: { A: [{ text: "I am done, I think" }, complete("now")] } });
  const session = await tests.open();
  const notices: string[] = [];
  session.events$.subscribe(({ actor, event }) => {
    if (actor === "Lead") notices.push(event.type);
  });
  const team = await session.createTeam({ name: "T", members: [one("A", { lifetime: "persistent" })] });
  await until(() => member(session, "A").presence === "idle");
  expect([member(session, "A").status, notices]).toEqual([
    "in_progress",
    expect.arrayContaining(["notice.member_idle"]),
  ]);
  await session.sendMessage({ to: "A", content: "deliver, please" });
  await until(() => member(session, "A").status === "completed");
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
});

test("R52: until its plan is approved a member can read, speak and submit, and nothing else of it is executed", async () => {
  const wrote: unknown[] = [];
  const write = tool({
    inputSchema: any,
    execute: (input) => {
      wrote.push(input);
      return "written";
    },
  });
  const shown: string[] = [];
  const look = lookTool(shown);
  await using tests = await startSystem({
    script: {
      A: [
        call("write"),
        complete("sneaky"),
        call("submit_plan", { plan: "I will write." }),
        call("submit_plan", { plan: "I will write carefully." }),
        call("look"),
        call("write"),
        complete("good"),
      ],
    },
    agents: { it: { tools: { write, look } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it", requirePlan: true })] });
  await until(() => member(session, "A").activity === "waiting_plan_approval");
  expect([wrote, member(session, "A").status]).toEqual([[], "in_progress"]);
  await expect(session.answerPlan("Bob", { approve: true })).rejects.toMatchObject({ code: "unknown_member" });
  await session.answerPlan("A", { approve: false, feedback: "carefully" });
  await until(() => member(session, "A").activity === "waiting_plan_approval");
  await session.answerPlan("A", { approve: true, feedback: "go" });
  await expect(session.answerPlan("A", { approve: true })).rejects.toMatchObject({ code: "unknown_permission" });
  expect((await team.finished()).members[0]).toMatchObject({ status: "completed", summary: "good" });
  expect(wrote).toHaveLength(1);
  expect(shown[0]).toMatch(/PERMISSION_DENIED: write was NOT executed: your plan is not approved yet/u);
  expect(shown[0]).toMatch(/carefully.*"approved":true,"remark":"go"/su);
});
