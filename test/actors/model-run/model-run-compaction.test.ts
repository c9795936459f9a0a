import { expect, test } from "vitest";
import { Journals } from "../../../src/actors/model-run/journals.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { startHttpTeam, calls, delivers, growOnly, linesOf, taskOf } from "../../support/http-team.ts";
import { loseRun } from "../../support/lose-run.ts";
import type { OpenAiServer, Reply, ServedRequest } from "../../support/openai-server.ts";
import { call, complete, gate, lookTool, member, one, startSystem, until } from "../../support/sessions.ts";

/** Whether a request asks for a summary. */
const isCompaction = (request: ServedRequest): boolean => linesOf(request).at(-1)?.includes("Write a summary") === true;

/** A server that plays a list to each actor, and answers each request for a summary from a list of its own. */
const script = (replies: Record<string, readonly Reply[]>, summaries: readonly string[]) => {
  const left = new Map(Object.entries(replies).map(([task, list]) => [task, [...list]]));
  const texts = [...summaries];
  return (request: ServedRequest): Reply => {
    if (isCompaction(request)) return { text: texts.shift() ?? "no more summaries" };
    return left.get(taskOf(request))?.shift() ?? { status: 400, error: { message: `no reply for ${taskOf(request)}` } };
  };
};

const requestsOf = (server: OpenAiServer, task: string) => server.requests.filter((each) => taskOf(each) === task);
const usersOf = (request: ServedRequest | undefined): string[] =>
  (request?.body.messages ?? []).flatMap(({ role, content }) => (role === "user" ? [JSON.stringify(content)] : []));

/** Requests between two summaries, and the summary's request as the last of its part. */
function partsOf(requests: readonly ServedRequest[]): ServedRequest[][] {
  const parts: ServedRequest[][] = [[]];
  for (const request of requests) {
    parts.at(-1)?.push(request);
    if (isCompaction(request)) parts.push([]);
  }
  return parts;
}

const big = "x".repeat(6_000);
const sendsBig = calls(["team_send_message", { to: "Lead", content: big.repeat(4) }]);
const agents = { it: { contextTokens: 6_000, compactAt: 0.8, tools: {} } };

test("a conversation at 80 % of its context goes on from a summary, its task and its roster, and each part only grows", async () => {
  const write = (n: number) => calls(["team_send_message", { to: "Lead", content: `${n} ${big}` }]);
  const steps = [1, 2, 3, 4, 5, 6, 7, 8].map(write);
  await using tests = await startHttpTeam(script({ A: [...steps, delivers("all sent")] }, ["first <part>", "second"]), {
    agents,
  });
  const session = await tests.open();
  const lines: string[] = [];
  session.events$.subscribe(({ event, verdict, actor }) => {
    if (actor === "A" && event.type === "run.compacted") lines.push(verdict);
  });
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  expect(await team.finished()).toMatchObject({ outcome: "completed", members: [{ summary: "all sent" }] });
  const parts = partsOf(requestsOf(tests.server, "A"));
  expect(parts.map((part) => growOnly(part))).toEqual([true, true, true]);
  // The summary's request is the last of its part: the conversation as it was, and the question.
  expect(parts.map((part) => part.filter(isCompaction).length)).toEqual([1, 1, 0]);
  const [, second] = parts;
  expect(usersOf(second?.[0])).toHaveLength(1);
  expect(usersOf(second?.[0])[0]).toMatch(
    /^"Task of A\..*<conversation-summary>\\nfirst &lt;part&gt;\\n<\/conversation-summary>.*<team-roster team=\\"T\\" state=\\"running\\".*<member name=\\"A\\"/u,
  );
  expect(lines).toEqual(["handled", "handled"]);
  // 11 requests, 15 tokens each: the summaries are model calls like any other.
  expect(member(session, "A")).toMatchObject({ modelCalls: 11, tokens: 165 });
});

test("the log alone gives the conversation back, and a run that takes over goes on from the summary", async () => {
  const bus = memoryBus();
  const held = { ...gate(), isOpen: false };
  await using tests = await startHttpTeam(
    (request): Reply => {
      if (isCompaction(request)) return { text: "what I did" };
      if (!JSON.stringify(request.body.messages).includes("what I did")) return sendsBig;
      return held.isOpen ? delivers() : { text: "never heard", after: held.promise };
    },
    { agents, bus },
  );
  const session = await tests.open();
  const folded = new Journals();
  session.records$.subscribe(({ stored, applied }) => folded.record(stored.input, stored.body, applied, 1));
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => JSON.stringify(tests.server.requests.at(-1)?.body.messages ?? []).includes("what I did"));
  const [token = ""] = session.state.members.keys();
  const before = linesOf(tests.server.requests.at(-1) as ServedRequest);
  held.isOpen = true;
  await loseRun(bus, session, token);
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  const after = tests.server.requests.at(-1) as ServedRequest;
  expect(linesOf(after)).toEqual(before);
  const [first, ...others] = folded.of(token, 1);
  expect(first).toMatchObject({ type: "compacted" });
  expect(others.map(({ type }) => type)).toEqual(["answered", "ended"]);
  expect(JSON.stringify(after.body.messages[1]?.content)).toBe(
    JSON.stringify(first?.type === "compacted" ? first.text : null),
  );
  held.resolve();
});

