import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Bus } from "../../src/bus/bus.ts";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem, defineAgent, type TeamSystem } from "../../src/index.ts";
import type { TeamSystemOptions } from "../../src/actors/team-system.ts";
import { call, complete, gate, one, rejection } from "../support/sessions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A file that several systems open one after the other, as processes would. */
function useFile(): { open(options?: Partial<TeamSystemOptions>): Promise<{ system: TeamSystem; bus: Bus }> } {
  const path = join(temporaryFolder(), "teamchart.db");
  const buses: Bus[] = [];
  onTestFinished(async () => void (await Promise.all(buses.map((bus) => bus.close()))));
  return {
    async open(options = {}) {
      const bus = sqliteBus({ path });
      buses.push(bus);
      const system = await createTeamSystem({ bus, environment: {}, ...options });
      return { system, bus };
    },
  };
}

test("a session that was let go is gone on with: finished members are not run again, the others are", async () => {
  const ran: string[] = [];
  const [began, held] = [gate(), gate()];
  const agents = {
    quick: defineAgent({ run: ({ name }) => void ran.push(name) }),
    slow: defineAgent({
      run: async ({ name }) => {
        ran.push(name);
        began.resolve();
        if (ran.length < 3) await held.promise;
        return { summary: "late", paths: [] };
      },
    }),
  };
  const file = useFile();
  const first = await file.open({ agents });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "quick" }), one("B", { agentType: "slow", dependsOn: ["A"] })],
  });
  await began.promise;
  await first.system.close();
  const second = await file.open({ agents });
  const again = await second.system.openSession({ id: "s" });
  expect(again.isResumed).toBe(true);
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(ran).toEqual(["A", "B", "B"]);
  expect(again.status().members.map(({ name, summary }) => [name, summary])).toEqual([
    ["A", undefined],
    ["B", "late"],
  ]);
  await second.system.close();
});

test("a model's conversation goes on where it was, from a checkpoint as from the log", async () => {
  const script = { A: [call("note", { n: 1 }), { hang: true as const }, complete("after all")] };
  const file = useFile();
  const first = await file.open({ script, agents: {} });
  const session = await first.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "general" })] });
  await new Promise<void>((resolve) => {
    session.events$.subscribe(({ event }) => event.type === "step.ended" && resolve());
  });
  await first.system.close();
  const short = { A: [call("note", { n: 1 }), complete("after all")] };
  const second = await file.open({ script: short });
  const again = await second.system.openSession({ id: "s" });
  expect(await again.team?.finished()).toMatchObject({ outcome: "completed" });
  expect(again.member("A")).toMatchObject({ summary: "after all", attempt: 1 });
  await second.system.close();
});

test("what has ended, is open elsewhere or has another lead is refused, and changes nothing", async () => {
  const file = useFile();
  const { system } = await file.open();
  const session = await system.openSession({ id: "s" });
  const other = await file.open();
  expect(await rejection(other.system.openSession({ id: "s" }))).toMatchObject({ code: "fenced" });
  await session.close();
  expect(await rejection(other.system.openSession({ id: "s", lead: "own" }))).toMatchObject({ code: "bad_input" });
  await (await other.system.openSession({ id: "s" })).end();
  expect(await rejection(system.openSession({ id: "s" }))).toMatchObject({ code: "fenced", data: { closed: true } });
  expect(await system.knownSessions()).toEqual(["s"]);
  await Promise.all([system.close(), other.system.close()]);
});
