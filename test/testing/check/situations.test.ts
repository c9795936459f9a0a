import { expect, test } from "vitest";
import { teamModel, type TeamModelOptions } from "../../../src/testing/index.ts";
import type { JudgedState } from "../../../src/testing/check/guarantee.ts";
import { guarantees } from "../../../src/testing/check/guarantees.ts";
import { StateToJudge, Tried } from "../../../src/testing/check/judged-state.ts";
import { packCases } from "./pack-cases.ts";

/** How many walks are made of each model, and of how many moves. */
const [walks, movesMax] = [25, 30];

/** Everything that is tried on a walk, in words; `asksAll` has it asked in each state, whatever was met before. */
function triedOn(options: TeamModelOptions, asksAll: boolean): { words: Set<string>; asked: number } {
  const model = teamModel(options);
  const tried = new Tried(model.facts);
  const words = new Set<string>();
  let asked = 0;
  let seed = 1;
  const isNew = (situation: string): boolean => {
    asked++;
    return !words.has(situation) && words.add(situation).size > 0;
  };
  for (let walk = 0; walk < walks; walk++) {
    const session = model.initial();
    for (let at = 0; at < movesMax; at++) {
      const judged = new StateToJudge(session, model, tried);
      const state: JudgedState = {
        session,
        facts: model.facts,
        runs: judged.runs,
        timers: judged.timers,
        probe: judged.probe,
        isNew,
        isUntried: asksAll || judged.isUntried,
      };
      for (const guarantee of guarantees) {
        expect(guarantee.state?.(state) ?? null).toBeNull();
        expect(guarantee.tried?.(state) ?? null).toBeNull();
      }
      const moves = model.moves(session);
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      const move = moves[(seed >>> 8) % moves.length];
      if (move === undefined) break;
      model.step(session, move);
    }
  }
  return { words, asked };
}

/** Models in which everything waits that a trial looks at. */
const names: ReadonlySet<string> = new Set([
  "hosted lead, two calls",
  "plan, two calls",
  "two calls",
  "two calls, persistent",
  "calls outside, hosted lead",
  "skip the failed",
  "lost runs",
  "two replans",
  "an invited agent",
  "two dissolves",
]);

test.each(packCases.filter(([name]) => names.has(name)))("%s: where no situation can be new, none is", (_, model) => {
  const [all, few] = [triedOn(model, true), triedOn(model, false)];
  expect(all.words.size).toBeGreaterThan(0);
  expect(few.words).toEqual(all.words);
  expect(few.asked).toBeLessThan(all.asked);
});
