import { dirname, resolve } from "node:path";
import type { LanguageModel } from "ai";
import {
  createAgent,
  defineAgent,
  isTeamError,
  type LivingAgent,
  type Session,
  type TeamSystem,
  type TeamSystemOptions,
} from "../../index.ts";
import type { FileAgent, TeamFile } from "../../protocol/team-file.ts";
import { Limits } from "../../protocol/limits.ts";
import { TeamSpec, type InviteSpec } from "../../protocol/spec.ts";
import type { ConfigEntry } from "../settings/config-entries.ts";
import type { SessionJob } from "./host-session.ts";

/** What a file is run with. */
export interface FileRun {
  readonly file: TeamFile;
  /** Where it was read from. */
  readonly path: string;
  readonly cwd: string;
  /** The model for whom the file names none. */
  readonly model: string | null;
}

/** The folder that the members share: the file's, relative to the file, else the current one. */
export const workspaceOf = ({ file, path, cwd }: FileRun): string =>
  file.workspace === undefined ? cwd : resolve(cwd, dirname(path), file.workspace);

/** What the file says, without the keys that it leaves out. */
type Said<Keys> = { [Key in keyof Keys]: Exclude<Keys[Key], undefined> };

const said = <Keys extends object>(keys: Keys): Said<Keys> =>
  // Keys without a value are left out, and no type of a key that may be left out says more than that.
  Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined)) as Said<Keys>;

/**
 * An agent type that lists `execute` may run programs. The user is asked before each of them, unless the file says by a
 * policy what asks.
 */
const agentOf = (agent: FileAgent, ruled: boolean) =>
  defineAgent({
    ...said(agent),
    ...(agent.tools?.includes("execute") === true
      ? { allowExecute: true, ...(ruled ? {} : { ask: ["execute"] }) }
      : {}),
  });

/** Whether a policy of the file says what becomes of an agent type's calls that no rule speaks of. */
const isRuled = ({ permissions, lead }: TeamFile, agent: FileAgent): boolean =>
  permissions !== undefined || lead?.permissions?.mode !== undefined || agent.permissions?.mode !== undefined;

/** The agents of the file that exist beside its teams. */
async function invitablesOf({ file, path, cwd }: FileRun): Promise<readonly LivingAgent[]> {
  const agents = [...(file.invitables ?? [])].map(([name, { workspace, remembers, ...agent }]) =>
    createAgent({
      name,
      description: agent.description,
      agent: agentOf(agent, isRuled(file, agent)),
      ...(workspace === undefined ? {} : { workspace: resolve(cwd, dirname(path), workspace) }),
      ...(remembers === undefined ? {} : { remembers }),
    }),
  );
  return Promise.all(agents);
}

/** The system that a file asks for. */
export async function systemOptionsOf(run: FileRun): Promise<TeamSystemOptions> {
  const { file, model } = run;
  const invitables = await invitablesOf(run);
  return {
    ...(invitables.length === 0 ? {} : { invitables }),
    agents: new Map([...(file.agents ?? [])].map(([name, agent]) => [name, agentOf(agent, isRuled(file, agent))])),
    workspace: workspaceOf(run),
    limits: said(file.limits ?? {}),
    ...(file.prices === undefined ? {} : { prices: file.prices }),
    ...(file.permissions === undefined ? {} : { permissions: file.permissions }),
    ...(file.board === undefined ? {} : { board: file.board }),
    ...(file.toolVisibility === undefined ? {} : { toolVisibility: file.toolVisibility }),
    ...(file.script === undefined ? {} : { script: file.script }),
    ...(model === null ? {} : { model }),
  };
}

/** The models by name that agents ask for; undefined = whatever the system has for those that name none. */
function modelsOf({ lead }: TeamFile, agents: Iterable<FileAgent>): ReadonlySet<LanguageModel | undefined> {
  const all = [...agents];
  const fallbacks = all.flatMap(({ fallbackModel }) => (typeof fallbackModel === "string" ? [fallbackModel] : []));
  return new Set([...all.map(({ model }) => model ?? lead?.model), ...fallbacks]);
}

async function printedRoutes(system: TeamSystem, models: Iterable<LanguageModel | undefined>): Promise<string> {
  const routes = new Set<string>();
  for (const model of models) routes.add(await system.routeOf(model));
  return [...routes].join("; ");
}

/**
 * How every agent of the file is driven that runs here, printable; rejects with `no_model_key` and the like, so that a run
 * that could not end is never begun. What workers run is theirs to drive.
 */
