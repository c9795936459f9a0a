import { describeRefusal, isTeamError, TeamError } from "../../errors/index.ts";
import { collisionKey, LEAD } from "../../protocol/names.ts";
import type { ScriptEntry } from "../../protocol/script.ts";
import type { ReplanSpec, TeamSpec } from "../../protocol/spec.ts";
import type { TeamFile } from "../../protocol/team-file.ts";
import type { TaskSpec } from "../../protocol/task.ts";
import { teamModel, type ModelTask, type TeamModelOptions } from "../../testing/index.ts";
import { teamInputs } from "../../tools/team/index.ts";
import type { CheckedTeam } from "./checked-team.ts";

/** The largest team that is checked at all: a step of a larger one takes longer than it tells. */
const membersMax = 2_000;

/** The teams of a file, and what was left out, in sentences. */
export interface FileTeams {
  readonly teams: readonly CheckedTeam[];
  readonly notes: readonly string[];
}

/**
 * The teams that a file declares: the one under `team`, or each that the script of its lead creates. Nothing of the file is
 * run. Throws a TeamError when there is none, or when the kernel refuses the one declared.
 */
export function teamsOfFile(file: TeamFile, path: string): FileTeams {
  const { lead, team, script } = file;
  if (team !== undefined) return { teams: [checkedTeam({ team, replans: [] }, file, path)], notes: [] };
  const model = lead?.model ?? (script === undefined ? null : "scripted");
  if (model !== "scripted") {
    const problem = `which team its lead will create is up to ${model ?? "a model"}, so there is none to check; declare one under \`team\`, or script the lead's \`team_create\``;
    throw new TeamError("bad_file", { file: path, problem });
  }
  const found = scriptedTeams(file, path);
  if (found.teams.length > 0) return found;
  const [first] = found.refused;
  if (first !== undefined) throw first;
  const problem = "the script of its lead creates no team, so there is none to check; add a call of `team_create`";
  throw new TeamError("bad_file", { file: path, problem });
}

interface ScriptedTeams extends FileTeams {
  readonly refused: readonly TeamError[];
}

/** A team with the plans that the script makes for it. */
interface ScriptedTeam {
  readonly team: TeamSpec;
  readonly replans: ReplanSpec[];
}

/**
 * Every team that the lead's script creates, each with the plans that the script makes until the next one. A call that would
 * be refused when it is made is told and left out.
 */
function scriptedTeams(file: TeamFile, path: string): ScriptedTeams {
  const listings = [...(file.agents?.keys() ?? [])].map((name) => ({ name }));
  const inputs = teamInputs([{ name: "general" }, ...listings], { tasks: file.board !== undefined });
  const found: ScriptedTeam[] = [];
  const notes: string[] = [];
  const refused: TeamError[] = [];
  const leaveOut = (tool: string, error: TeamError): void => {
    const [first] = error.problems;
    if (first !== undefined) notes.push(`A ${tool} of the script is left out: ${describeRefusal(first)}`);
  };
  const teams = (): CheckedTeam[] =>
    found.flatMap((each) => {
      try {
        return [checkedTeam(each, file, path)];
      } catch (error) {
        if (!isTeamError(error)) throw error;
        refused.push(error);
        leaveOut("team_create", error);
        return [];
      }
    });
  for (const { tool, input } of leadCalls(file)) {
    if (tool === "team_create") {
      const read = inputs.create.read(input);
      if ("ok" in read) found.push({ team: read.ok, replans: [] });
      else {
        const error = TeamError.from(read.refused);
        refused.push(error);
        leaveOut(tool, error);
      }
    } else if (tool === "team_replan") {
      const read = inputs.replan.read(input);
      if ("ok" in read) found.at(-1)?.replans.push(read.ok);
      else leaveOut(tool, TeamError.from(read.refused));
    }
  }
  return { teams: teams(), notes, refused };
}

/** The calls of the lead's script, in order. */
function leadCalls({ script }: TeamFile): readonly { readonly tool: string; readonly input: unknown }[] {
  const entries: readonly ScriptEntry[] = [...(script ?? [])].flatMap(([actor, own]) =>
    collisionKey(actor) === collisionKey(LEAD) ? own : [],
  );
  return entries.flatMap((entry) => ("calls" in entry ? entry.calls : []));
}

/** What steers a team of the file. The kernel says what is wrong with it. */
function checkedTeam({ team, replans }: ScriptedTeam, file: TeamFile, path: string): CheckedTeam {
  const { lead, limits } = file;
  const count = team.members.length;
  if (count > membersMax) {
    const problem = `the team has ${count} members, and at most ${membersMax} are checked; check a smaller team of the same kind`;
    throw new TeamError("bad_file", { file: path, problem });
  }
  const model: TeamModelOptions = {
    members: team.members.map(({ name, agentType, dependsOn, lifetime, requirePlan }) => ({
      name,
      // Types tell members apart for the tasks of a board alone.
      ...(hasBoard({ team, replans }, file) && { agentType }),
      dependsOn,
      lifetime,
      requirePlan,
    })),
    lead: lead === undefined ? "none" : "hosted",
    comms: team.comms,
    upstreamFailure: team.upstreamFailure,
    replans,
    ...boardOf({ team, replans }, file),
    limits: Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined)),
  };
  try {
    teamModel(model);
  } catch (error) {
    throw isTeamError(error, "bad_input") && isTeamError(error.cause) ? error.cause : error;
  }
  return { name: team.name, model };
}

/** The tasks that members of an agent type of the file bring. */
const seedsOf = ({ agents }: TeamFile, agentType: string): readonly TaskSpec[] => agents?.get(agentType)?.tasks ?? [];

/** Whether a team of the file has a task board, or gets one by a plan that adds members. */
const hasBoard = ({ team, replans }: ScriptedTeam, file: TeamFile): boolean =>
  (team.board ?? file.board) !== undefined ||
  (team.tasks ?? []).length > 0 ||
  [...team.members, ...replans.flatMap(({ add }) => add)].some(({ agentType }) => seedsOf(file, agentType).length > 0);

/** What steers the board of a team: its own tasks, and those that members of an agent type bring, now or by a plan. */
function boardOf(scripted: ScriptedTeam, file: TeamFile): Pick<TeamModelOptions, "board" | "tasks" | "agentTypes"> {
  if (!hasBoard(scripted, file)) return {};
  const { team } = scripted;
  const board = team.board ?? file.board;
  const tasks = (team.tasks ?? []).map(({ subject: _, description: __, ...task }): ModelTask => task);
  const agentTypes = [...(file.agents?.keys() ?? [])].flatMap((name) => {
    const seeds = seedsOf(file, name).map(({ priority, dependsOn }) => ({ priority, dependsOn }));
    return seeds.length === 0 ? [] : [{ name, tasks: seeds }];
  });
  return { ...(board && { board }), tasks, agentTypes };
}
