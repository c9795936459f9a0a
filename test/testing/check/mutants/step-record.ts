import type { EventObject, StateValue } from "xstate";
import { createKernel, type Kernel, type MachineName, type Step } from "../../../../src/machines/index.ts";

/** A step that an exploration made: the event that a machine was given in this snapshot. */
export interface RecordedStep {
  readonly machine: MachineName;
  readonly value: StateValue;
  readonly context: unknown;
  readonly event: EventObject;
  /** Places of the models in which it was made. */
  readonly models: Set<number>;
}

type AnyStep = (snapshot: { readonly value: StateValue; readonly context: unknown }, event: EventObject) => Step<never>;

/** Writes down every step that a kernel asks its machines for, each once. */
export class StepRecorder {
  readonly kernel: Kernel = createKernel();
  readonly #steps = new Map<string, RecordedStep>();
  /** Per snapshot, the events of the current model that are written down. */
  #seen = new WeakMap<object, Set<string>>();
  #model = -1;

  constructor() {
    const { steppers } = this.kernel;
    for (const machine of ["session", "team", "member", "lead"] as const) {
      const stepper: { step: unknown } = steppers[machine];
      // Each stepper has snapshots and events of its own; what is written down of them is the same.
      const step = stepper.step as AnyStep;
      const recorded: AnyStep = (snapshot, event) => {
        this.#record(machine, snapshot, event);
        return step(snapshot, event);
      };
      stepper.step = recorded;
    }
  }

  /** From here on steps are those of another model. */
  begin(model: number): void {
    this.#model = model;
    this.#seen = new WeakMap();
  }

  get steps(): readonly RecordedStep[] {
    return [...this.#steps.values()];
  }

  #record(machine: MachineName, snapshot: Parameters<AnyStep>[0], event: EventObject): void {
    const key = Object.values(event).join("|");
    const seen = this.#seen.get(snapshot) ?? new Set();
    if (seen.has(key)) return;
    this.#seen.set(snapshot, seen.add(key));
    const { value, context } = snapshot;
    const id = JSON.stringify([machine, value, context, event]);
    const known = this.#steps.get(id);
    if (known === undefined) this.#steps.set(id, { machine, value, context, event, models: new Set([this.#model]) });
    else known.models.add(this.#model);
  }
}
