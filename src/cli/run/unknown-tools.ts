import { didYouMean } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import type { Script } from "../../protocol/script.ts";
import { teamToolTraits } from "../../tools/team/index.ts";
import { workspaceToolTraits } from "../../tools/workspace/index.ts";

/** Every tool that an actor of a team file can have: files bring no tools of their own. */
export const fileTools: readonly string[] = [...Object.keys(teamToolTraits), ...Object.keys(workspaceToolTraits)];

/** Tools that are told. */
const toldMax = 20;

/**
 * A sentence for each tool that a script calls and that no actor of a file can have. It is no fault: a script may want to
 * show what a wrong call leads to.
 */
export function unknownTools(script: Script | undefined): readonly string[] {
  const users = new Map<string, string>();
  for (const [actor, entries] of script ?? []) {
    for (const entry of entries) {
      if (!("calls" in entry)) continue;
      for (const { tool } of entry.calls) if (!fileTools.includes(tool) && !users.has(tool)) users.set(tool, actor);
    }
  }
  return [...users].slice(0, toldMax).map(([tool, actor]) => {
    const instead = didYouMean(nearestName(tool, fileTools));
    return `The script of ${actor} calls "${tool}", which is no tool of a team file${instead}.`;
  });
}
