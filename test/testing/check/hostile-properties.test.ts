import { expect, test } from "vitest";
import {
  checkModel,
  checkPath,
  teamModel,
  type CheckOptions,
  type MemberView,
  type Properties,
  type SessionView,
} from "../../../src/testing/index.ts";

const pair = teamModel({ members: [{ name: "A" }, { name: "B" }] });

const refused = (what: string, problem: string) =>
  expect.objectContaining({ code: "bad_input", data: { what, problem: expect.stringContaining(problem) as string } });

test.each(["always", "onStep", "sometimes", "quiescent", "alwaysPossible"] as const)(
  "a property that answers later holds nothing, so it is refused: %s",
  (kind) => {
    const options: unknown = { [kind]: { "it holds": () => Promise.reject(new Error("nobody waits for it")) } };
    expect(() => checkModel(pair, options as CheckOptions)).toThrow(
      refused('the property "it holds"', "it answers later"),
    );
  },
);

test("a path refuses a property that answers later too", () => {
  const properties: unknown = { always: { "it holds": () => Promise.resolve(true) } };
  expect(() => checkPath(pair, [], properties as Properties)).toThrow(refused('the property "it holds"', "`async`"));
});

test("a property may throw whatever it likes", () => {
  const always = {
    "it holds": () => {
      throw Object.create(null);
    },
  };
  expect(checkModel(pair, { always }).violation?.problem).toBe("something that has no text");
});

test.each([
  ["a map", (): unknown => new Map(), "it is no JSON"],
  ["a date in a list", (): unknown => [new Date(0)], "it is no JSON"],
  ["a field that is undefined", (): unknown => ({ n: undefined }), "it is no JSON"],
  ["NaN", (): unknown => NaN, "NaN is no JSON"],
  ["a bigint", (): unknown => 1n, "a bigint is no JSON"],
  ["a promise", (): Promise<unknown> => Promise.resolve(1), "it answers later"],
  [
    "a circle",
    (): unknown => {
      const circle: unknown[] = [];
      circle.push(circle);
      return circle;
    },
    "it is no JSON",
  ],
] as const)("a ghost that cannot tell states apart is refused: %s", (_what, next, problem) => {
  const ghost: { initial: unknown; next: () => unknown } = { initial: 0, next };
  expect(() => checkModel(pair, { ghost })).toThrow(refused("options.ghost.next", problem));
  expect(() => checkModel(pair, { ghost: { initial: next(), next: () => 0 } })).toThrow(
    refused("options.ghost.initial", problem),
  );
});

test("a ghost that throws is refused, with its move and its reason", () => {
  const fault = new Error("out of paper");
  const ghost = {
    initial: 0,
    next: (): number => {
      throw fault;
    },
  };
  const error = expect.objectContaining({ cause: fault });
  expect(() => checkModel(pair, { ghost })).toThrow(error);
  expect(() => checkModel(pair, { ghost })).toThrow(refused("options.ghost.next", "out of paper"));
});

test("a ghost that changes what it was given is told, for other states remember the same object", () => {
  const ghost = {
    initial: { steps: 0 },
    next(past: { steps: number }) {
      past.steps++;
      return past;
    },
  };
  expect(() => checkModel(pair, { ghost })).toThrow(refused("options.ghost.next", "read only"));
  expect(ghost.initial).toEqual({ steps: 0 });
});

test.each([
  ["its actor", (step: { actor: string }) => step.actor === "A"],
  ["its move", (step: { move: string }) => step.move === "A delivers"],
  ["its sender", (step: { from: string }) => step.from === "A"],
  ["all it says", (step: object) => JSON.stringify(step).includes('"actor":"A"')],
])("a property of steps that asks whose step it is has symmetry off: %s", (_what, isOfA) => {
  const onStep: NonNullable<CheckOptions["onStep"]> = {
    "A is not the last one": (_before, step) => !(step.posts.includes("team.judged") && isOfA(step)),
  };
  const result = checkModel(pair, { onStep });
  expect(result.symmetry).toMatchObject({ isOn: false, why: 'the property "A is not the last one" names B' });
  expect(result.violation?.moves).toEqual(["B delivers", "A delivers"]);
});

test("a ghost that remembers whose step it was has symmetry off", () => {
  const ghost = {
    initial: "",
    next: (last: string, _before: unknown, step: { actor: string; posts: readonly string[] }) =>
      step.posts.includes("team.judged") ? step.actor : last,
  };
  const always = { "A is not the last one": (_state: unknown, last: string) => last !== "A" };
  const result = checkModel(pair, { ghost, always });
  expect(result.symmetry.isOn).toBe(false);
  expect(result.violation?.moves).toEqual(["B delivers", "A delivers"]);
});

test("a recipient that an event names is a name too", () => {
  const onStep: NonNullable<CheckOptions["onStep"]> = {
    "nobody who has delivered hears of B": (before, { event }) =>
      event.type !== "message.send" || event.to !== "B" || before.members.every((each) => !each.is("completed")),
  };
  const budgets = { message: 1 };
  const [on, off] = [true, false].map((symmetry) => checkModel(pair, { onStep, budgets, symmetry }));
  expect(on?.violation?.moves).toEqual(off?.violation?.moves);
  expect(on?.symmetry.isOn).toBe(false);
});

test("a member that is named on the very last steps of a search switches symmetry off like any other", () => {
  let asked = 0;
  const named = (count: number): NonNullable<CheckOptions["onStep"]> => ({
    "B is never last": (_before, { posts }, after) =>
      ++asked < count || !posts.includes("team.judged") || after.member("B").is("completed") || true,
  });
  const { transitions } = checkModel(pair, { onStep: named(Infinity) });
  const first = asked;
  expect(first).toBeGreaterThan(0);
  asked = 0;
  const { symmetry } = checkModel(pair, {
    onStep: { "it names at the end": (_before, _step, after) => ++asked < first || after.member("B").attempt >= 0 },
  });
  // Each step is shown in both orders of two members.
  expect(2 * transitions).toBe(first);
  expect(symmetry.isOn).toBe(false);
});