test("the tools and instructions of a request for a summary are those of all the others, and it may call none", async () => {
  await using tests = await startHttpTeam(script({ A: [sendsBig, delivers()] }, ["short"]), { agents });
  const session = await tests.open();
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] })).finished();
  const requests = requestsOf(tests.server, "A");
  expect(requests.map(isCompaction)).toEqual([false, true, false]);
  expect(new Set(requests.map(({ body }) => JSON.stringify(body.messages[0]))).size).toBe(1);
  expect(requests[1]?.body.tool_choice).toBe("none");
});

test("a summary holds of which limits the end was told, so that the next turn does not tell it again", async () => {
  const small = calls(["team_send_message", { to: "Lead", content: "hi" }]);
  const steps = Array.from({ length: 8 }, () => small);
  await using tests = await startHttpTeam(script({ A: [...steps, sendsBig, delivers()] }, ["short"]), {
    agents: { it: { ...agents.it, stepsMax: 10 } },
  });
  const session = await tests.open();
  const landings: unknown[] = [];
  session.records$.subscribe(({ stored }) => {
    if (stored.input.event.type === "run.compacted") landings.push((stored.body as { landings: string[] }).landings);
  });
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] })).finished();
  expect(landings).toEqual([["stepsMax"]]);
});

test("a conversation that is compacted before the task of a new attempt is given has that task once", async () => {
  const sendsAndDelivers = calls(
    ["team_send_message", { to: "Lead", content: big.repeat(4) }],
    ["complete", { summary: "first", paths: [] }],
  );
  const replies = [sendsAndDelivers, { text: "what I did" }, delivers("second")];
  await using tests = await startHttpTeam((_request, index) => replies[index] ?? { text: "no more" }, { agents });
  const session = await tests.open();
  const members = [one("A", { agentType: "it", lifetime: "persistent" })];
  await (await session.createTeam({ name: "T", members })).finished();
  await session.replan({ retry: [{ name: "A", prompt: "The second one." }] });
  await until(() => member(session, "A").summary === "second");
  const last = tests.server.requests.at(-1);
  expect(tests.server.requests.map(isCompaction)).toEqual([false, true, false]);
  expect(usersOf(last).join("").split("The second one.")).toHaveLength(2);
});

test("mail that comes while the summary is written is read after it, once", async () => {
  const held = gate();
  await using tests = await startHttpTeam(
    (request, index) => {
      if (isCompaction(request)) return { text: "the summary", after: held.promise };
      return index === 0 ? sendsBig : delivers();
    },
    { agents },
  );
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => tests.server.requests.some(isCompaction));
  await session.sendMessage({ to: "A", content: "while you wrote" });
  held.resolve();
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  const users = usersOf(tests.server.requests.at(-1));
  expect(users).toHaveLength(2);
  expect(users[0]).toContain("the summary");
  expect(users[1]).toContain("while you wrote");
  expect(session.status().messages).toMatchObject({ delivered: 2, unread: 0 });
});

test("R59: a lead that has forgotten everything still knows its team: the roster is the session's, and a later turn has it", async () => {
  const created = calls([
    "team_create",
    {
      name: "Review",
      members: [
        { name: "Ann", prompt: "Task of Ann. Wait." },
        { name: "Bob", prompt: "Task of Bob. Later.", dependsOn: ["Ann"] },
      ],
    },
  ]);
  const hold = gate();
  await using tests = await startHttpTeam((request): Reply => {
    if (taskOf(request) === "Ann") return { text: "hm", after: hold.promise };
    if (isCompaction(request)) return { text: "I know nothing." };
    const own = JSON.stringify(request.body.messages);
    if (own.includes("conversation-summary")) return { text: own.includes("again") ? "still here" : "here" };
    return own.includes("team_create") && own.includes("started") ? { text: big.repeat(4) } : created;
  });
  const session = await tests.open({ lead: { contextTokens: 6_000 } });
  await session.send("Review it.");
  expect(await session.send("Who works?")).toBe("here");
  const users = usersOf(tests.server.requests.at(-1));
  expect(users[0]).toContain("I know nothing.");
  expect(users[0]).toMatch(/<team-roster team=\\"Review\\" state=\\"running\\" revision=\\"1\\">/u);
  expect(users[0]).toMatch(/<member name=\\"Ann\\" type=\\"general\\" status=\\"in_progress\\"/u);
  expect(users[0]).toMatch(/<member name=\\"Bob\\".*status=\\"blocked\\".*waiting-on=\\"Ann\\"/u);
  expect(await session.send("And again?")).toBe("still here");
  expect(usersOf(tests.server.requests.at(-1))[0]).toBe(users[0]);
});

