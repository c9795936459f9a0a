import { expect, test } from "vitest";
import { calls, startHttpTeam } from "../../support/http-team.ts";
import type { ServedRequest } from "../../support/openai-server.ts";
import { sleep } from "../../../src/actors/model-run/sleep.ts";
import { systemClock } from "../../../src/actors/system/system-clock.ts";
import { anyInput, call, lookTool, settle, startSystem, until } from "../../support/sessions.ts";
import { tool } from "ai";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";

const task = (prompt: string, agentType = "general") => call("task", { description: "d", prompt, agentType });

test("a sub-agent works with its own tools and answers the lead alone; several of one step run side by side", async () => {
  const shown: string[] = [];
  let running = 0;
  let most = 0;
  const work = tool({
    inputSchema: anyInput,
    execute: async () => {
      most = Math.max(most, (running += 1));
      await settle(5);
      running -= 1;
      return "worked";
    },
  });
  await using tests = await startSystem({
    script: {
      Lead: [
        { calls: [task("one", "it"), task("two", "it")].flatMap((each) => each.calls) },
        call("look"),
        { text: "done" },
      ],
    },
    agents: { it: () => ({ model: scriptedModel([call("work"), { text: "the answer" }]), tools: { work } }) },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  expect(await session.send("Go.")).toBe("done");
  expect(shown[0]?.match(/the answer/gu)).toHaveLength(2);
  expect([most, session.status().members]).toEqual([2, []]);
});

test("a sub-agent that fails, or whose type is a function, is told to the lead as the result of the call", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: { Lead: [task("one", "bad"), task("two", "fn"), task("three", "nobody"), call("look"), { text: "done" }] },
    agents: { bad: { model: scriptedModel([{ error: "context_length" }]) }, fn: { run: () => ({}) } },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  expect(await session.send("Go.")).toBe("done");
  expect(shown[0]).toMatch(/tool_error: .*DISABLED: .*UNKNOWN_AGENT_TYPE: /su);
});

test.each(["close", "hang"])(
  "a sub-agent whose provider says nothing does not hold its lead for ever: %s",
  async (how) => {
    const replies = ({ body }: ServedRequest) => {
      if (body.messages.some(({ role }) => role === "tool")) return { text: "it did not answer" };
      const isLead = body.messages.some(({ content }) => content === "Go.");
      return isLead ? calls(["task", { description: "d", prompt: "a small task" }]) : ({ stall: true } as const);
    };
    await using tests = await startHttpTeam(replies);
    const session = await tests.open({ lead: {} });
    const sent = session.send("Go.").catch(() => "closed");
    await until(() => tests.server.requests.length === 2);
    if (how === "close") await session.close();
    else await tests.clock.advance(120_000);
    expect(await sent).toBe(how === "close" ? "closed" : "it did not answer");
    await tests.server.idle();
    await settle();
    expect([session.alive.runs, tests.clock.pending]).toEqual([0, 0]);
  },
);

test("a tool of a sub-agent may take longer than a stream may be silent", async () => {
  const shown: string[] = [];
  const slow = tool({ inputSchema: anyInput, execute: () => sleep(systemClock, 150).then(() => "at last") });
  await using tests = await startSystem({
    script: { Lead: [task("one", "it"), call("look"), { text: "done" }] },
    agents: { it: { model: scriptedModel([call("slow"), { text: "the answer" }]), tools: { slow } } },
    limits: { chunkMs: 50 },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  expect(await session.send("Go.")).toBe("done");
  expect(shown[0]).toContain("the answer");
});

test("S21: a sub-agent that never comes to an end is stopped by stepsMax", async () => {
  const shown: string[] = [];
  const again = tool({ inputSchema: anyInput, execute: () => "again" });
  await using tests = await startSystem({
    script: { Lead: [task("one", "it"), call("look"), { text: "done" }] },
    agents: { it: { model: scriptedModel(Array.from({ length: 9 }, () => call("again"))), tools: { again } } },
    limits: { stepsMax: 4 },
  });
  const session = await tests.open({ lead: { tools: { look: lookTool(shown) } } });
  expect(await session.send("Go.")).toBe("done");
  expect(shown[0]).toContain("BUDGET_EXCEEDED: the budget stepsMax is used up: 4 of 4");
});
