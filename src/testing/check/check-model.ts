import type { CheckResult, SymmetryReport } from "./check-result.ts";
import { checkText } from "./check-text.ts";
import { createCounterexample } from "./counterexample.ts";
import { exploreBreadth } from "./explore-breadth.ts";
import { assertCheckOptions } from "./assert-check-options.ts";
import { assertModel } from "./assert-model.ts";
import type { CheckOptions } from "./properties.ts";
import { NamedMember, Search } from "./search.ts";
import type { StateGraph } from "./state-graph.ts";
import type { MachineOrNone } from "./protocol.ts";
import type { TeamModel } from "./team-model.ts";
import { walkModel } from "./walk.ts";

/** Longest path of a search, and of a walk, where no limit says otherwise. */
const depthMaxDefault = { exhaustive: 1_000, walk: 200 };

/**
 * Explores what can happen to a team within the budgets, and holds every state and step against G1 to G10 and the
 * properties given. It runs the kernel and the machines that run in production.
 *
 * Breadth first, so a counterexample is a shortest one; `strategy: "walk"` makes random walks instead, which prove nothing.
 * Interchangeable members are taken for each other, unless a property names a member or the model has moves, plans or a
 * protocol of your own; `symmetry` of the result says so. A search that hits a limit is `inconclusive`.
 *
 * Throws `bad_input` for options that can't be used, and for properties that answer later (`async`).
 */
export function checkModel<Ghost = unknown, Machine extends MachineOrNone = MachineOrNone>(
  model: TeamModel<Machine>,
  options: CheckOptions<Ghost, NoInfer<Machine>> = {},
): CheckResult {
  // A ghost is made and read by the same properties, so its type is theirs alone; the machine is that of the model.
  const asked = options as CheckOptions;
  assertModel(model);
  assertCheckOptions(asked);
  const why = whyAsymmetric(model, asked);
  if (why !== null) return run(model, asked, why);
  try {
    return run(model, asked, null);
  } catch (error) {
    if (!(error instanceof NamedMember)) throw error;
    return run(model, asked, error.message);
  }
}

/** Why members are kept apart before anything was looked at, or null. */
function whyAsymmetric(model: TeamModel, { symmetry }: CheckOptions): string | null {
  if (symmetry === false) return "it was switched off";
  if (model.protocol !== null) return "the model has a protocol of your own";
  // Who is woken for a task is the first in the order of their declaration.
  if ((model.initial().team?.board ?? null) !== null) return "the team has a task board";
  // A plan names members: what it does to one it does not do to another.
  if ((model.options.replans?.length ?? 0) > 0) return "the model has plans of your own";
  return model.options.world === undefined ? null : "the model has moves of your own";
}

function run(model: TeamModel, options: CheckOptions, whyOff: string | null): CheckResult {
  const { strategy = "exhaustive", walks = 100, seed = 1 } = options;
  const depthMax = options.limits?.depthMax ?? depthMaxDefault[strategy];
  const start = performance.now();
  const search = new Search(model, options, { isSymmetric: whyOff === null, depthMax });
  search.coverage.assertKnown(options.allow);
  const graph = strategy === "walk" ? walkModel(search, { walks, seed }) : exploreBreadth(search);
  // The last steps of a search lead to states that were met before, so nothing after them would have looked.
  search.checkNames();
  const seconds = (performance.now() - start) / 1_000;
  return resultOf(search, graph, seconds, whyOff);
}

function resultOf(search: Search, graph: StateGraph, seconds: number, whyOff: string | null): CheckResult {
  const { model, options, found, transitions, depth } = search;
  const isCut = search.limitsHit.size > 0;
  const unreached = new Set(search.unreached);
  const isViolated = found !== null || (!isCut && unreached.size > 0);
  const result: Omit<CheckResult, "toString"> = {
    verdict: isViolated ? "violated" : isCut ? "inconclusive" : "holds",
    violation: found === null ? null : createCounterexample(model, options, found.problem, found.path),
    states: graph.size,
    transitions,
    depth,
    seconds,
    bytesPerState: Math.round(graph.bytes / Math.max(1, graph.size)),
    coverage: search.coverage.coverage(options.allow),
    sometimes: Object.keys(options.sometimes ?? {}).map((name) => ({ name, reached: !unreached.has(name) })),
    limitsHit: [...search.limitsHit],
    symmetry: symmetryOf(search, whyOff),
  };
  return { ...result, toString: () => checkText(result) };
}

function symmetryOf({ symmetry, initial }: Search, whyOff: string | null): SymmetryReport {
  const tokens = initial.team?.order ?? [];
  const { order, classes } = symmetry.layoutOf(initial);
  const nameAt = (index: number): string => initial.members.get(tokens[order[index] ?? 0] ?? "")?.name ?? "";
  return { isOn: whyOff === null, classes: classes.map((places) => places.map(nameAt)), why: whyOff };
}
