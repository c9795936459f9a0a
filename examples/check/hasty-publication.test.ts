import { checkModel, checkPath, teamModel } from "teamchart/testing";
import { expect, test } from "vitest";
import { approved, comesToAnEnd, drafts, ofNoOlderDraft } from "./approved.ts";
import { hastyPublication } from "./hasty-publication.ts";
import { members } from "./team.ts";

const model = teamModel({ members, lifetimes: "persistent", protocol: hastyPublication });

test("the checker finds the approval that belongs to an older draft", () => {
  const onStep = { "an approval is of no older draft": ofNoOlderDraft };
  const { violation } = checkModel(model, { budgets: { replan: 1 }, ghost: drafts, onStep });
  expect(violation?.toString()).toMatchInlineSnapshot(`
    "violated: an approval is of no older draft
      it does not hold
    1. Writer delivers  [Writer -> Writer: run.completed => completed]
         Team -> Reviewer: member.start => in_progress
         publication: drafting -> reviewing  [writer.completed]
         publication: reviewing  [reviewer.in_progress] (ignored)
    2. a replan retries Writer  [user -> Team: team.replan]
         Team -> Writer: member.retry => in_progress
         user -> Team: team.replanned
         publication: reviewing -> drafting  [writer.in_progress]
    3. Writer delivers  [Writer -> Writer: run.completed => completed]
         publication: drafting -> reviewing  [writer.completed]
    4. Reviewer delivers  [Reviewer -> Reviewer: run.completed => completed]
         Team -> Team: team.judged
         Reviewer -> Lead: notice.team_finished
         publication: reviewing -> published  [reviewer.completed]
    then: Team finished; Writer completed/idle; Reviewer completed/idle; publication published"
  `);
});

test("the checker finds a shorter way that nobody had thought of: a Reviewer that need not wait for the Writer", () => {
  const onStep = { "what is published was approved": approved };
  const { violation } = checkModel(model, { budgets: { replan: 1 }, ghost: drafts, onStep });
  expect(violation?.moves).toEqual(["a replan frees Reviewer", "Writer delivers", "Reviewer delivers"]);
});

test("the checker finds the review that nobody makes any more", () => {
  const quiescent = { "a review comes to an end": comesToAnEnd };
  const { violation } = checkModel(model, { budgets: { outcomes: 1, replan: 1 }, quiescent });
  expect(violation?.moves).toEqual(["Writer delivers", "a replan cancels Reviewer"]);
});

test("the race, pinned: a path is walked by the names of its moves", () => {
  const moves = ["Writer delivers", "a replan retries Writer", "Writer delivers", "Reviewer delivers"];
  const onStep = { "what is published was approved": approved };
  const { violation } = checkPath(model, moves, { ghost: drafts, onStep });
  expect(violation?.moves).toEqual(moves);
});
