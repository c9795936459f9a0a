import { sessionKeyText, type Bus } from "../bus/bus.ts";
import { createTeamSystem, TeamError, type Session, type SessionStatus, type TeamSystem } from "../index.ts";
import { statusWithWorkers } from "../actors/workers/status-with-workers.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";
import { hasBus, openBus, resumeWords } from "./open-bus.ts";
import { printable } from "./printable.ts";
import { resultText } from "./run/result-text.ts";
import { warnInto } from "./log.ts";

/** One session of the list. */
interface SessionLine {
  readonly session: string;
  /** `running` in some process, `interrupted`: nobody runs it, or how it has ended. */
  readonly state: string;
  readonly team: string | null;
  readonly teamState: string;
  readonly members: number;
  readonly completed: number;
  readonly failed: number;
  /** How it is gone on with, when nobody runs it. */
  readonly resume: string | null;
}

const namespace = "default";

const memoryNote =
  "Sessions on the memory bus live in the process that runs them and end with it: there are none to be seen from here.";

/** Lists the sessions that the bus knows, or shows how one stands. Nothing is changed by that. */
export async function statusCommand(id: string | null, context: CommandContext): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { bus: setting, json } = settings.values;
  if (!hasBus(setting, host.cwd())) {
    if (id !== null && setting !== "memory") throw new TeamError("unknown_session", { session: id });
    const note = setting === "memory" ? memoryNote : "There are no sessions here.";
    output.print(json ? jsonLine({ type: "status", bus: setting, sessions: [], note }) : `${note}\n`);
    return exitCodes.done;
  }
  const onFault = warnInto(log);
  await using opened = await openBus(setting, { cwd: host.cwd(), env: host.env, onFault });
  const { bus } = opened;
  if (bus === null) return exitCodes.done;
  await using system = await createTeamSystem({ bus, environment: {}, onFault });
  return await (id === null ? list(system, bus, context) : showOne(id, { system, bus, context }));
}

async function list(system: TeamSystem, bus: Bus, { output, settings }: CommandContext): Promise<ExitCode> {
  const { bus: setting, json } = settings.values;
  const sessions: SessionLine[] = [];
  for (const id of await system.knownSessions()) {
    const session = await system.followSession(id);
    sessions.push(await lineOf(session, bus, setting));
    await session.close();
  }
  if (json) output.print(jsonLine({ type: "status", bus: setting, sessions }));
  else if (sessions.length === 0) output.print("There are no sessions here.\n");
  else output.print(`${sessions.map(textOf).join("\n")}\n`);
  return exitCodes.done;
}

interface ShownOne {
  readonly system: TeamSystem;
  readonly bus: Bus;
  readonly context: CommandContext;
}

async function showOne(id: string, { system, bus, context }: ShownOne): Promise<ExitCode> {
  const { output, settings } = context;
  const { bus: setting, json } = settings.values;
  const session = await system.followSession(id);
  const line = await lineOf(session, bus, setting);
  const status = await statusWithWorkers(session, { bus, namespace });
  if (json) {
    output.print(jsonLine({ type: "status", bus: setting, sessions: [line], status }));
    return exitCodes.done;
  }
  output.print(`${textOf(line)}\n`);
  if (line.team !== null || session.answer !== null) {
    output.print(resultText({ ...session.result(), durationMs: 0 }, { leadFailure: session.leadFailure }));
  }
  for (const sentence of placesText(status)) output.print(`${sentence}\n`);
  if (line.resume !== null) output.print(`\nGo on with it: ${line.resume}\n`);
  return exitCodes.done;
}

/** Where the runs are that workers carry out. */
const placesText = ({ members }: SessionStatus): readonly string[] =>
  members.flatMap(({ name, agentType, worker }) => {
    if (worker === undefined) return [];
    const where = worker === null ? `waits for a worker that offers ${agentType}` : `runs on the worker ${worker}`;
    return [printable(`${name} ${where}`)];
  });

async function lineOf(session: Session, bus: Bus, setting: string): Promise<SessionLine> {
  const { team, state: teamState, members } = session.status();
  const hasEnded = session.state.snapshot.value === "closed";
  const holder = hasEnded ? null : await bus.claims.holder(sessionKeyText({ namespace, session: session.id }));
  const isInterrupted = !hasEnded && holder === null;
  return {
    session: session.id,
    state: hasEnded ? session.result().outcome : isInterrupted ? "interrupted" : "running",
    team,
    teamState,
    members: members.length,
    completed: members.filter(({ status }) => status === "completed").length,
    failed: members.filter(({ status }) => status === "failed").length,
    resume: isInterrupted ? resumeWords(session.id, setting) : null,
  };
}

function textOf({ session, state, team, members, completed, failed }: SessionLine): string {
  const who = team === null ? "no team" : `${printable(team)}: ${completed} of ${members} completed`;
  return `${state.padEnd(11)}  ${printable(session)}  ${who}${failed > 0 ? `, ${failed} failed` : ""}`;
}
