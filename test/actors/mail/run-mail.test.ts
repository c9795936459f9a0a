import { expect, test } from "vitest";
import { createTeamSystem, defineAgent, type FunctionRun, type Session } from "teamchart";

/** A team of two that both do this; closed with its system. */
async function openPair(run: (run: FunctionRun) => Promise<void>): Promise<AsyncDisposable & { session: Session }> {
  const system = await createTeamSystem({ agents: { talker: defineAgent({ run }) }, limits: { hopsMax: 1_000 } });
  const session = await system.openSession();
  const members = ["Ann", "Bob"].map((name) => ({ name, agentType: "talker", prompt: "Talk." }));
  await session.createTeam({ name: "Pair", members });
  return { session, [Symbol.asyncDispose]: () => system.close() };
}

test("a message that arrives while its reader looks for mail is not missed", async () => {
  const { promise: done, resolve } = Promise.withResolvers<number>();
  let handled = 0;
  await using _pair = await openPair(async ({ name, send, mail }) => {
    const other = name === "Ann" ? "Bob" : "Ann";
    if (name === "Ann") await send(other, "0");
    for (;;) {
      const { content } = await mail.next();
      if (++handled === 200) resolve(handled);
      await send(other, content);
    }
  });
  expect(await done).toBe(200);
});

test("two readers of one mailbox get a message each", async () => {
  const { promise: done, resolve } = Promise.withResolvers<string[]>();
  await using _pair = await openPair(async ({ name, send, mail }) => {
    if (name === "Ann") {
      await Promise.all([send("Bob", "one"), send("Bob", "two")]);
      return;
    }
    const both = await Promise.all([mail.next(), mail.next()]);
    resolve(both.map(({ content }) => content).toSorted());
  });
  expect(await done).toEqual(["one", "two"]);
});

test("a reader that waits is told when its run is stopped", async () => {
  const { promise: waiting, resolve: waits } = Promise.withResolvers<void>();
  const { promise: stopped, resolve } = Promise.withResolvers<unknown>();
  await using pair = await openPair(async ({ name, mail }) => {
    if (name === "Ann") return;
    const next = mail.next();
    waits();
    await next.catch(resolve);
  });
  await waiting;
  await pair.session.dissolve({ mode: "abort" });
  expect(await stopped).toMatchObject({ name: "AbortError" });
});

test("mail is delivered once, also to a reader that takes it twice at the same time", async () => {
  const { promise: done, resolve } = Promise.withResolvers<number[]>();
  await using pair = await openPair(async ({ name, send, mail }) => {
    if (name === "Ann") {
      await send("Bob", "hello");
      return;
    }
    const first = await mail.next();
    const rest = await Promise.all([mail.take(), mail.take()]);
    resolve([first.content.length, ...rest.map((each) => each.length)]);
  });
  expect(await done).toEqual([5, 0, 0]);
  expect(pair.session.status().messages).toMatchObject({ delivered: 1, unread: 0 });
});
