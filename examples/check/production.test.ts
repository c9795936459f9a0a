// The machines of this folder in production: the same objects, the same translation of lines, a real session.
import { createTeamSystem, defineAgent, type Agent } from "teamchart";
import { expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { hastyMachine } from "./hasty-publication.ts";
import { follow, hostActions } from "./host.ts";
import { publicationMachine } from "./publication.ts";

const members = [
  { name: "Writer", agentType: "writer", prompt: "Write it.", lifetime: "persistent" },
  { name: "Reviewer", agentType: "reviewer", prompt: "Read it.", lifetime: "persistent", dependsOn: ["Writer"] },
] as const;

/** A Reviewer that says what it has read, and says its word when it is told to. */
function slowReviewer() {
  const read: string[] = [];
  const words: (() => void)[] = [];
  let begun = Promise.withResolvers<void>();
  const agent = defineAgent({
    async run({ upstream }) {
      const word = Promise.withResolvers<void>();
      words.push(word.resolve);
      read.push(upstream[0]?.summary ?? "nothing");
      begun.resolve();
      await word.promise;
      return { summary: "approved" };
    },
  });
  return {
    agent,
    read,
    /** Resolves when the next review has begun. */
    async begins(): Promise<void> {
      await begun.promise;
      begun = Promise.withResolvers();
    },
    approve: () => words.shift()?.(),
  };
}

function draftWriter(): Agent {
  let drafts = 0;
  return defineAgent({ run: () => ({ summary: `draft ${++drafts}` }) });
}

async function openSession(agents: { writer: Agent; reviewer: Agent }) {
  const system = await createTeamSystem({ agents });
  onTestFinished(() => system.close());
  return system.openSession();
}

/** The race: the Writer is tried again while the Reviewer reads, and the Reviewer approves what it was given. */
async function race(session: Awaited<ReturnType<typeof openSession>>, reviewer: ReturnType<typeof slowReviewer>) {
  const team = await session.createTeam({ name: "Publication", members: [...members] });
  await reviewer.begins();
  await team.replan({ retry: [{ name: "Writer" }] });
  const writer = session.actor("Writer");
  if (writer === undefined) throw new Error("nobody is called Writer");
  await waitFor(writer, (snapshot) => snapshot.matches({ work: "completed" }));
  reviewer.approve();
}

test("the first version publishes, in production too, a draft that nobody has read", async () => {
  const reviewer = slowReviewer();
  const session = await openSession({ writer: draftWriter(), reviewer: reviewer.agent });
  const published: string[] = [];
  const actions = hostActions(session, (text) => published.push(text));
  const publication = createActor(hastyMachine.provide({ actions })).start();
  follow(session, publication);
  await race(session, reviewer);
  await waitFor(publication, (snapshot) => snapshot.matches("published"));
  expect(published).toEqual(["draft 2"]);
  expect(reviewer.read).toEqual(["draft 1"]);
});

test("the checked version has the Reviewer begin again, and publishes what it has read", async () => {
  const reviewer = slowReviewer();
  const session = await openSession({ writer: draftWriter(), reviewer: reviewer.agent });
  const published: string[] = [];
  const actions = hostActions(session, (text) => published.push(text));
  const publication = createActor(publicationMachine.provide({ actions })).start();
  follow(session, publication);
  await race(session, reviewer);
  await reviewer.begins();
  expect(published).toEqual([]);
  reviewer.approve();
  await waitFor(publication, (snapshot) => snapshot.matches("published"));
  expect(published).toEqual(["draft 2"]);
  expect(reviewer.read).toEqual(["draft 1", "draft 2"]);
  expect(publication.getSnapshot().context.asks).toBe(1);
});

test("a review that fails is asked for again, and given up after the last time", async () => {
  let reviews = 0;
  const fails = defineAgent({
    run() {
      reviews++;
      throw new Error("no time");
    },
  });
  const session = await openSession({ writer: draftWriter(), reviewer: fails });
  const published: string[] = [];
  const actions = hostActions(session, (text) => published.push(text));
  const publication = createActor(publicationMachine.provide({ actions })).start();
  follow(session, publication);
  await session.createTeam({ name: "Publication", members: [...members] });
  await waitFor(publication, (snapshot) => snapshot.matches("abandoned"));
  expect(reviews).toBe(3);
  expect(published).toEqual([]);
});

test("with a model that writes and one that reads, nothing changes for the protocol", async () => {
  const complete = (summary: string) => [{ calls: [{ tool: "complete", input: { summary } }] }];
  const system = await createTeamSystem({
    agents: {
      writer: defineAgent({ model: "scripted", instructions: "You write." }),
      reviewer: defineAgent({ model: "scripted", instructions: "You read." }),
    },
    script: { Writer: complete("a text"), Reviewer: complete("approved") },
  });
  onTestFinished(() => system.close());
  const session = await system.openSession();
  const published: string[] = [];
  const actions = hostActions(session, (text) => published.push(text));
  const publication = createActor(publicationMachine.provide({ actions })).start();
  follow(session, publication);
  await session.createTeam({ name: "Publication", members: [...members] });
  await waitFor(publication, (snapshot) => snapshot.matches("published"));
  expect(published).toEqual(["a text"]);
});
