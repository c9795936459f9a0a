import { realpathSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { openRecordingFile } from "../../actors/recording/recording-file.ts";
import { describeRefusal, isTeamError, TeamError } from "../../errors/index.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { jsonLine } from "../json-line.ts";
import { printable, printableLines } from "../printable.ts";
import type { TeamModelOptions } from "../../testing/index.ts";
import { readTeamFile } from "../read-team-file.ts";
import { watchInterrupts } from "../run/interrupts.ts";
import { commandSettings } from "../settings/command-settings.ts";
import { settingEntries } from "../settings/config-entries.ts";
import { printConfig } from "../settings/print-config.ts";
import { builtInTeams } from "./built-in-teams.ts";
import { jsonCheckView, leftText, textCheckView } from "./check-view.ts";
import type { Explorer } from "./explorer.ts";
import { kindsOf, type PlanOptions } from "./plan-stages.ts";
import { runStages, type TeamReport } from "./run-stages.ts";
import type { Violation } from "./stage.ts";
import { teamsOfFile, type FileTeams } from "./teams-of-file.ts";
import { coverageOf, verdictOf, verdictText, type Verdict } from "./verdict.ts";

/** Minutes that a check may take where no setting says so. */
const minutesDefault = { quick: 10, deep: 60 };
/** Transitions of a check that is not deep, all teams of a file together; of each built-in team. */
const transitionsMax = { file: 1_000_000, builtIn: 400_000 };

/** How far the built-in teams are looked at when all is wanted: there are 666 of four and five members. */
const builtInMax = (members: number): number => (members <= 2 ? kindsOf(false).length : members === 3 ? 3 : 2);

const exitCodeOf = {
  holds: exitCodes.done,
  violated: exitCodes.failed,
  inconclusive: exitCodes.inconclusive,
  interrupted: exitCodes.interrupted,
} as const satisfies Record<Verdict, ExitCode>;

/** Checks the teams of a file, or the built-in ones, by an explorer, which is closed at the end. */
export async function runCheck(path: string | null, context: CommandContext, explorer: Explorer): Promise<ExitCode> {
  const { host, output, settings } = context;
  const { values } = settings;
  const minutes = values.minutes ?? (values.deep ? minutesDefault.deep : minutesDefault.quick);
  refuseOverwriting(path, context);
  const { teams, notes } = await teamsOf(path, values.deep);
  if (values.printConfig) {
    const entries = settingEntries(commandSettings.check, settings);
    const shown = entries.map((entry) => (entry.name === "minutes" ? { ...entry, value: minutes } : entry));
    printConfig(shown, { output, json: values.json });
    return exitCodes.done;
  }
  for (const note of notes) output.tell(printable(note));
  const view = values.json ? jsonCheckView(output) : textCheckView(host, output, values, teams);
  const interrupts = watchInterrupts(host, output);
  const perTeam = path === null ? transitionsMax.builtIn : transitionsMax.file / teams.length;
  const stagesOf = ({ members, lifetimes = "oneshot", lead, ...model }: TeamModelOptions): PlanOptions => {
    const { board, tasks = [], agentTypes = [] } = model;
    const hasBoard = board !== undefined || tasks.length > 0 || agentTypes.length > 0;
    const isBuiltIn = values.deep && path === null;
    return {
      members: members.length,
      persistent: members.filter(({ lifetime = lifetimes }) => lifetime === "persistent").length,
      isHosted: lead === "hosted",
      hasBoard,
      deep: values.deep,
      interventionsMax: isBuiltIn ? builtInMax(members.length) : kindsOf(hasBoard).length,
      transitionsMax: perTeam,
    };
  };
  const plan = { teams, stagesOf, ms: minutes * 60_000 };
  try {
    const { reports, ended } = runStages(explorer, plan, view);
    // After an interrupt nobody waits for it any more.
    ended.catch(() => {});
    const stopper = await Promise.race([ended.then(() => null), interrupts.first]);
    view.close();
    const verdict = verdictOf(reports, teams.length, stopper !== null);
    const violation = reports.at(-1)?.done.at(-1)?.result.violation ?? null;
    const written = violation === null ? [] : await writeViolation(violation, context);
    const told = { verdict, reports, violation, written, text: verdictText(verdict, reports, teams) };
    if (values.json) printJson(told, context);
    else printText(told, context);
    return exitCodeOf[verdict];
  } finally {
    view.close();
    interrupts.close();
    await explorer.close();
  }
}

/** Refuses to write a counterexample over the file that is checked, or over its other form: before hours of work. */
function refuseOverwriting(path: string | null, { host, settings }: CommandContext): void {
  const used = new Map<string, string>();
  if (path !== null) used.set(fileId(resolve(host.cwd(), path)), "the file that is checked");
  for (const name of ["record", "test"] as const) {
    const target = settings.values[name];
    if (target === null) continue;
    const id = fileId(resolve(host.cwd(), target));
    const other = used.get(id);
    if (other !== undefined)
      throw new TeamError("bad_input", { what: `--${name}`, problem: `${target} is ${other}; name another file` });
    used.set(id, `what --${name} writes`);
  }
}

/** What tells files apart: where a path leads to, by whatever links. */
function fileId(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A file that is not there yet has no other name.
    return path;
  }
}

