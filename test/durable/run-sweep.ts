import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killedTeams, type TeamName } from "./teams/index.ts";
import { sweep } from "./sweep.ts";

/** `npm run sweep -- [TEAM...] [--twice]`: kills every team's process in every moment of its life. Takes some minutes. */
const given = process.argv.slice(2);
const twice = given.includes("--twice");
const named = given.filter((each) => !each.startsWith("--"));
const known = Object.keys(killedTeams);
const unknown = named.filter((each) => !known.includes(each));
if (unknown.length > 0) {
  console.error(`unknown team ${unknown.join(", ")}; there are: ${known.join(", ")}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "teamchart-sweep-"));
let [tries, wrong] = [0, 0];
for (const team of (named.length > 0 ? named : known) as TeamName[]) {
  const before = tries;
  const failed = await sweep({
    team,
    folder: join(folder, team),
    // The second death wanders through the life after the first one.
    deaths: (moments) => Array.from({ length: moments }, (_, n) => (twice ? [n + 1, 1 + ((n * 7) % 40)] : [n + 1])),
    atOnce: 2,
    onKilled({ deaths, moments, wrong: fault }) {
      tries += 1;
      if (fault !== null)
        console.error(`${team}, killed at ${deaths.join(" and ")} (${moments.join(", then ")}):\n`, fault);
    },
  });
  wrong += failed.length;
  console.log(`${team}: ${tries - before} tries, ${failed.length} wrong`);
}
rmSync(folder, { recursive: true });
process.exit(wrong === 0 ? 0 : 1);
