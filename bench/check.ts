// node bench/check.ts: the checker's states and transitions a second, beside xstate/graph on a single machine.
import { createStepper, memberMachine, type MemberEvent } from "teamchart/machines";
import { budgetKinds, checkModel, dagShapes, teamModel, type TeamModelOptions } from "teamchart/testing";
import { getAdjacencyMap } from "xstate/graph";
import type { SnapshotFrom } from "xstate";

type Snapshot = SnapshotFrom<typeof memberMachine>;

/** Every event that a member's machine can get with any verdict, but for those that only name where a run rests. */
const events: readonly MemberEvent[] = [
  { type: "member.start" },
  { type: "member.shutdown" },
  { type: "shutdown.request" },
  { type: "shutdown.accepted" },
  { type: "shutdown.refused" },
  { type: "mail.arrived" },
  { type: "work.complete" },
  ...[true, false].flatMap((mail): MemberEvent[] => [
    { type: "member.retry", ready: mail },
    { type: "member.cancel", mail },
    { type: "step.ended", mail },
    { type: "turn.ended", mail },
    { type: "run.completed", mail },
    { type: "run.failed", mail },
    { type: "run.lost", mail, open: false },
  ]),
  { type: "tool.started", rest: "tool" },
  { type: "tool.ended", rest: "thinking" },
];

/** What tells two states of one member apart; runs and attempts grow without end. */
const keyOf = ({ value, context }: Pick<Snapshot, "value" | "context">): string => {
  const { nudges, losses, planned, refused, lifetime } = context;
  return JSON.stringify([value, nudges, losses, planned, refused, lifetime]);
};

function graphOfMachine(): { states: number; transitions: number } {
  // The library types a snapshot by any machine; this one is the member's.
  const serializeState = (snapshot: unknown): string => keyOf(snapshot as Snapshot);
  const map = getAdjacencyMap(memberMachine, { events: [...events], serializeState, limit: 1_000_000 });
  const states = Object.values(map);
  return { states: states.length, transitions: states.length * events.length };
}

// One table for all searches: what a machine does is worked out once.
const stepper = createStepper<Snapshot, MemberEvent>(memberMachine);

function graphBySteps(): { states: number; transitions: number } {
  const first = stepper.initial(memberMachine.config.context as Snapshot["context"]);
  const seen = new Set([keyOf(first)]);
  const queue = [first];
  let transitions = 0;
  for (const snapshot of queue) {
    for (const event of events) {
      transitions++;
      const { next } = stepper.step(snapshot, event);
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return { states: seen.size, transitions };
}

/**
 * Prints what the second of two runs took. Rates are per second of the processor: what else the machine does hardly shows in
 * them. Searches collect on other threads too, so that a second of the clock can be more than one of the processor.
 */
function show(what: string, run: () => { states: number; transitions: number; bytesPerState?: number }): void {
  run();
  const [start, used] = [performance.now(), process.cpuUsage()];
  const { states, transitions, bytesPerState } = run();
  const { user, system } = process.cpuUsage(used);
  const [seconds, cpu] = [(performance.now() - start) / 1_000, (user + system) / 1_000_000];
  const rates = `${Math.round(states / cpu)} states/s, ${Math.round(transitions / cpu)} transitions/s`;
  const memory = bytesPerState === undefined ? "" : `, ${bytesPerState} B a state`;
  const took = `${seconds.toFixed(3)} s, ${cpu.toFixed(3)} s of CPU`;
  process.stdout.write(`${what}: ${states} states, ${transitions} transitions, ${took}, ${rates}${memory}\n`);
}

const fanIn = (count: number): TeamModelOptions => {
  const names = Array.from({ length: count - 1 }, (_, index) => `M${index}`);
  return { members: [...names.map((name) => ({ name })), { name: "Reporter", dependsOn: names }] };
};
const pairs = { budgets: Object.fromEntries(budgetKinds.map((kind) => [kind, 1])), interventionsMax: 2 };

show("one machine, xstate/graph", graphOfMachine);
show("one machine, memoised steps", graphBySteps);
for (const count of [3, 5]) show(`fan-in of ${count}`, () => checkModel(teamModel(fanIn(count))));
for (const members of dagShapes(2)) {
  const shape = members.some(({ dependsOn = [] }) => dependsOn.length > 0) ? "a chain" : "two alone";
  show(`${shape}, every pair`, () => checkModel(teamModel({ members }), pairs));
  show(`${shape}, every pair, no guarantees`, () =>
    checkModel(teamModel({ members }), { ...pairs, guarantees: false }),
  );
}
const wide = fanIn(100);
show("walks, 100 members", () =>
  checkModel(teamModel(wide), { budgets: pairs.budgets, strategy: "walk", walks: 20, guarantees: false }),
);
