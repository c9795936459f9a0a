import { expect, test } from "vitest";
import type { JournalEntry } from "../../../src/actors/model-run/conversation.ts";
import { landingsOf, SoftLanding, type TurnLimits } from "../../../src/actors/model-run/soft-landing.ts";

const plenty: TurnLimits = { stepsMax: 50, nearTime: () => null, nearTurns: () => false };
const told: JournalEntry = { type: "injected", text: "deliver", landing: "memberTokensMax" };
const compacted: JournalEntry = { type: "compacted", text: "summary", landings: landingsOf([told]) };

test.each([
  ["a message", told],
  ["a summary of it", compacted],
])("the end of a budget that %s has told is not told again, the end of another is", (_what, entry) => {
  expect(new SoftLanding([entry], plenty).due(0, "memberTokensMax")).toBeNull();
  expect(new SoftLanding([entry], plenty).due(0, "teamTokensMax")).toBe("teamTokensMax");
  expect(new SoftLanding([], plenty).due(0, "memberTokensMax")).toBe("memberTokensMax");
});

test("limits are told one after the other, and each once a turn", () => {
  const landing = new SoftLanding([], { stepsMax: 5, nearTime: () => "teamMs", nearTurns: () => true });
  expect([0, 1, 4, 4].map((steps) => landing.due(steps, "teamCostMax"))).toEqual([
    "teamCostMax",
    "teamMs",
    "turnsMax",
    "stepsMax",
  ]);
  expect(landing.due(4, "teamCostMax")).toBeNull();
});

test.each(["attemptMs", "turnsMax", "stepsMax"] as const)(
  "%s begins anew, so its end is told again although an earlier turn has told of it",
  (limit) => {
    const near: TurnLimits = {
      stepsMax: 1,
      nearTime: () => (limit === "attemptMs" ? limit : null),
      nearTurns: () => limit === "turnsMax",
    };
    const steps = limit === "stepsMax" ? 1 : 0;
    expect(new SoftLanding([{ type: "injected", text: "deliver", landing: limit }], near).due(steps, null)).toBe(limit);
  },
);