test.each([
  ["a number", (): unknown => 0, "it answered 0"],
  ["null", (): unknown => null, "it answered null"],
  ["a text", (): unknown => "no", 'it answered "no"'],
  [
    "a generator",
    function* (): Generator {
      yield false;
    },
    "it is a generator",
  ],
] as const)("a property that answers neither yes nor no is refused, or it would hold: %s", (_what, holds, problem) => {
  for (const kind of ["always", "onStep", "sometimes", "quiescent", "alwaysPossible"] as const) {
    const options: unknown = { [kind]: { "it holds": holds } };
    expect(() => checkModel(pair, options as CheckOptions), kind).toThrow(refused('the property "it holds"', problem));
  }
});

test("what an assertion gives back is no answer, and holds", () => {
  const always: unknown = { "there are two": ({ members }: SessionView) => ({ assertion: members.length === 2 }) };
  expect(checkModel(pair, { always } as CheckOptions).verdict).toBe("holds");
});

const isSplit = (members: readonly MemberView[]): boolean =>
  members[0]?.is("failed") === true && members[1]?.is("completed") === true;

test.each<[string, Properties<string[]>]>([
  ["of the members", { always: { "never so": ({ members }) => !isSplit(members) } }],
  ["at rest", { quiescent: { "never so": ({ members }) => !isSplit(members) } }],
  ["of upstreams", { always: { "never so": ({ members }) => !members.some(({ upstreams }) => isSplit(upstreams)) } }],
  ["on a step", { onStep: { "never so": (_before, _step, after) => !isSplit(after.members) } }],
  ["sometimes", { sometimes: { "never so": ({ members }) => isSplit(members) } }],
  [
    "remembered",
    {
      ghost: { initial: [], next: (_past, _before, _step, after) => after.members.map(({ work }) => work) },
      always: { "never so": (_state, [first, second]) => first !== "failed" || second !== "completed" },
    },
  ],
])("a property that asks for the order of members has symmetry off: %s", (_what, properties) => {
  const fanIn = teamModel({ members: [{ name: "A" }, { name: "B" }, { name: "C", dependsOn: ["A", "B"] }] });
  const budgets = { outcomes: 1 };
  const [on, off] = [true, false].map((symmetry) => checkModel(fanIn, { ...properties, budgets, symmetry }));
  expect([on?.verdict, on?.violation?.moves]).toEqual([off?.verdict, off?.violation?.moves]);
  expect(on?.symmetry).toMatchObject({ isOn: false, why: expect.stringContaining("asks for the order of members") });
});

test("a property that takes all members alike leaves symmetry on, however many there are", () => {
  const five = teamModel({ members: ["A", "B", "C", "D", "E"].map((name) => ({ name })) });
  const always: CheckOptions["always"] = {
    "not all are at work and done": ({ members }) => members.some((one) => !one.is("completed") || !one.is("running")),
  };
  const result = checkModel(five, { always, limits: { statesMax: 200 } });
  expect([result.symmetry.isOn, result.violation]).toEqual([true, null]);
});

test.each<[string, (step: Record<string, unknown>, state: Record<string, unknown>) => void]>([
  ["the state", (_step, state) => void (state["isClosed"] = true)],
  ["the step", (step) => void (step["verdict"] = "stale")],
  ["its posts", (step) => void (step["posts"] as string[]).push("mine")],
  ["its event", (step) => void Object.assign(step["event"] as object, { type: "mine" })],
])("a property that changes what it is shown says no, and changes nothing: %s", (_what, change) => {
  const onStep: unknown = { "only looks": (_before: unknown, step: never, after: never) => change(step, after) };
  expect(checkModel(pair, { onStep } as CheckOptions).violation?.kind).toBe("onStep");
});

test("whether a request to shut down was read tells no states apart, so no property is shown it", () => {
  const unread: number[] = [];
  const always: CheckOptions["always"] = {
    "it is counted": ({ members, mail }) =>
      void (members.some((one) => one.is("draining")) && unread.push(mail.unread)),
  };
  checkModel(teamModel({ members: [{ name: "A" }] }), { always, budgets: { replan: 1, message: 1 } });
  expect(new Set(unread)).toEqual(new Set([0, 1]));
});

test.each<[string, CheckOptions, string]>([
  ["a member", { always: { p: ({ members }) => !members[0]?.is("faild" as never) } }, 'did you mean "failed"?'],
  ["a team", { quiescent: { p: ({ team }) => !team.is("stuck" as never) } }, "a team is never"],
  ["a lead", { sometimes: { p: ({ lead }) => lead.is("thinkin" as never) } }, 'did you mean "thinking"?'],
])(
  "a state that nobody can be in is refused, since it would be answered no for ever: of %s",
  (_whose, given, problem) => {
    expect(() => checkModel(pair, given)).toThrow(
      expect.objectContaining({
        code: "bad_input",
        data: { what: 'the property "p"', problem: expect.stringContaining(problem) as string },
      }),
    );
  },
);

/** There is no such thing when it is asked for. */
declare const notDefinedAnywhere: number;

test("a name that is not defined says nothing of the team: the check is refused, not violated", () => {
  // As a property that was pasted without what stood around it.
  const always = { p: () => notDefinedAnywhere > 1 };
  expect(() => checkModel(pair, { always })).toThrow(
    expect.objectContaining({
      code: "bad_input",
      message: expect.stringContaining("notDefinedAnywhere is not defined") as string,
    }),
  );
});
