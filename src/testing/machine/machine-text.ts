import type { DeadReason, MachineCheck, MachinePath } from "./machine-check-result.ts";

const reasons: Readonly<Record<DeadReason, string>> = {
  shadowed: "an earlier one without guard takes every such event",
  source: "its state is never active",
  event: "no such event comes while its state is active",
  overridden: "an earlier one, or one of a state inside, takes each such event",
  guard: "its guard never lets it be taken",
};

const pathText = (path: MachinePath): string =>
  path.length === 0 ? "at the start" : path.map(({ name }, index) => `${index + 1}. ${name}`).join("  ");

/** Rows under a title, or nothing. */
const section = (title: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : [`${title}:`, ...rows.map((row) => `  ${row}`)];

/** The findings of a check as text. */
export function machineText(check: Omit<MachineCheck, "toString">): string {
  const { machine, verdict, states, transitions, depth, seconds, limitsHit, coverage } = check;
  const all = coverage.taken.length + coverage.uncovered.length;
  const cut = limitsHit.length === 0 ? "" : ` (${limitsHit.join(", ")})`;
  const size = `${states} states, ${transitions} transitions, depth ${depth}, ${seconds.toFixed(1)} s`;
  const width = Math.max(0, ...check.unhandled.map(({ state }) => state.length));
  return [
    `${verdict}${cut}: machine "${machine}": ${size}, ${coverage.taken.length} of ${all} transitions taken`,
    ...section("unreachable states", check.unreachable),
    ...section(
      "dead transitions",
      check.dead.map(({ transition: { id, guard, targets }, why }) => {
        const to = targets.length === 0 ? "" : ` -> ${targets.join(", ")}`;
        return `${id}${guard === null ? "" : ` [${guard}]`}${to}: ${reasons[why]}`;
      }),
    ),
    ...section(
      "never settles",
      check.alwaysCycles.map(({ states: round, path, transitions: taken }) =>
        [`${round.join(", ")} by ${taken.join(", ")}`, `  ${pathText(path)}`].join("\n  "),
      ),
    ),
    ...section(
      "deadlocks: not final, and nothing leads out",
      check.deadlocks.map(({ states: leaves, path }) => `${leaves.join(", ")}: ${pathText(path)}`),
    ),
    ...section("errors", check.errors.map(errorText)),
    ...section(
      "not decided: the payload is read and not given",
      check.missing.map(
        ({ event, field, states: at, path }) => `${event}: ${field}, read in ${at.join(", ")}: ${pathText(path)}`,
      ),
    ),
    ...section(
      "events that nothing takes, by state",
      check.unhandled.map(({ state, events }) => `${state.padEnd(width)}  ${events.join(", ")}`),
    ),
    ...section("notes", check.notes),
  ].join("\n");
}

function errorText({ cause, event, states, message, isDecided, path }: MachineCheck["errors"][number]): string {
  const what = cause === "thrown" ? message : `no onError takes "${message}", so the machine stops`;
  const doubt = isDecided ? "" : " (a missing payload may be the cause)";
  const at = states.length === 0 ? "" : ` in ${states.join(", ")}`;
  return `${event}${at}: ${what.replaceAll("\n", " ")}${doubt}: ${pathText(path)}`;
}
