import fc from "fast-check";
import { expect, test } from "vitest";
import { and, assign, createMachine, not, or, raise, setup, stateIn, type AnyStateMachine } from "xstate";
import { describeMachine } from "../../src/machines/describe-machine.ts";
import { leadContext, leadMachine } from "../../src/machines/lead-machine.ts";
import { memberContext } from "../../src/machines/member-events.ts";
import { memberMachine } from "../../src/machines/member-machine.ts";
import { sessionMachine } from "../../src/machines/session-machine.ts";
import { teamContext, teamMachine } from "../../src/machines/team-machine.ts";
import { createStepper } from "../../src/machines/transition-once.ts";

const machines: readonly { name: string; machine: AnyStateMachine; context: object }[] = [
  { name: "session", machine: sessionMachine, context: {} },
  { name: "team", machine: teamMachine, context: teamContext },
  { name: "lead", machine: leadMachine, context: leadContext("hosted") },
  { name: "member", machine: memberMachine, context: memberContext("persistent", true) },
];

/** Every verdict that an event of any machine may carry; one that it does not know, a machine does not read. */
const verdicts = fc.record({
  ready: fc.boolean(),
  mail: fc.boolean(),
  open: fc.boolean(),
  unseen: fc.boolean(),
  more: fc.boolean(),
  asks: fc.boolean(),
  mode: fc.constantFrom("graceful", "abort"),
  verdict: fc.constantFrom("running", "stalled", "finished"),
  outcome: fc.constantFrom("completed", "failed", "dissolved"),
  rest: fc.constantFrom(
    "thinking",
    "tool",
    "waiting_permission",
    "waiting_external",
    "planning",
    "waiting_plan_approval",
    "awaiting_team",
    "asking_user",
  ),
});

test.each(machines)("every transition that a $name takes is in its description", ({ machine, context }) => {
  const { transitions } = describeMachine(machine);
  const known = new Map(transitions.map((each) => [each.id, each]));
  const events = [...new Set(transitions.flatMap(({ event }) => event ?? []))];
  const stepper = createStepper(machine);
  const taken = new Set<string>();
  const walk = fc.array(fc.tuple(fc.constantFrom(...events), verdicts), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(walk, (steps) => {
      let snapshot = stepper.initial(context);
      for (const [type, data] of steps) {
        const step = stepper.step(snapshot, { type, ...data });
        for (const id of step.transitions) {
          expect(known.has(id)).toBe(true);
          expect([type, null]).toContain(known.get(id)?.event);
          taken.add(id);
        }
        snapshot = step.next;
      }
    }),
    { numRuns: 300, seed: 7 },
  );
  expect(taken.size).toBeGreaterThan(transitions.length / 3);
});

test.each(machines)("every guard and action of a $name has a name", ({ machine }) => {
  const { states, transitions } = describeMachine(machine);
  const guards = transitions.flatMap(({ guard }) => guard ?? []);
  const actions = [
    ...transitions.flatMap((each) => each.actions),
    ...states.flatMap(({ entry, exit, initialActions }) => [...entry, ...exit, ...initialActions]),
  ];
  expect(guards.filter((guard) => guard.includes("inline"))).toEqual([]);
  expect(actions.filter((action) => !/^[a-z][A-Za-z]+$/.test(action) || action === "assign")).toEqual([]);
});

test.each(machines)("the ids of a $name's states and transitions are unique", ({ machine }) => {
  const { states, transitions } = describeMachine(machine);
  expect(new Set(states.map(({ id }) => id)).size).toBe(states.length);
  expect(new Set(transitions.map(({ id }) => id)).size).toBe(transitions.length);
});

test("an always transition of the member is described with its guard", () => {
  const { transitions } = describeMachine(memberMachine);
  expect(transitions.filter(({ event }) => event === null)).toMatchObject([
    { id: "member.run.live.choosing|always|0", guard: "needsPlan", targets: ["member.run.live.planning"] },
    { id: "member.run.live.choosing|always|1", guard: null, targets: ["member.run.live.thinking"] },
  ]);
});

