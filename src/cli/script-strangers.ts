import { didYouMean } from "../errors/index.ts";
import { nearestName, normalizeName } from "../protocol/names.ts";
import type { TeamFile } from "../protocol/team-file.ts";

/** Members that a fault lists or is compared with. */
const [listedMax, comparedMax] = [20, 1_000];

/**
 * The actors that a file's script speaks for and that its `team` neither has nor invites, with what is wrong. A lead chooses its
 * members itself, so its file's script may speak for anybody.
 */
export function scriptStrangers({
  team,
  invite = [],
  script,
}: TeamFile): readonly { actor: string; problem: string }[] {
  if (team === undefined || script === undefined) return [];
  const guests = invite.map(({ agent, as = agent }) => as);
  const names = [...team.members.map(({ name }) => name), ...guests].map(normalizeName);
  const known = new Set(names);
  return [...script.keys()]
    .filter((actor) => !known.has(normalizeName(actor)))
    .map((actor) => {
      const instead = didYouMean(nearestName(actor, names.slice(0, comparedMax)));
      const more = names.length > listedMax ? ", ..." : "";
      const members = `Members: ${names.slice(0, listedMax).join(", ")}${more}`;
      return { actor, problem: `script: "${actor.slice(0, 80)}" is no member of the team${instead}. ${members}` };
    });
}
