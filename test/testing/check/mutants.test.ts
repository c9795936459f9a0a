import { expect, test } from "vitest";
import { describeMachine, sessionMachines, type MachineDescription } from "../../../src/machines/index.ts";
import { checkPath, teamModel } from "../../../src/testing/index.ts";
import { recordSteps, modelsUpTo } from "./mutants/hunt.ts";
import { notCreated, type Kill } from "./mutants/kill.ts";
import { Equivalence, machineMutants, mutantKernel, type MachineMutant } from "./mutants/machine-mutants.ts";
import type { Mutation } from "./mutants/mutate-machine.ts";
import { killsOf, readPinned, shareCaught } from "./mutants/pinned-mutants.ts";
import { hashesOf, reproduce, startRuntime } from "./mutants/reproduce.ts";
import { loadSources, ownFolder } from "./mutants/sources.ts";
import { packCases } from "./pack-cases.ts";

/**
 * Mutants of the four machines: each is caught by a guarantee, is equivalent, or has its reason in mutants.json, which
 * `npm run check:mutants` writes. Here every counterexample in it is walked again, in the model and in the runtime.
 */

const renew = "run `npm run check:mutants` and give every survivor its reason";
const pinned = readPinned();
const mutants = machineMutants();
const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));

/** The mutant of a kill, and the model that it was caught in. */
function modelOf(id: string, { model }: Kill) {
  const mutant = byId.get(id);
  const options = packCases.find(([name]) => name === model)?.[1];
  if (mutant === undefined || options === undefined) throw new Error(`${id} in ${model}: ${renew}`);
  return { mutant, options };
}

test("the mutants are those that were hunted", () => {
  const known = [...killsOf(pinned).map(([id]) => id), ...pinned.equivalent, ...Object.keys(pinned.survivors)];
  expect(known.toSorted(), renew).toEqual([...byId.keys()].toSorted());
  expect(mutants).toHaveLength(byId.size);
});

test("at least 95 % of the mutants that are not equivalent are caught by a guarantee, and the others have a reason", () => {
  expect(shareCaught(pinned)).toBeGreaterThanOrEqual(0.95);
  const unexplained = Object.entries(pinned.survivors).filter(([, { reason }]) => reason === "");
  expect(unexplained, renew).toEqual([]);
});

/** What a mutation makes of a description: worked out on the data alone. */
function mutated(given: MachineDescription, mutation: Mutation): Pick<MachineDescription, "states" | "transitions"> {
  const drop = (actions: readonly string[], action: string) => actions.toSpliced(actions.indexOf(action), 1);
  if ("state" in mutation) {
    const key = mutation.kind === "drop entry" ? "entry" : "exit";
    const states = given.states.map((state) =>
      state.id === mutation.state ? { ...state, [key]: drop(state[key], mutation.action) } : state,
    );
    return { states, transitions: given.transitions };
  }
  const transitions = given.transitions.flatMap((each) => {
    const [source, event] = mutation.transition.split("|");
    const isLater = each.id.startsWith(`${source}|${event}|`) && each.index > Number(mutation.transition.split("|")[2]);
    if (mutation.kind === "remove transition" && isLater)
      return { ...each, id: `${source}|${event}|${each.index - 1}`, index: each.index - 1 };
    if (each.id !== mutation.transition) return each;
    switch (mutation.kind) {
      case "remove transition":
        return [];
      case "negate guard":
        return { ...each, guard: / (and|or) /.test(each.guard ?? "") ? `not (${each.guard})` : `not ${each.guard}` };
      case "drop action":
        return { ...each, actions: drop(each.actions, mutation.action) };
      case "drop reenter":
        return { ...each, reenter: false };
      default:
        return { ...each, targets: mutation.target === null ? [] : [mutation.target] };
    }
  });
  return { states: given.states, transitions };
}