test("a state is described with its place, its start, its tags and its prose", () => {
  const { states } = describeMachine(memberMachine);
  expect(states.find(({ id }) => id === "member.run.live")).toMatchObject({
    path: ["run", "live"],
    parent: "member.run",
    type: "compound",
    initial: ["member.run.live.choosing"],
    exit: ["cancelRequests"],
  });
  expect(states.find(({ id }) => id === "member.work.blocked")).toMatchObject({
    type: "atomic",
    tags: ["blocked"],
    description: "Waits for its upstreams. Mail is kept and does not unblock.",
  });
});

test("a named guard that is built from others says from which", () => {
  const { guards } = describeMachine(memberMachine);
  expect(guards).toContainEqual({ name: "takesFollowUp", means: "isPersistent and hasMail and isRunning" });
  expect(guards).toContainEqual({ name: "isIdle", means: "in presence.idle" });
  expect(guards).toContainEqual({ name: "hasMail", means: null });
});

const isOpen = () => true;
const user = createMachine({
  id: "door",
  initial: "a",
  states: {
    a: {
      after: { 100: "b" },
      on: {
        inline: { guard: ({ context }) => context !== null, actions: () => {}, target: "b" },
        named: { guard: isOpen, actions: [{ type: "ring", params: { times: 2 } }, assign({}), raise({ type: "go" })] },
        "door.*": "b",
      },
    },
    b: {
      type: "parallel",
      onDone: "c",
      invoke: { src: "watch" },
      states: {
        x: { type: "final", entry: "log" },
        y: { initial: "h", states: { h: { type: "history", history: "deep", target: "z" }, z: {} } },
      },
    },
    c: { type: "final" },
  },
});

test("a machine of somebody else's is described, unnamed functions as inline", () => {
  const { transitions } = describeMachine(user);
  expect(transitions.find(({ event }) => event === "inline")).toMatchObject({ guard: "inline", actions: ["inline"] });
  expect(transitions.find(({ event }) => event === "named")).toMatchObject({
    guard: "isOpen",
    actions: ['ring({"times":2})', "assign", "raise(go)"],
    targets: [],
  });
  expect(transitions.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["door.*", "xstate.after.100.door.a", "xstate.done.state.door.b"]),
  );
});

test("what a delay adds behind the scenes is not described", () => {
  const { states } = describeMachine(user);
  expect(states.find(({ id }) => id === "door.a")).toMatchObject({ entry: [], exit: [] });
});

test("invocations, history and final states are described", () => {
  const { states } = describeMachine(user);
  expect(states.find(({ id }) => id === "door.b")).toMatchObject({ type: "parallel", invokes: ["watch"], initial: [] });
  expect(states.find(({ id }) => id === "door.b.y.h")).toMatchObject({ type: "history", history: "deep" });
  expect(states.find(({ id }) => id === "door.c")).toMatchObject({ type: "final" });
});

test("a description is JSON", () => {
  const description = describeMachine(user);
  expect(JSON.parse(JSON.stringify(description))).toEqual(description);
});

test.each([
  [and(["p", "q", "r"]), "p and q and r"],
  [or(["p", and(["q", "r"])]), "p or (q and r)"],
  [and(["p", or(["q", "r"])]), "p and (q or r)"],
  [and(["p", and(["q", "r"])]), "p and q and r"],
  [not("p"), "not p"],
  [not(or(["p", "q"])), "not (p or q)"],
  [not(and(["p"])), "not p"],
  [and([]), "always"],
  [or([]), "never"],
  [stateIn({ a: { b: "c" } }), "in a.b.c"],
  [stateIn({ a: "b", c: "d" }), "in a.b+c.d"],
  [stateIn("#door.a"), "in #door.a"],
  [and([stateIn({ a: {} }), () => true]), "in a and inline"],
  [{ type: "isAbove", params: { min: 3 } }, 'isAbove({"min":3})'],
  [{ type: "isAbove", params: () => 3 }, "isAbove(inline)"],
  [{ type: "isAbove", params: 3n }, "isAbove(inline)"],
])("a guard is printed as a person reads it: $1", (guard, text) => {
  const machine = setup({}).createMachine({ on: { go: { guard: guard as never } } });
  expect(describeMachine(machine).transitions[0]?.guard).toBe(text);
});
