import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { complete, one, rejection } from "../../support/sessions.ts";
import { useFile } from "../../support/sqlite-file.ts";

test("R44: on SQLite a purged session is gone from every table and view, and nothing of another is", async () => {
  const file = useFile();
  const large = "x".repeat(20_000);
  const { system, bus } = await file.open({ script: { A: [complete(large.slice(0, 3_000)), { text: "read" }] } });
  for (const id of ["gone", "stays"]) {
    const session = await system.openSession({ id });
    await session.createTeam({
      name: `T ${id}`,
      members: [one("A", { lifetime: "persistent" })],
      tasks: [{ subject: "t" }],
    });
    await session.sendMessage({ to: "A", content: `${large} ${id}` });
    await session.close();
  }
  await bus.blobs.put("both", "shared", { namespace: "default", session: "gone" });
  await bus.blobs.put("both", "shared", { namespace: "default", session: "stays" });
  await bus.blobs.put("own", "of gone", { namespace: "default", session: "gone" });
  const database = new DatabaseSync(file.path);
  const tables = [
    "record",
    "session",
    "checkpoint",
    "claim",
    "blob",
    "blob_holder",
    "team",
    "team_member",
    "team_message",
    "team_task",
  ];
  const counts = (): readonly number[] =>
    tables.map((table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]));
  const text = (): string => JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
  const before = counts();
  expect(text()).toContain("gone");
  expect(await system.purge("gone")).toMatchObject({ checkpoints: 1, bodies: 1, inputs: expect.any(Number) });
  expect(text()).not.toContain("gone");
  const after = counts();
  const [records, sessions, checkpoints, claims, blobs, holders, teams, members, messages, tasks] = after;
  expect([sessions, checkpoints, claims, blobs, holders, teams, members, messages, tasks]).toEqual([
    1, 1, 0, 1, 1, 1, 1, 1, 1,
  ]);
  expect(records).toBeGreaterThan(0);
  expect(records).toBeLessThan(before[0] ?? 0);
  expect(await system.knownSessions()).toEqual(["stays"]);
  expect(await rejection(system.followSession("gone"))).toMatchObject({ code: "unknown_session" });
  const again = await system.openSession({ id: "stays" });
  expect(again.status()).toMatchObject({ team: "T stays" });
  database.close();
  await system.close();
});
