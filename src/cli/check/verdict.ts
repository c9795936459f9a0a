import { mergeCoverage, type Budget, type Coverage } from "../../testing/index.ts";
import { describeAll } from "../../machines/index.ts";
import { printable } from "../printable.ts";
import type { CheckedTeam } from "./checked-team.ts";
import type { TeamReport } from "./run-stages.ts";
import { kindsOf } from "./plan-stages.ts";
import type { StageDone } from "./stage.ts";

/** What a check has come to. */
export type Verdict = "holds" | "violated" | "inconclusive" | "interrupted";

/** Of many teams, the verdict that counts. An interrupted check is not one that was cut short: the user wanted it so. */
export function verdictOf(reports: readonly TeamReport[], teams: number, isInterrupted: boolean): Verdict {
  const last = reports.map(({ done }) => done.at(-1)?.result.verdict ?? "inconclusive");
  if (last.includes("violated")) return "violated";
  if (isInterrupted) return "interrupted";
  return reports.length < teams || reports.some((report) => !isWhole(report)) ? "inconclusive" : "holds";
}

/** Whether every stage that was to be looked at was, to its end. */
const isWhole = ({ done, isEnded }: TeamReport): boolean =>
  isEnded && done.every(({ result }) => result.verdict === "holds");

/** How much may be done to a team up to which everything holds. */
interface Reach {
  /** Any so many interventions; -1 = nothing is known. */
  readonly interventions: number;
  /** Beyond that, one of these kinds. */
  readonly kinds: readonly Budget[];
  /** States in which everything holds. */
  readonly states: number;
}

/** Up to which stage a team holds. */
function reachOf(done: readonly StageDone[]): Reach {
  const held = done.filter(({ result }) => result.verdict === "holds");
  const kinds = held.flatMap(({ stage }) => stage.kind ?? []);
  const last = held.at(-1);
  if (last === undefined) return { interventions: -1, kinds: [], states: 0 };
  // A stage of any so many has all states of those before it; stages of single kinds lie side by side.
  const states = kinds.length === 0 ? last.result.states : held.reduce((total, { result }) => total + result.states, 0);
  return { interventions: kinds.length === 0 ? (last.stage.interventions ?? -1) : 0, kinds, states };
}

const phrases = ["nobody interferes", "any one intervention", "any two interventions", "any three interventions"];

/** `when nobody interferes`, `with any two interventions of different kinds`. */
function reachText({ interventions, kinds }: Omit<Reach, "states">): string {
  if (kinds.length > 0) return `when nobody interferes, and with one intervention of these kinds: ${kinds.join(", ")}`;
  if (interventions <= 0) return "when nobody interferes";
  const many = phrases[interventions] ?? "any interventions, each kind once";
  return `with ${many}${interventions > 1 && interventions < phrases.length ? " of different kinds" : ""}`;
}

/** A count with its thousands apart. */
export const grouped = (count: number): string => count.toLocaleString("en-US");

/** What came of it, in plain words: the last line of a check. */
export function verdictText(verdict: Verdict, reports: readonly TeamReport[], teams: readonly CheckedTeam[]): string {
  if (verdict === "violated") return violatedText(reports);
  const known = heldText(reports, teams.length);
  if (verdict === "holds") return known ?? "";
  // Nothing of a check is stored.
  if (verdict === "interrupted")
    return `Interrupted. ${known ?? "Nothing is proved yet."} The next check begins anew: it can't be gone on with.`;
  const rest = reports.map(restText).find((text) => text !== null) ?? null;
  const unseen = teams.length - reports.length;
  const more = unseen === 0 ? null : `The time was over before ${unseen} of ${teams.length} teams were looked at.`;
  return `Inconclusive. ${[known, rest, more].filter((text) => text !== null).join(" ")}`;
}

function violatedText(reports: readonly TeamReport[]): string {
  const last = reports.at(-1);
  const { property = "", moves = [] } = last?.done.at(-1)?.result.violation ?? {};
  const steps = moves.length === 1 ? "1 step" : `${moves.length} steps`;
  return `Violated: ${property}. ${nameOf(last)} gets there in ${steps}, shown above.`;
}

const nameOf = (report: TeamReport | undefined): string => printable(report?.team.name ?? "", { charactersMax: 80 });

/** Up to where everything holds, or null when nothing is known. */
function heldText(reports: readonly TeamReport[], teams: number): string | null {
  const held = reports.map(({ done }) => reachOf(done)).filter(({ interventions }) => interventions >= 0);
  const [first, ...others] = held;
  if (first === undefined || (held.length < reports.length && teams > 1)) return null;
  const least = Math.min(...held.map(({ interventions }) => interventions));
  const has = ({ interventions, kinds }: Reach, kind: Budget): boolean => interventions > 0 || kinds.includes(kind);
  // What is true of each of them.
  const kinds = least > 0 ? [] : kindsOf(true).filter((kind) => held.every((reach) => has(reach, kind)));
  const states = others.reduce((total, each) => total + each.states, first.states);
  const name = teams === 1 ? nameOf(reports[0]) : held.length === 1 ? "one team" : `these ${held.length} teams`;
  return `G1 to G10 hold in all ${grouped(states)} states that ${name} can reach ${reachText({ interventions: least, kinds })}.`;
}

/** What ended a stage early, for a sentence. */
const cutWords: Readonly<Record<string, string>> = {
  ms: "by its time",
  statesMax: "by the number of its states",
  memory: "by the end of its memory",
};

/** What was begun and not finished, or null. */
function restText({ team, done, isEnded }: TeamReport): string | null {
  const cut = done.find(({ result }) => result.verdict === "inconclusive");
  if (cut === undefined) return isEnded ? null : "The time was over before more was looked at.";
  const { stage, result } = cut;
  const interfering = stage.interventions === 0 ? "" : ` with ${stage.name}`;
  const ended = `the search${interfering} was ended ${result.limitsHit.map((limit) => cutWords[limit] ?? limit).join(" and ")}`;
  const walked = done.find((each) => each.stage.interventions === null);
  const name = printable(team.name, { charactersMax: 80 });
  const seen = `For ${name} ${ended} after ${grouped(result.states)} states; nothing was wrong in them`;
  if (walked === undefined) return `${seen}, which proves nothing of the others.`;
  const walks = `${walked.stage.name} at random through ${grouped(walked.result.states)} states`;
  return `${seen}, nor on ${walks}, which proves nothing of the others.`;
}

/** The coverage of everything that was looked at, and how many transitions and states there are. */
export function coverageOf(
  reports: readonly TeamReport[],
): Coverage & { readonly total: { transitions: number; states: number } } {
  const parts = reports.flatMap(({ done }) => done.map(({ result: { taken, reached } }) => ({ taken, reached })));
  const merged = mergeCoverage(parts.map((part) => ({ ...part, uncovered: [], unreached: [], own: [] })));
  const machines = Object.values(describeAll());
  const count = (of: (machine: (typeof machines)[number]) => number): number =>
    machines.reduce((total, machine) => total + of(machine), 0);
  return {
    ...merged,
    total: {
      transitions: count(({ transitions }) => transitions.length),
      states: count(({ states }) => states.length),
    },
  };
}
