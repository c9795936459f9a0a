import { z } from "zod";
import { TeamError } from "../../index.ts";
import { TeamFile } from "../../protocol/team-file.ts";
import type { FileRun } from "./team-file-job.ts";

/** What a session keeps of how it was started, so that it can be gone on with without its file. */
const Recipe = z.strictObject({
  type: z.literal("team-file"),
  path: z.string(),
  cwd: z.string(),
  model: z.string().nullable(),
  file: TeamFile,
});

/** A value whose maps are objects, as JSON has them. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [String(key), plain(inner)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner)]));
}

/** The recipe of a run, as JSON. */
export const recipeOf = ({ file, path, cwd, model }: FileRun): unknown =>
  plain({ type: "team-file", path, cwd, model, file });

/** The run that a session was started with; `bad_input` for a session that `teamchart run` has not started. */
export function readRecipe(session: string, kept: unknown): FileRun {
  const parsed = Recipe.safeParse(kept);
  if (parsed.success) return parsed.data;
  const problem =
    "it was not started from a team file by this version; go on with it where its agents are, by openSession({ id })";
  throw new TeamError("bad_input", { what: `the session "${session}"`, problem });
}
