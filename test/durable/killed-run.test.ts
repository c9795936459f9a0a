import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { sweep } from "./sweep.ts";
import { killedTeams, type TeamName } from "./teams/index.ts";

// A process takes a second to start, so a few moments of each team are tried here; `npm run sweep` tries all of them.
const triesOfEach = 5;

/** Moments at even distances over a life; one of them is followed by a second death early in the life after it. */
function sampled(moments: number): readonly (readonly number[])[] {
  const distance = moments / triesOfEach;
  return Array.from({ length: triesOfEach }, (_, n) => {
    const at = 1 + Math.floor((n + 0.4) * distance);
    return n === 2 ? [at, 7] : [at];
  });
}

test.each(Object.keys(killedTeams) as TeamName[])(
  "killed in the middle of the team %s, the next process brings it to the same end, and does nothing twice",
  async (team) => {
    expect(await sweep({ team, folder: temporaryFolder(), deaths: sampled, atOnce: 2 })).toEqual([]);
  },
);
