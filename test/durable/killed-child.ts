import { createTeamSystem, type Session } from "../../src/index.ts";
import { busAt } from "../support/bus-at.ts";
import { type Death, Moments } from "./moments.ts";
import { killedTeams, type TeamName } from "./teams/index.ts";
import type { KilledTeam } from "./teams/killed-team.ts";

/** What a child runs: everything that its next life needs is in this, in the database and in the list of effects. */
export interface ChildPlan {
  readonly team: TeamName;
  /** The file or the server of the bus. */
  readonly path: string;
  /** Where each execution of a tool leaves a line. */
  readonly effects: string;
  readonly death: Death;
}

/** The session of every plan. */
export const sessionId = "s";

/** How long a life may take that isn't ended from outside. */
const livesMsMax = 30_000;

/** Does what the team's host does, until there is nothing more to wait for. */
async function drive(session: Session, { act, isOver, prompt }: KilledTeam): Promise<void> {
  const { lead } = session.state;
  const wasTold = lead.unread.length > 0 || lead.snapshot.context.run > 0 || prompt === undefined;
  if (!wasTold) session.send(prompt).catch(() => {});
  const since = performance.now();
  // What it waits for is often journalled by others: looking is simpler than hearing, and costs nothing.
  while (!isOver(session)) {
    if (performance.now() - since > livesMsMax) throw new Error(`stuck: ${JSON.stringify(session.status())}`);
    await (act?.(session) ?? new Promise((resolve) => setTimeout(resolve, 1)));
  }
}

/** Runs a plan to its end, from its beginning or from where it was. Resolves with its outcome and the moments it has passed. */
export async function runPlan({ team: name, path, effects, death }: ChildPlan) {
  const team: KilledTeam = killedTeams[name];
  const moments = new Moments(death);
  const bus = await busAt(path);
  const options = (await team.options?.({ moments, effects })) ?? {};
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const base = { bus: moments.watch(bus), script: team.script, environment: {}, onFault };
  const system = await createTeamSystem({ ...base, ...options });
  const session = await system.openSession({ id: sessionId, ...(team.lead !== undefined && { lead: team.lead }) });
  await drive(session, team);
  const outcome = team.outcome(session);
  await system.close();
  await bus.close();
  return { outcome, faults, moments: moments.count };
}

const [given] = process.argv.slice(2);
// As a process of its own it runs the plan of its argument.
if (import.meta.main && given !== undefined) await runPlan(JSON.parse(given) as ChildPlan);
