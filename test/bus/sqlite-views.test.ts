import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem, defineAgent } from "../../src/index.ts";
import { one, rejection } from "../support/sessions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("the views show teams, members and messages to whoever asks in SQL, and let nobody write", async () => {
  const path = join(temporaryFolder(), "bus.db");
  const bus = sqliteBus({ path });
  const agents = {
    reader: defineAgent({
      run: async ({ mail, send, name }) => {
        if (name === "B") await send("A", "hello from B");
        else await mail.next();
        return { summary: `${name} is done`, paths: [] };
      },
    }),
    failing: defineAgent({ run: () => rejection(Promise.resolve(1)) as never }),
  };
  const system = await createTeamSystem({ bus, agents });
  const session = await system.openSession({ id: "s" });
  const team = await session.createTeam({
    name: "T",
    description: "of readers",
    members: [
      one("A", { agentType: "reader" }),
      one("B", { agentType: "reader" }),
      one("C", { agentType: "failing" }),
      one("D", { agentType: "reader", dependsOn: ["C"] }),
    ],
  });
  await team.finished();
  await system.close();
  await bus.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = (sql: string): unknown =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  expect(rows("SELECT session, team, description, state, members, completed, failed FROM team")).toEqual([
    { session: "s", team: "T", description: "of readers", state: "stalled", members: 4, completed: 2, failed: 1 },
  ]);
  expect(rows("SELECT name, agent_type, status, presence, attempt, summary FROM team_member ORDER BY name")).toEqual([
    { name: "A", agent_type: "reader", status: "completed", presence: "shutdown", attempt: 1, summary: "A is done" },
    { name: "B", agent_type: "reader", status: "completed", presence: "shutdown", attempt: 1, summary: "B is done" },
    { name: "C", agent_type: "failing", status: "failed", presence: "parked", attempt: 1, summary: null },
    { name: "D", agent_type: "reader", status: "blocked", presence: "parked", attempt: 0, summary: null },
  ]);
  expect(rows("SELECT reason FROM team_member WHERE name = 'C'")).toEqual([
    { reason: expect.stringMatching(/^tool_error: resolved with 1/) },
  ]);
  expect(rows("SELECT sender, recipient, kind, bytes, content, read_by FROM team_message")).toEqual([
    { sender: "B", recipient: "A", kind: "text", bytes: 12, content: "hello from B", read_by: 1 },
  ]);
  expect(rows("SELECT * FROM team_task")).toEqual([]);
  expect(rows("SELECT substr(as_of, 1, 2) AS century FROM team")).toEqual([{ century: "20" }]);
  database.close();
  const writable = new DatabaseSync(path);
  expect(() => writable.exec("UPDATE team_member SET status = 'completed'")).toThrow(/view/);
  expect(() => writable.exec("DELETE FROM team")).toThrow(/view/);
  writable.close();
});
