import { checkModel, teamModel } from "../../../../src/testing/index.ts";
import { packCases, packSizes, type PackCase } from "../pack-cases.ts";
import { isStillCaught, tryMutant, type Kill } from "./kill.ts";
import { Equivalence, type MachineMutant } from "./machine-mutants.ts";
import { StepRecorder, type RecordedStep } from "./step-record.ts";

/** Models of the pack with at most so many states, small ones first. */
export const modelsUpTo = (statesMax: number): PackCase[] =>
  packCases.filter(([name]) => sizeOf(name) <= statesMax).toSorted(([a], [b]) => sizeOf(a) - sizeOf(b));

const sizeOf = (name: string): number => packSizes[name]?.[0] ?? 0;

/** Explores models with the machines as they are; every step that they make, with the places of its models. */
export function recordSteps(
  models: readonly PackCase[],
  say: (text: string) => void = () => {},
): readonly RecordedStep[] {
  const recorder = new StepRecorder();
  for (const [place, [name, team, options]] of models.entries()) {
    recorder.begin(place);
    const limits = { statesMax: 5_000_000, ms: 3_600_000 };
    const { violation, states, seconds } = checkModel(teamModel({ ...team, kernel: recorder.kernel }), {
      ...options,
      limits,
    });
    if (violation !== null) throw new Error(`the machines as they are: ${violation.toString()}`);
    say(`${name}: ${states} states, ${seconds.toFixed(1)} s, ${recorder.steps.length} steps so far`);
  }
  return recorder.steps;
}

/** What became of mutants, by their ids. */
export interface Hunted {
  readonly kills: ReadonlyMap<string, Kill>;
  readonly equivalent: readonly string[];
  /** Whether the sizes of some model tell it from the machine as it is. */
  readonly survivors: ReadonlyMap<string, boolean>;
}

/** What a hunt takes: every mutant is tried on each model that makes a step which it makes otherwise. */
export interface HuntOptions {
  readonly mutants: readonly MachineMutant[];
  readonly models: readonly PackCase[];
  /** How mutants were caught before: whoever still is, on the same path, is not hunted again. */
  readonly known: ReadonlyMap<string, Kill>;
  readonly say: (text: string) => void;
}

/** Looks for a counterexample of every mutant. */
export function hunt({ mutants, models, known, say }: HuntOptions): Hunted {
  const equivalence = new Equivalence(recordSteps(models, say));
  const kills = new Map<string, Kill>();
  const equivalent: string[] = [];
  const survivors = new Map<string, boolean>();
  const judge = (mutant: MachineMutant): string => {
    const before = known.get(mutant.id);
    if (before !== undefined && isStillCaught(mutant, before)) {
      kills.set(mutant.id, before);
      return "caught as before";
    }
    const differences = equivalence.differences(mutant);
    if (differences.length === 0) {
      equivalent.push(mutant.id);
      return "equivalent";
    }
    const places = new Set(differences.flatMap((step) => [...step.models]));
    let isCounted = false;
    for (const [place, model] of models.entries()) {
      if (!places.has(place)) continue;
      const trial = tryMutant(mutant, model);
      if (trial.kill !== null) {
        const { kill } = trial;
        kills.set(mutant.id, kill);
        return `caught by ${kill.property.split(" ")[0] ?? ""} in ${kill.moves.length} moves of ${kill.model}`;
      }
      isCounted ||= trial.size.join() !== packSizes[model[0]]?.join();
    }
    survivors.set(mutant.id, isCounted);
    return isCounted ? "SURVIVES, though the sizes tell" : "SURVIVES";
  };
  for (const [index, mutant] of mutants.entries()) {
    const start = performance.now();
    const text = judge(mutant);
    const seconds = Math.round((performance.now() - start) / 1_000);
    say(`${index + 1}/${mutants.length} ${mutant.id}: ${text}${seconds > 5 ? ` (${seconds} s)` : ""}`);
  }
  return { kills, equivalent, survivors };
}
