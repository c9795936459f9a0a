import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { defineAgent } from "../../../src/index.ts";
import { loseRun } from "../../support/lose-run.ts";
import { one, startSystem, until } from "../../support/sessions.ts";

/** A function whose first run says `first` and stays, and whose second one says `second`. */
const twoRuns = (first: readonly string[], second: readonly string[]) => {
  let runs = 0;
  let isStaying = false;
  const agent = defineAgent({
    run: async ({ send, board, signal }) => {
      runs += 1;
      for (const content of runs === 1 ? first : second) await send("Lead", content);
      await board?.add({ subject: `of run ${runs}` });
      if (runs > 1) return;
      isStaying = true;
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  return { agent, isStaying: () => isStaying };
};

const play = async (first: readonly string[], second: readonly string[]) => {
  const { agent, isStaying } = twoRuns(first, second);
  const bus = memoryBus();
  await using started = await startSystem({ bus, agents: { talker: agent } });
  const session = await started.open({ board: {} });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "talker" })] });
  await until(isStaying);
  await loseRun(bus, session, "A-t1");
  await until(() => session.member("A")?.status === "completed");
  const said = session.mail().mail.filter(({ from }) => from === "A");
  return {
    said: said.map(({ content }) => content).toReversed(),
    tasks: session.board.list().map(({ subject }) => subject),
  };
};

test("G4: what a run that takes the place of a lost one says is not taken for what that one said", async () => {
  expect(await play(["one", "two"], ["three"])).toEqual({
    said: ["one", "two", "three"],
    tasks: ["of run 1", "of run 2"],
  });
});

test("what it says again is said once, as often as one run says it", async () => {
  expect((await play(["one", "one", "two"], ["two", "one", "one", "one"])).said).toEqual(["one", "one", "two", "one"]);
});
