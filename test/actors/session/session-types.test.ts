import { expect, test } from "vitest";
import { defineAgent, type Session, type TeamDeclaration } from "../../../src/index.ts";
import { rejection, startSystem } from "../../support/sessions.ts";

// The compiler checks these: each @ts-expect-error is a fault of its own when there is nothing to complain about.

const literal = (session: Session) =>
  session.createTeam({
    name: "T",
    members: [
      { name: "Ann", prompt: "p" },
      // @ts-expect-error "Anm" is no member of this team
      { name: "Bob", prompt: "p", dependsOn: ["Anm"] },
    ],
  });

test("a literal team with a dependency that is nobody does not compile, and is refused where it runs anyway", async () => {
  await using tests = await startSystem();
  expect(await rejection(literal(await tests.open()))).toMatchObject({ code: "unknown_dependency" });
});

test("a literal team whose dependencies are its members compiles, and so does a team that is made at run time", async () => {
  await using tests = await startSystem({ agents: { it: { run: () => ({}) } } });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [
      { name: "Ann", prompt: "p", agentType: "it" },
      { name: "Bob", prompt: "p", agentType: "it", dependsOn: ["Ann"] },
    ],
  });
  await team.finished();
  await session.dissolve();
  const names: string[] = ["x", "y"];
  const dynamic: TeamDeclaration<string> = {
    name: "U",
    members: names.map((name) => ({
      name,
      prompt: "p",
      agentType: "it",
      dependsOn: names.filter((each) => each < name),
    })),
  };
  expect((await session.createTeam(dynamic)).created).toMatchObject({ started: ["x"], blocked: ["y"] });
});

test("wrong inputs do not compile, and are refused where they run anyway", async () => {
  await using tests = await startSystem();
  const session = await tests.open();
  const wrong = [
    // @ts-expect-error a member needs a prompt
    () => session.createTeam({ name: "T", members: [{ name: "Ann" }] }),
    // @ts-expect-error a lifetime is oneshot or persistent
    () => session.createTeam({ name: "T", members: [{ name: "Ann", prompt: "p", lifetime: "forever" }] }),
    // @ts-expect-error there is no field like this
    () => session.createTeam({ name: "T", members: [], owner: "me" }),
    // @ts-expect-error a cancel is a list of names
    () => session.replan({ cancel: "Ann" }),
    // @ts-expect-error a mode is graceful or abort
    () => session.dissolve({ mode: "now" }),
    // @ts-expect-error a message has a content
    () => session.sendMessage({ to: "Ann" }),
    // @ts-expect-error nothing but a boolean approves
    () => session.answerPermission("id", { approve: "yes" }),
    // @ts-expect-error nothing but a boolean approves
    () => session.answerPlan("Ann", { approve: 1 }),
  ];
  for (const call of wrong) expect(await rejection(call())).toMatchObject({ code: "bad_input" });
});

test("an agent is a model or a function; what a function returns is checked by the compiler", () => {
  expect(defineAgent({ run: () => ({ summary: "s", paths: ["p"] }) })).toBeTypeOf("object");
  expect(defineAgent({ instructions: "i", tools: ["read_file"] })).toBeTypeOf("object");
  // @ts-expect-error a summary is a text
  expect(defineAgent({ run: () => ({ summary: 7 }) })).toBeTypeOf("object");
  // @ts-expect-error an approver is the user or the lead
  expect(defineAgent({ approver: "anybody" })).toBeTypeOf("object");
});