async function teamsOf(path: string | null, deep: boolean): Promise<FileTeams> {
  if (path !== null) return teamsOfFile(await readTeamFile(path), path);
  return { teams: builtInTeams(deep ? [1, 2, 3, 4, 5] : [1, 2, 3]), notes: [] };
}

/** A check as it is told at its end. */
interface Told {
  readonly verdict: Verdict;
  readonly reports: readonly TeamReport[];
  readonly violation: Violation | null;
  /** What was written where. */
  readonly written: readonly string[];
  readonly text: string;
}

/** Writes a counterexample where it is wanted. A file that can't be written is told; what was found stays what it is. */
async function writeViolation({ recording, test }: Violation, context: CommandContext): Promise<string[]> {
  const { host, output, settings } = context;
  const written: string[] = [];
  const write = async (path: string | null, job: (target: string) => Promise<void>): Promise<void> => {
    if (path === null) return;
    try {
      await job(resolve(host.cwd(), path));
      written.push(path);
    } catch (error) {
      if (!isTeamError(error)) throw error;
      for (const problem of error.problems) output.tell(printable(describeRefusal(problem)));
    }
  };
  await write(settings.values.record, async (target) => {
    const file = await openRecordingFile(target);
    for (const line of recording) await file.write(line);
    await file.close();
  });
  await write(settings.values.test, (target) => writeTest(target, test));
  return written;
}

async function writeTest(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    const problem = `it cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new TeamError("bad_file", { file: path, problem, fault: "unwritable" }, { cause });
  }
}

function printText({ reports, violation, written, text }: Told, { output, settings }: CommandContext): void {
  const { record, coverage: wantsNames } = settings.values;
  if (violation !== null) output.print(`\n${printableLines(violation.text)}\n`);
  for (const path of written) {
    const isRecording = path === record;
    output.print(
      `\n${printable(path)}: ${isRecording ? `teamchart replay ${printable(path)}` : "a test for vitest"}\n`,
    );
  }
  const { taken, reached, uncovered, unreached, total } = coverageOf(reports);
  const sizes = `${taken.length} of ${total.transitions} transitions were taken, ${reached.length} of ${total.states} states reached`;
  output.print(`\nCoverage of the machines: ${sizes}.${wantsNames ? "" : " --coverage names the others."}\n`);
  if (wantsNames) {
    for (const { id, guard, targets } of uncovered)
      output.print(`  not taken: ${id}${guard === null ? "" : ` [${guard}]`} -> ${targets.join(", ")}\n`);
    for (const id of unreached) output.print(`  not reached: ${id}\n`);
  }
  const left = leftText(reports);
  if (left !== null) output.print(`${left}\n`);
  output.print(`${text}\n`);
}

function printJson({ verdict, reports, violation, written, text }: Told, { output }: CommandContext): void {
  const done = reports.flatMap((report) => report.done);
  const sum = (of: (each: (typeof done)[number]) => number): number =>
    done.reduce((total, each) => total + of(each), 0);
  const { taken, reached, uncovered, unreached } = coverageOf(reports);
  const line = {
    type: "result",
    verdict,
    teams: reports.length,
    states: sum(({ result }) => result.states),
    transitions: sum(({ result }) => result.transitions),
    seconds: sum(({ result }) => result.seconds),
    property: violation?.property ?? null,
    left: [...new Set(reports.flatMap((report) => report.left))],
    coverage: { taken, uncovered: uncovered.map(({ id }) => id), reached, unreached },
    written,
    text,
  };
  output.print(jsonLine(line));
}
