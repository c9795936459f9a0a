import { expect, test } from "vitest";
import { createVirtualClock } from "../../../src/testing/index.ts";
import { complete, one, rejection } from "../../support/sessions.ts";
import { useFile } from "../../support/sqlite-file.ts";

const dayMs = 24 * 60 * 60 * 1_000;

test("R44: sessions are kept for so many days after their last input, by the clock of the system; open ones for ever", async () => {
  const file = useFile();
  const at = (day: number) => file.open({ clock: createVirtualClock(day * dayMs), script: { A: [complete()] } });
  const run = async ({ system }: Awaited<ReturnType<typeof at>>, id: string) => {
    const session = await system.openSession({ id });
    await (await session.createTeam({ name: "T", members: [one("A")] })).finished();
    return session;
  };
  const first = await at(1_000);
  await (await run(first, "ended")).end();
  await (await run(first, "interrupted")).close();
  await first.system.close();
  const second = await at(1_010);
  await (await run(second, "later")).end();
  await second.system.close();
  const [early, due] = [await at(1_029.9), await at(1_030)];
  const open = await run(due, "open");
  expect(await early.system.purgeOld()).toEqual([]);
  expect(await due.system.purgeOld()).toEqual(["ended"]);
  expect(await due.system.purgeOld()).toEqual([]);
  // Whoever has a session open keeps it, in this system and in another one.
  expect(await early.system.purgeOld({ days: 0, interrupted: true })).toEqual(["interrupted", "later"]);
  expect(await due.system.purgeOld({ days: 0, interrupted: true })).toEqual([]);
  expect(await due.system.knownSessions()).toEqual(["open"]);
  expect(open.status()).toMatchObject({ team: "T", state: "finished" });
  await open.end();
  expect(await due.system.purgeOld({ days: 0 })).toEqual(["open"]);
  await Promise.all([early, due].map(({ system }) => system.close()));
});

test("what is no number of days is refused, and a system that is closed removes nothing", async () => {
  const { system } = await useFile().open();
  for (const old of [{ days: -1 }, { days: Number.NaN }, { weeks: 2 } as never]) {
    expect(await rejection(system.purgeOld(old))).toMatchObject({ code: "bad_input" });
  }
  await system.close();
  expect(await rejection(system.purgeOld())).toMatchObject({ code: "fenced" });
});
