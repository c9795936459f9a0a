import { expect, test } from "vitest";
import { createAgent, type FunctionRun } from "../../../src/index.ts";
import { call, complete, gate, one, rejection, until } from "../../support/sessions.ts";
import { abandon, useFile } from "../../support/sqlite-file.ts";

const persistent = (name: string, agentType: string) => one(name, { agentType, lifetime: "persistent" });

test("a session with an invited agent is gone on with by whoever has that agent; by anybody else it is not_invitable", async () => {
  const archivist = () =>
    createAgent({ name: "Archivist", description: "files", agent: { run: ({ prompt }) => ({ summary: prompt }) } });
  const file = useFile();
  const first = await file.open({ invitables: [await archivist()], script: { A: [{ hang: true }] } });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A")] });
  await session.invite({ agent: "Archivist", prompt: "the case" });
  await until(() => session.member("Archivist")?.presence === "idle");
  await first.system.close();
  const without = await file.open();
  expect(await rejection(without.system.openSession({ id: "s" }))).toMatchObject({
    code: "not_invitable",
    data: { name: "Archivist", reason: "this process does not have it" },
  });
  const agent = await archivist();
  const second = await file.open({ invitables: [agent], script: { A: [complete()] } });
  const again = await second.system.openSession({ id: "s" });
  expect(agent.teams).toEqual([{ session: "s", team: "T", name: "Archivist" }]);
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  await again.end();
  expect(agent.teams).toEqual([]);
  await Promise.all([without.system.close(), second.system.close()]);
});

/** A function that says what it has read, and then waits to be let go on. */
function reader() {
  const read: string[][] = [];
  const goOn = gate();
  const run = async ({ mail }: FunctionRun) => {
    const own: string[] = [];
    read.push(own);
    own.push((await mail.next()).content);
    own.push((await mail.next()).content);
    const last = await mail.next();
    own.push(last.content);
    await mail.acknowledge(last.handle);
    own.push("acknowledged");
    await goOn.promise;
    return { summary: own.join(" ") };
  };
  return { read, goOn, agents: { reader: { run } } };
}

test.each(["killed", "closed"])(
  "a function whose process was %s reads again what it had read and not acknowledged, and nothing is delivered twice",
  async (how) => {
    const file = useFile();
    const [before, after] = [reader(), reader()];
    const first = await file.open({ agents: before.agents });
    const session = await first.system.openSession({ id: "s" });
    await session.createTeam({ name: "T", members: [persistent("A", "reader")] });
    for (const content of ["one", "two", "three"]) await session.sendMessage({ to: "A", content });
    await until(() => before.read[0]?.includes("acknowledged") === true);
    if (how === "killed") await abandon(first, "s");
    else await first.system.close();
    const second = await file.open({ agents: after.agents });
    const again = await second.system.openSession({ id: "s" });
    await until(() => after.read[0]?.length === 2);
    expect(after.read).toEqual([["one", "two"]]);
    await again.sendMessage({ to: "A", content: "four" });
    after.goOn.resolve();
    expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
    expect(again.member("A")?.summary).toBe("one two four acknowledged");
    expect(again.status().messages).toMatchObject({ accepted: 4, delivered: 4, unread: 0 });
    // A turn that is over is not read again: the next one waits for mail of its own.
    await again.sendMessage({ to: "A", content: "five" });
    await until(() => after.read.length === 2 && after.read[1]?.length === 1);
    expect(after.read[1]).toEqual(["five"]);
    await Promise.all([first.system.close(), second.system.close()]);
  },
);

test("what became of mail and notices is told the same by every owner, whatever the checkpoint covers", async () => {
  const file = useFile();
  const script = { A: [complete(), call("look"), { text: "read" }] };
  const first = await file.open({ script });
  const session = await first.system.openSession({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("A", { lifetime: "persistent" })] });
  await team.finished();
  await session.sendMessage({ to: "A", content: "hello" });
  await until(() => session.mail().mail.every(({ state }) => state !== "accepted") && session.alive.runs === 0);
  const told = session.mail();
  expect(told.mail.map(({ notice }) => notice)).toContain("team_finished");
  await first.system.close();
  const second = await file.open({ script });
  const again = await second.system.openSession({ id: "s" });
  expect(again.mail()).toEqual(told);
  await second.system.close();
});

test("whoever lets go in order leaves nothing to be folded", async () => {
  const file = useFile();
  const first = await file.open({ script: { A: [complete()] } });
  const session = await first.system.openSession({ id: "s" });
  await (await session.createTeam({ name: "T", members: [one("A")] })).finished();
  await first.system.close();
  const stored = await first.bus.checkpoints.get("default.session.s");
  const records = await first.bus.read({ namespace: "default", session: "s" }, { fromSeq: 1 });
  expect(stored?.value).toMatchObject({ kernel: { seq: records.at(-1)?.seq } });
});
