import { expect, test } from "vitest";
import type { FunctionRun } from "../../../src/index.ts";
import { call, complete, gate, lookTool, member, one, settle, startSystem, until } from "../../support/sessions.ts";

test.each(["a new prompt", null])(
  "a persistent member that is retried with %j is given its task, and keeps its conversation",
  async (prompt) => {
    const shown: string[] = [];
    await using tests = await startSystem({
      script: { A: [complete("v1"), call("look"), complete("v2"), { text: "thanks" }, call("look"), { text: "ok" }] },
      agents: { it: { tools: { look: lookTool(shown) } } },
    });
    const session = await tests.open();
    const team = await session.createTeam({
      name: "T",
      members: [one("A", { agentType: "it", lifetime: "persistent" })],
    });
    await team.finished();
    await session.replan({ retry: [prompt === null ? { name: "A" } : { name: "A", prompt }] });
    expect((await team.finished()).members[0]).toMatchObject({ attempt: 2, summary: "v2", status: "completed" });
    const task = prompt ?? "Task of A.";
    expect(shown[0]?.split("v1").at(-1)).toContain(task);
    expect(shown[0]).toMatch(/^\[\{"role":"user","content":"Task of A\./u);
    await session.sendMessage({ to: "A", content: "well done" });
    await until(() => member(session, "A").presence === "idle");
    await session.sendMessage({ to: "A", content: "one more" });
    await until(() => shown.length === 2);
    expect(shown[1]?.split("one more").at(-1)).not.toContain(task);
    expect(shown[1]?.split(task)).toHaveLength(prompt === null ? 3 : 2);
  },
);

test("a oneshot member that is retried starts a new conversation with the new prompt", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: { A: [call("look"), { error: "context_length" }, call("look"), complete("v2")] },
    agents: { it: { tools: { look: lookTool(shown) } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await team.finished();
  await session.replan({ retry: [{ name: "A", prompt: "Shorter." }] });
  expect((await team.finished()).members[0]).toMatchObject({ status: "completed", attempt: 2 });
  expect(shown[1]).toMatch(/^\[\{"role":"user","content":"Shorter\."\}/u);
  expect(shown[1]).not.toContain("Task of A.");
});

test("no content is lost when a session drops what nobody refers to any more: 3,000 messages, read at the end", async () => {
  const start = gate();
  const read: string[] = [];
  const reader = {
    run: async ({ mail, name }: FunctionRun) => {
      await start.promise;
      for (const { content } of await mail.take()) read.push(`${name} ${content}`);
      return { summary: `${name} read` };
    },
  };
  await using tests = await startSystem({ agents: { reader } });
  const session = await tests.open();
  const names = Array.from({ length: 15 }, (_, n) => `M${n}`);
  const team = await session.createTeam({
    name: "T",
    members: names.map((name) => one(name, { agentType: "reader" })),
  });
  const expected: string[] = [];
  for (let n = 0; n < 200; n += 1) {
    await Promise.all(names.map((to) => session.sendMessage({ to, content: `${to} ${n}` })));
    expected.push(...names.map((name) => `${name} ${name} ${n}`));
  }
  start.resolve();
  const { members } = await team.finished();
  await settle();
  expect(read.toSorted()).toEqual(expected.toSorted());
  expect(members.map(({ summary }) => summary)).toEqual(names.map((name) => `${name} read`));
});
