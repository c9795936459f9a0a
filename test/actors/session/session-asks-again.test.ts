import { tool } from "ai";
import { expect, test } from "vitest";
import type { OpenSessionOptions, Session, TeamSystemOptions } from "../../../src/index.ts";
import { anyInput, call, complete, member, one, settle, until } from "../../support/sessions.ts";
import { abandon, useFile, type OpenedFile } from "../../support/sqlite-file.ts";

interface Given {
  readonly options: Partial<TeamSystemOptions>;
  readonly open?: OpenSessionOptions;
  readonly begin: (session: Session) => unknown;
  readonly isWaiting: (session: Session) => boolean;
}

/** The results of calls that are in the log. */
async function endedCalls({ bus }: OpenedFile): Promise<string[]> {
  const records = await bus.read({ namespace: "default", session: "s" }, { fromSeq: 1 });
  return records.flatMap(({ input, body }) => (input.event.type === "tool.ended" ? [JSON.stringify(body)] : []));
}

/** The session as a second system has it when a call waits there again that waited when its first owner was gone. */
async function goOn(how: "killed" | "closed", { options, open, begin, isWaiting }: Given) {
  const file = useFile();
  const first = await file.open(options);
  const session = await first.system.openSession({ id: "s", ...open });
  await begin(session);
  await until(() => isWaiting(session));
  if (how === "killed") {
    await abandon(first, "s");
    // Who is killed says nothing more.
    await first.bus.close();
  } else await first.system.close();
  const second = await file.open(options);
  const again = await second.system.openSession({ id: "s", ...open });
  // What still waits in the state until the claim is applied doesn't count.
  await settle();
  await until(() => isWaiting(again));
  expect(await endedCalls(second)).toEqual([]);
  const close = () => Promise.all([first.system.close().catch(() => {}), second.system.close()]);
  return { again, ended: () => endedCalls(second), close };
}

const hows = ["killed", "closed"] as const;

test.each(hows)("a permission that waited when its owner was %s is asked for again", async (how) => {
  const deployed: unknown[] = [];
  const deploy = tool({ inputSchema: anyInput, execute: (input) => void deployed.push(input) });
  const { again, close } = await goOn(how, {
    options: {
      script: { A: [call("deploy", { to: "test" }), complete("after it")] },
      agents: { worker: { tools: { deploy }, permissions: { rules: { ask: ["deploy"] } } } },
    },
    begin: (session) => session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] }),
    isWaiting: (session) => session.permissionRequests().length > 0,
  });
  await again.answerPermission({ request: again.permissionRequests()[0]?.id ?? "", approve: true });
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(deployed).toEqual([{ to: "test" }]);
  await close();
});

test.each(hows)("a question of the lead that waited when its owner was %s is asked again", async (how) => {
  const { again, ended, close } = await goOn(how, {
    options: { script: { Lead: [call("ask_user_question", { question: "Which?" }), { text: "done" }] } },
    open: { lead: {} },
    // Its turn ends in another process.
    begin: (session) => void session.send("Go.").catch(() => {}),
    isWaiting: (session) => session.questions.length > 0,
  });
  expect(again.questions).toMatchObject([{ question: "Which?" }]);
  await again.answerQuestion(again.questions[0]?.id ?? "", "the second");
  await until(() => again.alive.runs === 0);
  expect(again.answer).toBe("done");
  expect(await ended()).toEqual([expect.stringContaining("the second")]);
  await close();
});

test.each(hows)("a plan that waited for approval when its owner was %s waits again", async (how) => {
  const { again, close } = await goOn(how, {
    options: { script: { A: [call("submit_plan", { plan: "I will." }), complete("planned")] } },
    begin: (session) => session.createTeam({ name: "T", members: [one("A", { requirePlan: true })] }),
    isWaiting: (session) => member(session, "A").activity === "waiting_plan_approval",
  });
  await again.answerPlan("A", { approve: true });
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(member(again, "A")).toMatchObject({ summary: "planned" });
  await close();
});
