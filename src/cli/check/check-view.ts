import { styleText } from "node:util";
import type { Host } from "../host.ts";
import { jsonLine } from "../json-line.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";
import { wantsLive } from "../run/open-view.ts";
import type { Settings } from "../settings/setting.ts";
import { shapeText, type CheckedTeam } from "./checked-team.ts";
import type { CheckWatcher, TeamReport } from "./run-stages.ts";
import type { StageDone, StageProgress } from "./stage.ts";
import { grouped } from "./verdict.ts";

/** Shows a check while it runs. */
export interface CheckView extends CheckWatcher {
  /** Ends what is drawn, so that other lines can follow. */
  close(): void;
}

/** Teams up to which each has a line for every stage; of more, each has one. */
const detailedMax = 3;
/** Characters of a name in a line of its own team. */
const nameMax = 48;
/** Members that a heading names. */
const shownMax = 12;

/** A view for programs: one object a stage. */
export const jsonCheckView = (output: Output): CheckView => ({
  team: () => {},
  progress: () => {},
  stage: (team, done) => output.print(jsonLine(stageLine(team, done))),
  teamDone: () => {},
  close: () => {},
});

function stageLine({ name, model }: CheckedTeam, { stage, result }: StageDone): object {
  const { violation, taken: _taken, reached: _reached, ...facts } = result;
  const { budgets = {}, interventionsMax, strategy = "exhaustive" } = stage.options;
  return {
    type: "check",
    team: name,
    members: model.members.length,
    lead: model.lead ?? "none",
    stage: stage.name,
    strategy,
    budgets,
    interventionsMax: interventionsMax ?? null,
    ...facts,
    violation:
      violation === null
        ? null
        : { property: violation.property, problem: violation.problem, moves: violation.moves, text: violation.text },
  };
}

/** A view for people: a line a stage, and on a terminal how far the one at work is. */
export function textCheckView(
  host: Host,
  output: Output,
  settings: Settings,
  teams: readonly CheckedTeam[],
): CheckView {
  const isLive = wantsLive(host, settings);
  const isDetailed = teams.length <= detailedMax;
  const nameWidth = Math.min(nameMax, Math.max(...teams.map(({ name }) => name.length)));
  const startedAt = performance.now();
  let isDrawn = false;
  let at = 0;
  const erase = (): void => {
    if (isDrawn) output.print("\r\u001B[2K");
    isDrawn = false;
  };
  const print = (text: string): void => {
    erase();
    output.print(`${text}\n`);
  };
  const paint: Paint = (verdict) => {
    const padded = verdict.padEnd(9);
    return isLive ? styleText(colours[verdict], padded, { validateStream: false }) : padded;
  };
  return {
    team(team) {
      at++;
      if (isDetailed) print(heading(team));
    },
    progress(stage, progress) {
      if (!isLive) return;
      const place = teams.length === 1 ? "" : `team ${at} of ${teams.length}, `;
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      const text = `${place}${stage.name}: ${progressText(progress)}, ${seconds} s`;
      output.print(`\r\u001B[2K${text.slice(0, Math.max(10, host.stdout.columns - 1))}`);
      isDrawn = true;
    },
    stage(_team, done) {
      if (isDetailed) print(`  ${done.stage.name.padEnd(15)}${stageText(done, paint)}`);
    },
    teamDone({ team, done }) {
      const last = done.at(-1);
      if (isDetailed || last === undefined) return;
      const name = printable(team.name, { charactersMax: nameMax });
      print(`${name.padEnd(nameWidth)}  ${last.stage.name.padEnd(10)} ${teamText(last, paint)}`);
    },
    close: erase,
  };
}

const colours = { holds: "green", violated: "red", inconclusive: "yellow" } as const;

const progressText = ({ states, transitions }: StageProgress): string =>
  `${grouped(states)} states, ${grouped(transitions)} transitions`;

type Paint = (verdict: StageDone["result"]["verdict"]) => string;

const cutText = (limitsHit: readonly string[]): string => (limitsHit.length === 0 ? "" : `  (${limitsHit.join(", ")})`);

/** Numbers stand below each other within 80 columns; what is too long pushes the rest. */
function stageText({ result }: StageDone, paint: Paint): string {
  const { verdict, states, transitions, seconds, limitsHit } = result;
  const speed = grouped(Math.round(states / Math.max(seconds, 0.001)));
  const size = `${grouped(states).padStart(8)} states ${grouped(transitions).padStart(9)} transitions`;
  return `${paint(verdict)}${size} ${seconds.toFixed(1).padStart(5)} s ${speed.padStart(6)}/s${cutText(limitsHit)}`;
}

/** The last stage of a team, where each has one line alone. */
function teamText({ result }: StageDone, paint: Paint): string {
  const { verdict, states, seconds, limitsHit } = result;
  return `${paint(verdict)}${grouped(states).padStart(9)} states ${seconds.toFixed(1).padStart(6)} s${cutText(limitsHit)}`;
}

const membersText = (count: number): string => (count === 1 ? "1 member" : `${grouped(count)} members`);

/** Who is checked: names and graph of the first members, and who leads. */
function heading({ name, model }: CheckedTeam): string {
  const shown = model.members.slice(0, shownMax);
  const more = model.members.length > shown.length ? ", ..." : "";
  const lead = model.lead === "hosted" ? "with its lead" : "without a lead";
  return `${printable(name)}, ${membersText(model.members.length)} ${lead}: ${printable(shapeText(shown))}${more}`;
}

/** What was left out of a check for its size, and how to see it; nothing where all was looked at. */
export function leftText(reports: readonly TeamReport[]): string | null {
  const left = new Set(reports.flatMap((report) => report.left));
  if (left.size === 0) return null;
  const isSome = reports.some((report) => report.left.length === 0);
  return `Not begun for ${isSome ? "the size of some teams" : "its size"}: ${[...left].join(", ")}. --deep does.`;
}
