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

function show(what: string, run: () => { states: number; transitions: number; bytesPerState?: number }): void {
  run();
  const start = performance.now();
  const { states, transitions, bytesPerState } = run();
  const seconds = (performance.now() - start) / 1_000;
  const rates = `${Math.round(states / seconds)} states/s, ${Math.round(transitions / seconds)} transitions/s`;
  const memory = bytesPerState === undefined ? "" : `, ${bytesPerState} B a state`;
  process.stdout.write(
    `${what}: ${states} states, ${transitions} transitions, ${seconds.toFixed(3)} s, ${rates}${memory}\n`,
  );
}

const fanIn = (count: number): TeamModelOptions => {
  const names = Array.from({ length: count - 1 }, (_, index) => `M${index}`);
  return { members: [...names.map((name) => ({ name })), { name: "Reporter", dependsOn: names }] };
};
const oneOfEach = Object.fromEntries(budgetKinds.map((kind) => [kind, 1]));

show("one machine, xstate/graph", graphOfMachine);
show("one machine, memoised steps", graphBySteps);
for (const count of [3, 4, 5]) show(`fan-in of ${count}`, () => checkModel(teamModel(fanIn(count))));
for (const members of dagShapes(2))
  show("two members, every pair", () =>
    checkModel(teamModel({ members }), { budgets: oneOfEach, interventionsMax: 2 }),
  );
const wide = fanIn(100);
show("walks, 100 members", () =>
  checkModel(teamModel(wide), { strategy: "walk", walks: 20, budgets: oneOfEach, guarantees: false }),
);
