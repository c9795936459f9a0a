import { expect, test } from "vitest";
import type { Session } from "../../../src/index.ts";
import type { ScriptInput } from "../../../src/protocol/script.ts";
import {
  call,
  complete,
  gate,
  member,
  one,
  rejection,
  settle,
  startSystem,
  until,
  lookTool,
  fail,
} from "../../support/sessions.ts";

const create = (...members: object[]) => call("team_create", { name: "T", members });

/** A session with a hosted lead and what its model was shown, per call. */
async function startLead(script: ScriptInput, options: Parameters<typeof startSystem>[0] = {}, tools = {}) {
  const shown: string[] = [];
  const look = lookTool(shown);
  const tests = await startSystem({ script, ...options });
  const session = await tests.open({ lead: { tools: { look, ...tools } } });
  return { ...tests, session, shown };
}
const calm = (session: Session) => () => session.status().lead === "ended" || session.status().lead === "waiting_user";

test("send resolves with the answer of its turn; the lead keeps the conversation over turns", async () => {
  const { session, shown, system } = await startLead({ Lead: [{ text: "one" }, call("look"), { text: "two" }] });
  expect(await session.send("first")).toBe("one");
  expect(await session.send("second")).toBe("two");
  expect(shown[0]).toMatch(/first.*one.*second/su);
  expect(session.status()).toMatchObject({ lead: "waiting_user", state: "none", members: [] });
  await system.close();
});

test("R66, G5: a lead whose turn ended is woken once per batch: a failure and mail of one moment make one turn", async () => {
  const go = gate();
  const { session, shown, system } = await startLead(
    {
      Lead: [
        create(one("A", { agentType: "it" }), one("B", { agentType: "teller" })),
        { text: "waiting" },
        call("look"),
        call("look"),
        { text: "seen" },
      ],
    },
    {
      agents: {
        it: { run: () => go.promise.then(() => fail("no disk")) },
        teller: {
          run: async ({ send }) => {
            await go.promise;
            await send("Lead", "one");
            await send("Lead", "two");
            return { summary: "told" };
          },
        },
      },
    },
  );
  expect(await session.send("Go.")).toBe("waiting");
  expect(session.status().lead).toBe("ended");
  let wakes = 0;
  session.events$.subscribe(({ event }) => (wakes += event.type === "notice.arrived" ? 1 : 0));
  go.resolve();
  await until(() => session.answer === "seen" && session.status().lead === "ended");
  await settle(50);
  expect(wakes).toBe(1);
  expect(shown[1]).toMatch(/A failed.*no disk/su);
  expect(shown[1]).toMatch(/>one<.*>two</su);
  await system.close();
});

test("R66: whatever the moment at which a member fails, the lead learns of it", async () => {
  for (let turnsToWait = 0; turnsToWait < 40; turnsToWait += 2) {
    const failing = gate();
    const { session, system } = await startLead(
      { Lead: [create(one("A", { agentType: "it" })), { text: "bye" }, call("look"), { text: "seen" }] },
      { agents: { it: { run: () => failing.promise.then(() => fail("boom")) } } },
    );
    const told: string[] = [];
    session.events$.subscribe(({ event }) => {
      if (event.type === "run.injected" && "mail" in event) told.push(String(event.mail));
    });
    const sent = session.send("Go.");
    await settle(turnsToWait);
    failing.resolve();
    await sent;
    await until(() => session.status().state === "stalled" && calm(session)(), "the lead to rest");
    await settle(20);
    expect(told.join()).toContain("member_failed");
    await system.close();
  }
});

test("a failing lead does not end the team, and its next prompt finds it", async () => {
  const go = gate();
  const { session, system } = await startLead(
    { Lead: [create(one("A", { agentType: "it" })), { error: "context_length" }, { text: "back" }, { text: "ok" }] },
    {
      agents: {
        it: {
          run: async () => {
            await go.promise;
            return { summary: "fine" };
          },
        },
      },
    },
  );
  expect(await rejection(session.send("Go."))).toMatchObject({ code: "lead_failed" });
  expect([session.status().state, member(session, "A").status]).toEqual(["running", "in_progress"]);
  expect(await session.send("Are you there?")).toBe("back");
  go.resolve();
  await until(() => session.status().state === "finished");
  await system.close();
});

