import type { AnyStateMachine } from "xstate";
import { stateNodesOf } from "../../machines/state-nodes.ts";
import { assertImplemented } from "./assert-implemented.ts";
import { exploreMachine } from "./explore-machine.ts";
import { findingsOf } from "./findings.ts";
import type { MachineCheck } from "./machine-check-result.ts";
import type { MachineCheckOptions, ParsedOptions } from "./machine-options.ts";
import { machineText } from "./machine-text.ts";
import { badInput } from "../fields.ts";
import { parseMachine, parseMachineOptions } from "./parse-machine-options.ts";
import { KeyWriter } from "./state-key.ts";
import { World } from "./world.ts";

/**
 * Explores one machine of XState 5, yours or ours, and says what is wrong with it: states that nothing reaches, transitions
 * that nothing takes, steps without an event that never settle, configurations that nothing leads out of, guards and assigns
 * that throw; and which events nothing takes where. Breadth first, so every path is a shortest one.
 *
 * Its own guards and assigns decide. No custom action is executed, no actor started and no timer armed: when a timer is due
 * and what an invoked actor does (`invokes`) is a choice of the world, made only while it may happen. `enqueueActions`,
 * context factories and other expressions are run, as XState's own `transition` does, and have to be pure.
 *
 * Throws `bad_input` for options that can't be used, for guards, actors and delays that are named and not given, and for an
 * assign that changes the context in place: what follows from that is no state of its own.
 */
export function checkMachine<Machine extends AnyStateMachine>(
  machine: Machine,
  options: MachineCheckOptions<Machine> = {},
): MachineCheck {
  const parsed = parseMachineOptions(options);
  const known = parseMachine(machine);
  assertImplemented(known);
  const started = performance.now();
  const world = new World(known, parsed);
  const keys = new KeyWriter();
  const explored = exploreMachine(known, world, keys, parsed);
  if (explored.limitsHit.size === 0) checkInvokes(known, parsed, world.met);
  const findings = findingsOf(known, explored, parsed.allow);
  const errors = [...explored.errors.values()];
  const alwaysCycles = [...explored.cycles.values()];
  const { unreachable, dead, deadlocks } = findings;
  const isViolated =
    [unreachable, dead, deadlocks, alwaysCycles].some(({ length }) => length > 0) ||
    errors.some(({ isDecided }) => isDecided);
  const isOpen = explored.limitsHit.size > 0 || explored.missing.size > 0;
  const check = {
    machine: known.id,
    verdict: isViolated ? "violated" : isOpen ? "inconclusive" : "holds",
    states: explored.states,
    transitions: explored.transitions,
    depth: explored.depth,
    seconds: (performance.now() - started) / 1_000,
    limitsHit: [...explored.limitsHit],
    ...findings,
    alwaysCycles,
    errors,
    missing: [...explored.missing.values()],
    notes: [...keys.notes],
  } as const;
  return { ...check, toString: () => machineText(check) };
}

/** Refuses outcomes of actors that the machine doesn't have. */
function checkInvokes(machine: AnyStateMachine, { invokes }: ParsedOptions, met: ReadonlySet<string>): void {
  const invoked = stateNodesOf(machine).flatMap(({ invoke }) => invoke.flatMap(({ id, src }) => [id, src]));
  const names = [...invoked, ...Object.keys(machine.implementations.actors)].filter((name) => typeof name === "string");
  const known = new Set([...names.filter((name) => !name.startsWith("xstate.invoke.")), ...met]);
  for (const name of Object.keys(invokes))
    if (!known.has(name))
      throw badInput(
        `options.invokes.${name}`,
        `no actor has this id or src; there are ${[...known].join(", ") || "none"}`,
      );
}
