import { expect, test } from "vitest";
import { waitFor } from "xstate";
import { createTeamSystem, defineAgent, isTeamError } from "../../../src/index.ts";

const agents = {
  quick: defineAgent({ run: ({ prompt }) => ({ summary: prompt }) }),
  reader: defineAgent({ run: async ({ mail }) => ({ summary: (await mail.next()).content }) }),
};

test("a member's actor can be awaited by its state", async () => {
  await using system = await createTeamSystem({ agents });
  const session = await system.openSession();
  await session.createTeam({ name: "T", members: [{ name: "Ann", agentType: "quick", prompt: "x" }] });
  const ann = session.actor("Ann");
  if (ann === undefined) throw new Error("no actor");
  const snapshot = await waitFor(ann, (each) => each.matches({ work: "completed" }));
  expect(snapshot.hasTag("completed")).toBe(true);
  expect(snapshot.value).toMatchObject({ presence: "shutdown", run: "none" });
});

test("sending to an actor is a command of the user, and moves nothing by itself", async () => {
  await using system = await createTeamSystem({ agents });
  const session = await system.openSession();
  const senders: string[] = [];
  session.events$.subscribe(({ event, from }) => {
    if (event.type === "message.send") senders.push(from);
  });
  const team = await session.createTeam({ name: "T", members: [{ name: "Ann", agentType: "reader", prompt: "x" }] });
  const ann = session.actor("Ann");
  const before = ann?.getSnapshot();
  ann?.send({ type: "message.send", content: "hello" } as never);
  expect(ann?.getSnapshot()).toBe(before);
  const { members } = await team.finished();
  expect(members[0]).toMatchObject({ status: "completed", summary: "hello" });
  expect(senders).toEqual(["Lead"]);
});

test("an event that an actor does not take is refused with the ones that it does", async () => {
  await using system = await createTeamSystem({ agents });
  const session = await system.openSession();
  await session.createTeam({ name: "T", members: [{ name: "Ann", agentType: "reader", prompt: "x" }] });
  const send = () => session.actor("Ann")?.send({ type: "member.cancle" });
  expect(send).toThrow(/takes message\.send.*did you mean "member\.cancel"/);
  try {
    send();
  } catch (error) {
    expect(isTeamError(error, "bad_input")).toBe(true);
  }
});

test("an inspection observer is told of every actor and of its events", async () => {
  await using system = await createTeamSystem({ agents });
  const session = await system.openSession();
  const seen: string[] = [];
  session.inspect((inspection) => {
    if (inspection.type === "@xstate.event") seen.push(inspection.event.type);
  });
  const team = await session.createTeam({ name: "T", members: [{ name: "Ann", agentType: "quick", prompt: "x" }] });
  await team.finished();
  expect(seen).toEqual(expect.arrayContaining(["team.accepted", "member.start", "run.completed", "team.judged"]));
});
