import type { AnyStateMachine } from "xstate";
import {
  createKernel,
  createStepper,
  sessionMachines,
  type Effect,
  type Kernel,
  type MachineName,
} from "../../../../src/machines/index.ts";
import { effectHandlers } from "../../../../src/machines/kernel/effects.ts";
import { mutantsOf, type Mutant } from "./mutate-machine.ts";
import type { RecordedStep } from "./step-record.ts";

/** A mutant of one of the session's machines. */
export interface MachineMutant extends Mutant {
  readonly machine: MachineName;
}

/** Every mutant of the four machines. */
export const machineMutants = (): MachineMutant[] =>
  (["session", "team", "member", "lead"] as const).flatMap((machine) =>
    mutantsOf(sessionMachines[machine]).map((mutant) => ({ ...mutant, machine })),
  );

/** The kernel with one machine mutated. */
export const mutantKernel = ({ machine, make }: MachineMutant): Kernel => createKernel({ [machine]: make() });

/** The kernel with the mutant of this id. */
export function kernelWith(id: string): Kernel {
  const mutant = machineMutants().find((each) => each.id === id);
  if (mutant === undefined) throw new RangeError(`no mutant ${id}`);
  return mutantKernel(mutant);
}

/** What a step comes to, as text: where it leads, what it asks for, and whether the event was taken. */
type StepText = (step: RecordedStep) => string;

/** Reads steps of one machine, made anew in a table of its own. */
function stepTexts(machine: AnyStateMachine, isSilent: (effect: Effect) => boolean): StepText {
  const stepper = createStepper(machine);
  return ({ value, context, event }) => {
    try {
      const { next, effects, handled } = stepper.step(stepper.resolve(value, context), event);
      return JSON.stringify([next.value, next.context, effects.filter((effect) => !isSilent(effect)), handled]);
    } catch (error) {
      // A step that breaks is like no other one.
      return `broken: ${String(error)}`;
    }
  };
}

/** Effects of a machine whose handler in the kernel does nothing at all: it takes no look at the session. */
function silentEffects(machine: MachineName): (effect: Effect) => boolean {
  const known = new Map<Effect, boolean>();
  const untouchable = new Proxy(
    {},
    {
      get: () => {
        throw new Error("touched");
      },
    },
  );
  const isSilent = (effect: Effect): boolean => {
    try {
      // Whatever a handler does begins with a look at one of its arguments.
      effectHandlers[machine](untouchable as never, untouchable as never, effect, untouchable as never);
      return true;
    } catch {
      return false;
    }
  };
  return (effect) => {
    let silent = known.get(effect);
    if (silent === undefined) known.set(effect, (silent = machine === "member" && isSilent(effect)));
    return silent;
  };
}

/**
 * Compares mutants with what was recorded of the machines: a mutant that makes of every recorded step the very same is
 * equivalent within all that was explored, since by induction its exploration never differs.
 */
export class Equivalence {
  readonly #byMachine = new Map<
    MachineName,
    { readonly steps: readonly RecordedStep[]; readonly texts: readonly string[] }
  >();

  constructor(steps: readonly RecordedStep[]) {
    for (const machine of ["session", "team", "member", "lead"] as const) {
      const own = steps.filter((step) => step.machine === machine);
      this.#byMachine.set(machine, {
        steps: own,
        texts: own.map(stepTexts(sessionMachines[machine], silentEffects(machine))),
      });
    }
  }

  /** The recorded steps that a mutant makes otherwise. */
  differences({ machine, mutation, make }: MachineMutant): RecordedStep[] {
    const { steps = [], texts = [] } = this.#byMachine.get(machine) ?? {};
    const textOf = stepTexts(make(), silentEffects(machine));
    // Only its own event takes a transition, but for one that needs none.
    const [, event = "always"] = "transition" in mutation ? mutation.transition.split("|") : [];
    const concerns = (step: RecordedStep): boolean => event === "always" || step.event.type === event;
    return steps.filter((step, index) => concerns(step) && textOf(step) !== texts[index]);
  }
}
