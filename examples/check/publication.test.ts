import { checkModel, checkPath, teamModel } from "teamchart/testing";
import { test } from "vitest";
import { approved, comesToAnEnd, drafts } from "./approved.ts";
import { publication } from "./publication.ts";
import { expect } from "./matchers.ts";
import { members } from "./team.ts";

const model = teamModel({ members, lifetimes: "persistent", protocol: publication });
const properties = {
  ghost: drafts,
  onStep: { "what is published was approved": approved },
  quiescent: { "a review comes to an end": comesToAnEnd },
};

test("with reviews that may be outdated, the protocol holds", () => {
  const result = checkModel(model, { ...properties, budgets: { replan: 1, outcomes: 1 } });
  expect(result).toHold();
  expect(result.symmetry).toMatchObject({ isOn: false, why: "the model has a protocol of your own" });
});

test("every transition of the protocol is taken, whatever two things go wrong", () => {
  const result = checkModel(model, {
    ...properties,
    budgets: { replan: 2, outcomes: 2 },
    interventionsMax: 2,
    sometimes: { abandoned: ({ protocol }) => protocol.matches("abandoned") },
  });
  expect(result).toHold();
  expect(result).toCover({}, "publication");
});

test("the path that broke the first version: the old approval is asked for again", () => {
  const race = ["Writer delivers", "a replan retries Writer", "Writer delivers", "Reviewer delivers"];
  const again = [...race, "the host asks the Reviewer again", "Reviewer delivers"];
  expect(checkPath(model, again, properties).violation).toBeNull();
  const { violation } = checkPath(model, again, {
    always: { "not published": (s) => !s.protocol.matches("published") },
  });
  expect(violation?.moves).toEqual(again);
});
