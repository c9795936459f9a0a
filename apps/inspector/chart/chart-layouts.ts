import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import { describeMachine, type MachineDescription } from "teamchart/machines";
import type { AnyStateMachine } from "xstate";
import { chartGraph } from "./chart-graph.ts";
import { ElkWorker } from "./elk-worker.ts";
import { elkGraph, placedChart, type ChartLayout } from "./elk-graph.ts";

/** A layout, or why there is none. */
export type LayoutState =
  | { readonly state: "loading" }
  | { readonly state: "here"; readonly layout: ChartLayout }
  | { readonly state: "failed"; readonly why: string };

const loading: LayoutState = { state: "loading" };

/** Lays machines out in a worker, each once. The worker is started when the first chart is asked for. */
export class ChartLayouts {
  readonly #layouts = new Map<AnyStateMachine, LayoutState>();
  readonly #descriptions = new Map<AnyStateMachine, MachineDescription>();
  readonly #observers = new Set<() => void>();
  #elk: ElkWorker | null = null;

  /** The same object until it changes; asking starts the work. */
  get(machine: AnyStateMachine): LayoutState {
    const known = this.#layouts.get(machine);
    if (known !== undefined) return known;
    this.#layouts.set(machine, loading);
    this.#layOut(machine).then(
      (layout) => this.#set(machine, { state: "here", layout }),
      (fault: unknown) =>
        this.#set(machine, { state: "failed", why: fault instanceof Error ? fault.message : String(fault) }),
    );
    return loading;
  }

  description(machine: AnyStateMachine): MachineDescription {
    const known = this.#descriptions.get(machine) ?? describeMachine(machine);
    this.#descriptions.set(machine, known);
    return known;
  }

  subscribe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  async #layOut(machine: AnyStateMachine): Promise<ChartLayout> {
    this.#elk ??= new ElkWorker(workerUrl);
    const graph = chartGraph(this.description(machine));
    return placedChart(graph, await this.#elk.layout(elkGraph(graph)));
  }

  #set(machine: AnyStateMachine, state: LayoutState): void {
    this.#layouts.set(machine, state);
    for (const observer of this.#observers) observer();
  }
}