test("a mutant differs from its machine in the place that its id names, and nowhere else", () => {
  const originals = new Map(Object.entries(sessionMachines).map(([name, machine]) => [name, describeMachine(machine)]));
  for (const { id, machine, mutation, make } of mutants) {
    const original = originals.get(machine);
    if (original === undefined) throw new Error(`no machine ${machine}`);
    const { states, transitions } = describeMachine(make());
    expect({ states, transitions }, id).toEqual(mutated(original, mutation));
    expect({ states, transitions }, id).not.toEqual({ states: original.states, transitions: original.transitions });
  }
});

test("every mutant that is caught violates its guarantee on its path", () => {
  const wrong: string[] = [];
  for (const [id, kill] of killsOf(pinned)) {
    const { mutant, options } = modelOf(id, kill);
    if (violationOf(mutant, kill, options)?.property !== kill.property) wrong.push(id);
  }
  expect(wrong, renew).toEqual([]);
});

function violationOf(mutant: MachineMutant, { property, moves }: Kill, options: (typeof packCases)[number][1]) {
  const make = () => teamModel({ ...options, kernel: mutantKernel(mutant) });
  if (property !== notCreated) return checkPath(make(), moves).violation;
  expect(make, mutant.id).toThrow(/bad_file|teamModel/);
  return { property };
}

test("no path of a mutant violates anything with the machines as they are", () => {
  const violated: string[] = [];
  for (const { model, moves } of pinned.killed) {
    const options = packCases.find(([name]) => name === model)?.[1];
    if (options === undefined) throw new Error(`no model ${model}: ${renew}`);
    if (!isHarmless(() => checkPath(teamModel(options), moves))) violated.push(`${model}: ${moves.join(", ")}`);
  }
  expect(violated).toEqual([]);
});

/** Whether a path violates nothing; a mutant's path need not be one of the machine as it is. */
function isHarmless(walk: () => { readonly violation: unknown }): boolean {
  try {
    return walk().violation === null;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

test(
  "every counterexample of a mutant reproduces in a runtime that is built from it",
  { timeout: 600_000 },
  async () => {
    const sources = await loadSources(ownFolder);
    const wrong: string[] = [];
    for (const [id, kill] of killsOf(pinned)) {
      const { mutant, options } = modelOf(id, kill);
      if (kill.property === notCreated) {
        if (await isCreated(mutant, options)) wrong.push(id);
        continue;
      }
      const model = teamModel({ ...options, kernel: mutantKernel(mutant) });
      const { violation } = checkPath(model, kill.moves);
      const real = await reproduce(sources, model, kill.moves, violation);
      const expected = { property: kill.property, moves: kill.moves.length };
      expect(hashesOf(real.lines), id).toEqual(hashesOf(violation?.toRecording() ?? []));
      expect([real.faults, real.violated], id).toEqual([[], expected]);
      if (real.alive !== real.wanted) wrong.push(id);
    }
    expect(wrong).toEqual([]);

    /** Whether a runtime with this mutant has a team once it was asked for one. */
    async function isCreated(mutant: MachineMutant, options: (typeof packCases)[number][1]): Promise<boolean> {
      const { prologue } = teamModel(options);
      const kernel = mutantKernel(mutant);
      const { runtime, bus, append, recorded } = startRuntime(sources, { kernel, prologue });
      for (const record of prologue) await append(record);
      runtime.owner.stop();
      await bus.close();
      return recorded.applied.every(({ verdict }) => verdict === "handled");
    }
  },
);

test("the mutants that are equivalent make the very same of every step that the small models make", () => {
  const equivalence = new Equivalence(recordSteps(modelsUpTo(smallMax)));
  const equivalent = new Set(pinned.equivalent);
  const differ = mutants.filter((mutant) => equivalent.has(mutant.id) && equivalence.differences(mutant).length > 0);
  expect(
    differ.map(({ id }) => id),
    renew,
  ).toEqual([]);
});

/** All of the models that the hunt took would cost a minute; these make most of its steps. */
const smallMax = 1_500;
