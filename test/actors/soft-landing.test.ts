import { expect, test } from "vitest";
import type { JournalEntry } from "../../src/actors/conversation.ts";
import { landingsOf, SoftLanding } from "../../src/actors/soft-landing.ts";

const told: JournalEntry = { type: "injected", text: "deliver", landing: "memberTokensMax" };
const compacted: JournalEntry = { type: "compacted", text: "summary", landings: landingsOf([told]) };

test.each([
  ["a message", told],
  ["a summary of it", compacted],
])("the end of a budget that %s has told is not told again, the end of another is", (_what, entry) => {
  expect(new SoftLanding([entry], 50).due(0, "memberTokensMax")).toBeNull();
  expect(new SoftLanding([entry], 50).due(0, "teamTokensMax")).toBe("teamTokensMax");
  expect(new SoftLanding([], 50).due(0, "memberTokensMax")).toBe("memberTokensMax");
});
