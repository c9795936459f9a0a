import fc from "fast-check";
import { createMachine, type AnyMachineSnapshot, type AnyStateMachine } from "xstate";
import { getAdjacencyMap } from "xstate/graph";
import { expect, test } from "vitest";
import { checkMachine } from "../../../src/testing/index.ts";

const events = ["A", "B", "C"] as const;

/** A machine without hierarchy: for each state and event the states that are tried in order, `null` for a guard that is false. */
type Table = readonly (readonly (readonly (number | null)[])[])[];

const tables: fc.Arbitrary<Table> = fc.integer({ min: 1, max: 6 }).chain((size) =>
  fc.array(
    fc.array(fc.array(fc.option(fc.nat(size - 1)), { maxLength: 3 }), {
      minLength: events.length,
      maxLength: events.length,
    }),
    { minLength: size, maxLength: size },
  ),
);

const flatMachine = (table: Table): AnyStateMachine =>
  createMachine({
    id: "m",
    initial: "s0",
    states: Object.fromEntries(
      table.map((row, state) => [
        `s${state}`,
        {
          on: Object.fromEntries(
            row.map((targets, event) => [
              events[event],
              targets.map((target) =>
                target === null ? { guard: () => false, target: "s0" } : { target: `s${target}` },
              ),
            ]),
          ),
        },
      ]),
    ),
  });

/** What is reached and taken, worked out from the table alone. */
function oracle(table: Table): { reached: Set<string>; taken: Set<string>; depth: number } {
  const depths = new Map([[0, 0]]);
  const taken = new Set<string>();
  const queue = [0];
  for (const state of queue) {
    table[state]?.forEach((targets, event) => {
      const index = targets.findIndex((target) => target !== null);
      const target = targets[index];
      if (typeof target !== "number") return;
      taken.add(`m.s${state}|${events[event]}|${index}`);
      if (depths.has(target)) return;
      depths.set(target, (depths.get(state) ?? 0) + 1);
      queue.push(target);
    });
  }
  return { reached: new Set(queue.map((state) => `m.s${state}`)), taken, depth: Math.max(...depths.values()) };
}

test("what a random machine reaches, takes and is stuck in is what its table says", () => {
  fc.assert(
    fc.property(tables, (table) => {
      const given = events.map((type) => ({ type }));
      const check = checkMachine(flatMachine(table), { events: given });
      const { reached, taken, depth } = oracle(table);
      const ids = table.map((_, state) => `m.s${state}`);
      expect(check.unreachable).toEqual(ids.filter((id) => !reached.has(id)));
      expect(check.coverage.taken).toEqual([...taken].toSorted());
      expect(check.states).toBe(reached.size);
      expect(check.depth).toBe(depth);
      const all = table.flatMap((row, state) =>
        row.flatMap((targets, event) => targets.map((_, index) => `m.s${state}|${events[event]}|${index}`)),
      );
      expect(check.dead.map(({ transition }) => transition.id).toSorted()).toEqual(
        all.filter((id) => !taken.has(id)).toSorted(),
      );
      const stuck = ids.filter(
        (id, state) =>
          reached.has(id) &&
          (table[state] ?? []).every((targets) =>
            [undefined, state].includes(targets.find((each) => each !== null) as number),
          ),
      );
      expect(check.deadlocks.flatMap(({ states }) => states).toSorted()).toEqual(stuck);
      const silent = ids.flatMap((id, state) => {
        const types = events.filter((_, event) => (table[state]?.[event] ?? []).every((target) => target === null));
        return reached.has(id) && types.length > 0 ? [{ state: id, events: types }] : [];
      });
      expect(check.unhandled).toEqual(silent);
    }),
    { numRuns: 300 },
  );
});

/** Machines with hierarchy and parallel regions; every node may take every event, to any node. */
interface Node {
  /** What it is when it has children. */
  readonly type: "compound" | "parallel";
  readonly children: readonly Node[];
  readonly targets: readonly (number | null)[];
}

const nodesOf = (depth: number): fc.Arbitrary<Node> =>
  fc.record({
    type: fc.constantFrom("compound" as const, "parallel" as const),
    children: depth === 0 ? fc.constant([]) : fc.array(nodesOf(depth - 1), { maxLength: 3 }),
    targets: fc.array(fc.option(fc.nat(20)), { minLength: events.length, maxLength: events.length }),
  });

function deepMachine(root: Node): AnyStateMachine {
  const ids: string[] = [];
  const number = (node: Node, id: string): void => {
    if (id !== "m") ids.push(id);
    node.children.forEach((child, index) => number(child, `${id}-${index}`));
  };
  number(root, "m");
  const config = (node: Node, id: string): object => {
    const states = Object.fromEntries(
      node.children.map((child, index) => [`k${index}`, config(child, `${id}-${index}`)]),
    );
    const on = Object.fromEntries(
      node.targets.flatMap((target, index) =>
        target === null || ids.length === 0 ? [] : [[events[index], { target: `#${ids[target % ids.length]}` }]],
      ),
    );
    if (node.children.length === 0) return { id, on };
    return node.type === "parallel" ? { id, on, type: "parallel", states } : { id, on, initial: "k0", states };
  };
  return createMachine(config(root, "m"));
}

test("a random machine of any depth has the states and steps that xstate/graph finds", () => {
  fc.assert(
    fc.property(nodesOf(3), (root) => {
      const machine = deepMachine(root);
      const given = events.map((type) => ({ type }));
      const map = getAdjacencyMap(machine, {
        events: given,
        serializeState: ({ value }: { value: unknown }) => JSON.stringify(value),
      });
      const check = checkMachine(machine, { events: given });
      const values = Object.values(map);
      expect(check.states).toBe(values.length);
      expect(check.transitions).toBe(values.length * events.length);
      const active = new Set(values.flatMap(({ state }) => (state as AnyMachineSnapshot)._nodes.map(({ id }) => id)));
      expect(check.coverage.reached).toEqual([...active].toSorted());
      expect(check.unreachable).toEqual(check.coverage.unreached);
    }),
    { numRuns: 200 },
  );
});