test("a prompt that came while a turn failed is not lost, and nobody waits for ever", async () => {
  const { session, shown, clock, system } = await startLead(
    { Lead: [{ error: "overloaded" }, { error: "context_length" }, call("look"), { text: "late answer" }] },
    {},
  );
  const first = rejection(session.send("first"));
  await until(() => session.status().lead === "backing_off");
  const second = rejection(session.send("second"));
  await clock.advance(1_000);
  expect(await first).toMatchObject({ code: "lead_failed" });
  expect(await second).toMatchObject({ code: "lead_failed" });
  await session.settled();
  expect(await session.send("third")).toBe("late answer");
  expect(shown[0]).toMatch(/first.*second.*third/su);
  await system.close();
});

test("without a lead send is refused, and so is an empty text", async () => {
  await using tests = await startSystem();
  const session = await tests.open();
  expect(await rejection(session.send("hello"))).toMatchObject({ code: "no_lead" });
  const led = await tests.open({ lead: {} });
  for (const text of ["", undefined, 7]) {
    expect(await rejection(led.send(text as never))).toMatchObject({ code: "bad_input" });
  }
});

test("a lead without any model: send fails with the list of variables that were looked at", async () => {
  await using tests = await startSystem();
  const session = await tests.open({ lead: {} });
  const error = await rejection(session.send("hello"));
  expect(error).toMatchObject({ code: "lead_failed" });
  expect(String(error)).toMatch(/no model is named/u);
});

test("concurrentRunsMax bounds members, not the lead that waits for them", async () => {
  let running = 0;
  let most = 0;
  const { session, system } = await startLead(
    {
      Lead: [
        create(...["A", "B", "C"].map((name) => one(name, { agentType: "it" }))),
        { waitFor: { A: "completed", B: "completed", C: "completed" } },
        { text: "all three" },
      ],
    },
    {
      limits: { concurrentRunsMax: 1 },
      agents: {
        it: {
          run: async () => {
            most = Math.max(most, (running += 1));
            await settle(2);
            running -= 1;
            return {};
          },
        },
      },
    },
  );
  expect(await session.send("Go.")).toBe("all three");
  expect(most).toBe(1);
  await system.close();
});

test("ask_user_question and confirm wait for the user, show the question, and read the answer", async () => {
  const { session, shown, system } = await startLead({
    Lead: [
      call("ask_user_question", { question: "Which?", choices: ["a", "b"] }),
      call("confirm", { question: "Sure?" }),
      call("look"),
      { text: "done" },
    ],
  });
  const sent = session.send("Go.");
  await until(() => session.questions.length === 1);
  expect(session.questions).toMatchObject([{ question: "Which?", choices: ["a", "b"] }]);
  expect(session.status().lead).toBe("asking_user");
  expect(await rejection(session.answerQuestion("nobody", "x"))).toMatchObject({ code: "unknown_permission" });
  const [first] = session.questions;
  await session.answerQuestion(first?.id ?? "", "the second");
  await until(() => session.questions[0]?.question === "Sure?");
  await session.answerQuestion(session.questions[0]?.id ?? "", "no");
  expect(await sent).toBe("done");
  expect(shown[0]).toMatch(/"answer":"the second".*"answer":"no"/su);
  expect(session.questions).toEqual([]);
  await system.close();
});

test("S12, R19: a member has no question, task or plan of its own, listed or not", async () => {
  await using tests = await startSystem({
    script: {
      A: [
        call("ask_user_question", { question: "May I?" }),
        call("task", { description: "d", prompt: "p" }),
        call("team_create", { name: "N", members: [one("X")] }),
        call("team_replan", { cancel: ["B"] }),
        call("team_dissolve"),
        complete(),
      ],
      B: [{ hang: true }],
    },
    agents: { it: { tools: ["ask_user_question", "task", "team_create", "read_file"] } },
  });
  const session = await tests.open();
  const verdicts: unknown[] = [];
  session.events$.subscribe(({ actor, event }) => actor === "A" && "verdict" in event && verdicts.push(event.verdict));
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" }), one("B")] });
  await until(() => member(session, "A").status === "completed");
  expect(verdicts).toEqual(["error", "error", "refused", "refused", "refused", "ok"]);
  expect([session.questions, session.status().state, member(session, "B").status]).toEqual([
    [],
    "running",
    "in_progress",
  ]);
});