export async function routesOf(system: TeamSystem, { file }: FileRun): Promise<string> {
  const { lead, team, agents, invitables } = file;
  const own = [...(agents?.values() ?? [])].filter(({ runsOn }) => runsOn === undefined);
  const models = new Set<LanguageModel | undefined>(modelsOf(file, own));
  if (lead !== undefined) models.add(lead.model);
  if (typeof lead?.fallbackModel === "string") models.add(lead.fallbackModel);
  // What exists already takes nothing from the lead.
  const { lead: _lead, ...leadless } = file;
  for (const model of modelsOf(leadless, invitables?.values() ?? [])) models.add(model);
  for (const { agentType } of team?.members ?? []) {
    const type = agents?.get(agentType);
    if (type?.runsOn === undefined) models.add(type?.model);
  }
  const isPlaced = own.length < (agents?.size ?? 0);
  const here = await printedRoutes(system, models);
  return [here, isPlaced ? "workers" : ""].filter((part) => part !== "").join("; ");
}

/** How these agents of the file are driven, printable; rejects as `routesOf` does. */
export function routesOfAgents(system: TeamSystem, { file }: FileRun, names: readonly string[]): Promise<string> {
  const agents = names.flatMap((name) => file.agents?.get(name) ?? []);
  return printedRoutes(system, modelsOf(file, agents));
}

/** What is run in front of the user, and how it begins. */
export function jobOf(
  { file }: FileRun,
  job: Pick<SessionJob, "system" | "id" | "models" | "file" | "resume">,
): SessionJob {
  const { lead, team, invite = [] } = file;
  if (lead !== undefined) {
    const { prompt, ...hosted } = lead;
    return { ...job, lead: said(hosted), begin: (session) => (hasBegun(session) ? goOn() : prompted(session, prompt)) };
  }
  // The schema wants one of the two; a file without members is for the kernel to refuse.
  const declared = team ?? TeamSpec.parse({ name: "", members: [] });
  return { ...job, begin: (session) => begun(session, declared, invite) };
}

/** Creates the team and invites whom the file invites into it, as far as that was not done; a refusal is the command's. */
async function begun(session: Session, team: TeamSpec, invite: readonly InviteSpec[]): Promise<void> {
  if (!hasBegun(session)) await session.createTeam(team);
  const there = new Set(session.status().members.map(({ name }) => name));
  for (const invitation of invite) {
    if (!there.has(invitation.as ?? invitation.agent)) await session.invite(invitation);
  }
}

/** Whether what the file begins with is in the session already: the prompt of its lead, or its team. */
function hasBegun({ isResumed, state }: Session): boolean {
  const { lead, teamsMade } = state;
  return isResumed && (teamsMade > 0 || lead.unread.length > 0 || lead.snapshot.context.run > 0);
}

const goOn = (): Promise<void> => Promise.resolve();

/** Says the first thing to the lead. A lead that fails is a result, not a refusal: the team may go on without it. */
async function prompted(session: Session, prompt: string): Promise<void> {
  try {
    await session.send(prompt);
  } catch (error) {
    if (!isTeamError(error, "lead_failed")) throw error;
  }
}

/** What the file says of the configuration, and what it leaves to the defaults. */
export function fileEntries(run: FileRun, modelSource: string): ConfigEntry[] {
  const { file, model } = run;
  const fallback =
    file.script !== undefined
      ? { value: "scripted", source: "file (script)" }
      : { value: model, source: model === null ? "default" : modelSource };
  const lead = file.lead?.model === undefined ? fallback : { value: file.lead.model, source: "file" };
  const entries: ConfigEntry[] = [
    { name: "workspace", value: workspaceOf(run), source: file.workspace === undefined ? "default" : "file" },
  ];
  if (file.lead !== undefined) entries.push({ name: "lead.model", ...lead });
  for (const [name, agent] of file.agents ?? []) {
    const own = agent.model === undefined ? lead : { value: agent.model, source: "file" };
    entries.push({ name: `agents.${name}.model`, ...own });
  }
  for (const [name, agent] of file.invitables ?? []) {
    const own = agent.model === undefined ? fallback : { value: agent.model, source: "file" };
    entries.push({ name: `invitables.${name}.model`, ...own });
  }
  const given = new Map<string, unknown>(Object.entries(file.limits ?? {}));
  for (const [name, value] of Object.entries(Limits.parse({}))) {
    const own = given.get(name);
    entries.push({ name: `limits.${name}`, value: own ?? value, source: own === undefined ? "default" : "file" });
  }
  return entries;
}