test("a nudge that is due comes after a summary", async () => {
  const shown: string[] = [];
  await using tests = await startSystem({
    script: { A: [{ text: big.repeat(4) }, { compact: "I thought aloud." }, call("look"), complete()] },
    agents: { it: { contextTokens: 5_000, tools: { look: lookTool(shown) } } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(shown[0]).toContain("I thought aloud.");
  expect(shown[0]).toContain("You ended your turn without calling complete");
  expect(shown[0]).not.toContain("xxxx");
});

test("a function of its own makes the summary: no model is asked, and its failure is the turn's", async () => {
  const shown: string[] = [];
  const lengths: number[] = [];
  const more = { contextTokens: 5_000, tools: { look: lookTool(shown) } };
  const long = call("team_send_message", { to: "Lead", content: big.repeat(4) });
  await using tests = await startSystem({
    script: { A: [long, call("look"), complete()], B: [long], C: [long] },
    agents: {
      own: {
        ...more,
        compact: ({ messages }) => {
          lengths.push(messages.length);
          return "made by hand";
        },
      },
      throws: { ...more, compact: () => Promise.reject(new Error("no space")) },
      empty: { ...more, compact: () => " " },
    },
    limits: { messageBytesMax: 100_000 },
  });
  const session = await tests.open();
  const members = ["own", "throws", "empty"].map((agentType, index) => one("ABC"[index] ?? "", { agentType }));
  const team = await session.createTeam({ name: "T", members });
  const [own, throws, empty] = (await team.finished()).members;
  expect(own).toMatchObject({ status: "completed", modelCalls: 3 });
  expect(shown[0]).toContain("made by hand");
  expect(lengths).toEqual([3]);
  expect(throws?.reason).toBe("tool_error: compact: no space");
  expect(empty?.reason).toBe("tool_error: compact: it gave no text");
});

test("a stop doesn't wait for a function that takes no notice of it", async () => {
  const asked = gate();
  const long = call("team_send_message", { to: "Lead", content: big.repeat(4) });
  await using tests = await startSystem({
    script: { A: [long] },
    agents: {
      own: {
        contextTokens: 5_000,
        compact: () => {
          asked.resolve();
          return new Promise<never>(() => {});
        },
      },
    },
    limits: { messageBytesMax: 100_000 },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "own" })] });
  await asked.promise;
  await session.dissolve({ mode: "abort" });
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
});

test("compactAt 0 never compacts; a script without a context that is given is never compacted either", async () => {
  await using tests = await startSystem({
    script: { A: [call("team_status"), complete()], B: [call("team_status"), complete()] },
    agents: { off: { contextTokens: 100, compactAt: 0 }, plain: {} },
    limits: { promptBytesMax: 1_000_000 },
  });
  const session = await tests.open();
  const prompt = "Task. ".repeat(100_000);
  const members = [one("A", { agentType: "off" }), { name: "B", agentType: "plain", prompt }];
  expect(await (await session.createTeam({ name: "T", members })).finished()).toMatchObject({ outcome: "completed" });
});

test("a script says where it is summed up: a call for a summary without its entry fails, and so does the entry without the call", async () => {
  const long = call("team_send_message", { to: "Lead", content: big.repeat(4) });
  await using tests = await startSystem({
    agents: {
      lacks: { contextTokens: 5_000, model: scriptedModel([long, complete()]) },
      spare: { model: scriptedModel([{ compact: "too early" }, complete()]) },
    },
    limits: { messageBytesMax: 100_000 },
  });
  const session = await tests.open();
  const members = [one("A", { agentType: "lacks" }), one("B", { agentType: "spare" })];
  const [lacks, spare] = (await (await session.createTeam({ name: "T", members })).finished()).members;
  expect(lacks?.reason).toMatch(/^model_error: script: .*call 2: the conversation is too long/u);
  expect(spare?.reason).toMatch(/^model_error: script: .*call 1: the entry is one with `compact`/u);
});

test("a summary that is itself too long is cut, and says so", async () => {
  await using tests = await startHttpTeam(script({ A: [sendsBig, delivers()] }, ["y".repeat(7_000)]), { agents });
  const session = await tests.open();
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] })).finished();
  const [summed = ""] = usersOf(tests.server.requests.at(-1));
  expect(summed).toContain("[Cut: 1000 more characters were too long for a summary.]");
  expect(summed.split("y".repeat(6_000))).toHaveLength(2);
});
