import { expect, test } from "vitest";
import { assign, setup } from "xstate";
import {
  checkModel,
  checkPath,
  hostCommands,
  mergeCoverage,
  teamModel,
  type Protocol,
} from "../../../src/testing/index.ts";
import type { EventLine } from "../../../src/index.ts";

const members = [{ name: "Writer" }];

/** Published as soon as the Writer has delivered; the host may take it back once. */
const publication = setup({
  types: {
    context: {} as { published: number },
    events: {} as { type: "written" } | { type: "withdraw"; by: string } | { type: "refused" },
  },
  actions: { publish: assign({ published: ({ context }) => context.published + 1 }), tell: () => {} },
}).createMachine({
  id: "publication",
  context: { published: 0 },
  initial: "drafting",
  states: {
    drafting: { on: { written: { target: "published", actions: ["publish", "tell"] } } },
    published: { on: { withdraw: "withdrawn" } },
    withdrawn: { on: { refused: "drafting" } },
  },
});

type Publication = Protocol<typeof publication>;

const hear = (line: EventLine) =>
  line.actor === "Writer" && line.status === "completed" && line.verdict === "handled"
    ? [{ type: "written" } as const]
    : [];

/** The model of one Writer and a host with these moves. */
const withMoves = (moves: NonNullable<Publication["moves"]>, on: Publication["on"] = hear) => {
  const protocol: Publication = { machine: publication, on, moves };
  return teamModel({ members, protocol });
};

const published = () => teamModel({ members, protocol: { machine: publication, on: hear } });

test("a protocol hears the lines of events$, and properties read its snapshot", () => {
  const result = checkModel(published(), {
    always: { "published once": ({ protocol }) => protocol.context.published <= 1 },
    sometimes: { published: ({ protocol }) => protocol.matches("published") },
    onStep: {
      "published by the Writer alone": (before, step, after) =>
        before.protocol.value === after.protocol.value || step.actor === "Writer",
    },
  });
  expect(result.violation?.toString() ?? null).toBeNull();
  expect(result).toMatchObject({ verdict: "holds", sometimes: [{ reached: true }] });
});

test("the protocol's steps are lines of the trace, and its state ends it", () => {
  const { violation } = checkModel(published(), {
    always: { "never published": (s) => !s.protocol.matches("published") },
  });
  expect(violation?.toString().split("\n")).toEqual([
    "violated: never published",
    "  it does not hold",
    "1. Writer delivers  [Writer -> Writer: run.completed => completed]",
    "     Team -> Team: team.judged",
    "     Writer -> Lead: notice.team_finished",
    "     publication: drafting -> published  [written]",
    'then: Team finished; Writer completed/shutdown; publication published {"published":1}',
  ]);
});

test("symmetry is off beside a protocol, and the result says so", () => {
  const model = teamModel({ members: [{ name: "A" }, { name: "B" }], protocol: { machine: publication, on: hear } });
  expect(checkModel(model).symmetry).toMatchObject({ isOn: false, why: "the model has a protocol of your own" });
});

test("states that differ in the protocol alone are different states", () => {
  const model = withMoves((protocol) =>
    protocol.matches("published")
      ? [{ name: "a reader complains", budget: "message", event: { type: "withdraw", by: "a|b" } }]
      : [],
  );
  const sometimes = { withdrawn: (s: { protocol: { value: unknown } }) => s.protocol.value === "withdrawn" };
  const without = checkModel(model);
  const result = checkModel(model, { sometimes, budgets: { message: 1 }, guarantees: false });
  expect(result.verdict).toBe("holds");
  expect(result.states).toBeGreaterThan(without.states);
  expect(checkModel(model, { sometimes }).verdict).toBe("violated");
});

test("the host's commands are moves of the session, and what is refused is heard too", () => {
  const model = withMoves(
    (protocol) =>
      protocol.matches("published")
        ? [
            { name: "the host takes it back", budget: null, event: { type: "withdraw", by: "host" } },
            {
              name: "the host says so",
              budget: null,
              input: hostCommands.sendMessage({ to: "Writer", content: "x" }),
            },
            { name: "the host ends the team", budget: "dissolve", input: hostCommands.dissolve({ mode: "abort" }) },
          ]
        : protocol.matches("withdrawn")
          ? [{ name: "the host retries", budget: null, input: hostCommands.replan({ retry: [{ name: "Writer" }] }) }]
          : [],
    (line) => (line.verdict === "refused" ? [{ type: "refused" } as const] : hear(line)),
  );
  const path = ["Writer delivers", "the host takes it back", "the host retries"];
  // Who was a oneshot and has delivered is not tried again.
  const { violation } = checkPath(model, path, {
    always: { never: (s) => s.protocol.value !== "drafting" || s.team.is("running") },
  });
  expect(violation?.toString()).toContain("publication: withdrawn -> drafting  [refused]");
  const { verdict } = checkModel(model, {
    budgets: { dissolve: 1 },
    sometimes: { ended: ({ team, protocol }) => team.is("dissolved") && protocol.matches("published") },
  });
  expect(verdict).toBe("holds");
});

test("a state in which the protocol's host has something to do is not quiescent", () => {
  const model = (budget: "message" | null) =>
    withMoves((protocol) =>
      protocol.matches("published") ? [{ name: "back", budget, event: { type: "withdraw", by: "host" } }] : [],
    );
  const quiescent = {
    "not published": ({ protocol }: { protocol: { value: unknown } }) => protocol.value !== "published",
  };
  expect(checkModel(model(null), { quiescent }).verdict).toBe("holds");
  expect(checkModel(model("message"), { quiescent }).violation).toMatchObject({
    kind: "quiescent",
    moves: ["Writer delivers"],
  });
});

test("a ghost and onStep see a move of the protocol alone as a step without an event", () => {
  const model = withMoves((protocol) =>
    protocol.matches("published") ? [{ name: "back", budget: null, event: { type: "withdraw", by: "host" } }] : [],
  );
  const { violation } = checkModel(model, {
    ghost: { initial: 0, next: (moves: number, _before, step) => moves + Number(step.event === null) },
    always: { "no move of its own": (_state, moves) => moves === 0 },
  });
  expect(violation?.moves).toEqual(["Writer delivers", "back"]);
  expect(violation?.toString()).toContain("2. back\n     publication: published -> withdrawn  [withdraw]");
});

test("coverage counts the protocol's transitions and states, alone and merged", () => {
  const { coverage } = checkModel(published());
  expect(coverage.taken).toContain("publication.drafting|written|0");
  expect(coverage.reached).toContain("publication.published");
  expect(coverage.unreached).toContain("publication.withdrawn");
  const ofProtocol = ({ uncovered }: typeof coverage) =>
    uncovered.flatMap(({ id }) => (id.startsWith("publication") ? id : []));
  expect(ofProtocol(coverage)).toEqual(["publication.published|withdraw|0", "publication.withdrawn|refused|0"]);
  expect(ofProtocol(mergeCoverage([coverage, checkModel(teamModel({ members })).coverage]))).toEqual(
    ofProtocol(coverage),
  );
});

test("walks step the protocol too", () => {
  const { violation } = checkModel(published(), {
    strategy: "walk",
    walks: 20,
    always: { "never published": (s) => !s.protocol.matches("published") },
  });
  expect(violation?.toString()).toContain("publication: drafting -> published  [written]");
});

test("the test of a counterexample asks for the protocol, and its recording is one of the session", () => {
  const { violation } = checkModel(published(), {
    always: { "never published": (s) => !s.protocol.matches("published") },
  });
  expect(violation?.toTest()).toContain('teamModel({ ...{"members":[{"name":"Writer"}]}, protocol })');
  expect(violation?.toTest()).toContain("// `protocol` is yours: import it.");
  expect(violation?.toRecording().length).toBeGreaterThan(4);
});

const throwing = (where: "guard" | "assign" | "always") =>
  setup({ types: { context: {} as { n: number }, events: {} as { type: "written" } } }).createMachine({
    id: "publication",
    context: { n: 0 },
    initial: "drafting",
    states: {
      drafting: {
        on: {
          written: {
            target: "published",
            guard: () => {
              if (where === "guard") throw new Error("no pen");
              return true;
            },
            actions: assign(() => {
              if (where === "assign") throw new Error("no paper");
              return { n: 1 };
            }),
          },
        },
      },
      published: where === "always" ? { always: "again" } : {},
      again: { always: "published" },
    },
  });

test.each([
  ["guard", /publication threw in drafting on written: [^]*no pen/],
  ["assign", /publication threw in drafting on written: .*no paper/],
  ["always", /publication threw in drafting on written: .*nfinite loop/],
] as const)("a machine that throws (%s) is a violation with a trace", (where, problem) => {
  const { violation } = checkModel(teamModel({ members, protocol: { machine: throwing(where), on: hear } }));
  expect(violation).toMatchObject({
    property: "publication never throws",
    kind: "protocol",
    moves: ["Writer delivers"],
  });
  expect(violation?.problem).toMatch(problem);
  expect(violation?.toString()).toContain("1. Writer delivers");
  expect(violation?.toTest()).toContain("checkPath(model, moves, { guarantees: false })");
});

test("what `on` or `moves` throws is a violation with a trace too", () => {
  const broken = () => {
    throw new Error("out of luck");
  };
  const breaks = (line: EventLine) => (line.event.type === "run.completed" ? broken() : []);
  const on = checkModel(teamModel({ members, protocol: { machine: publication, on: breaks } })).violation;
  expect(on?.problem).toBe("`on` of publication threw on run.completed: out of luck");
  expect(on?.moves).toEqual(["Writer delivers"]);
  const moves = checkModel(
    teamModel({ members, protocol: { machine: publication, on: hear, moves: broken } }),
  ).violation;
  expect(moves?.problem).toBe("`moves` of publication threw: out of luck");
  expect(moves?.moves).toEqual(["publication is asked for its moves"]);
});

test("a protocol hears its team's creation, and one that throws there makes no model", () => {
  const heard = new Set<string>();
  const listen = ({ actor, event }: EventLine) => (heard.add(`${actor} ${event.type}`), []);
  teamModel({ members, protocol: { machine: publication, on: listen } });
  expect([...heard]).toEqual([
    "session team.create",
    "Team team.accepted",
    "Lead team.activated",
    "Writer member.start",
  ]);
  const broken = () => {
    throw new Error("out of luck");
  };
  expect(() => teamModel({ members, protocol: { machine: publication, on: broken } })).toThrow(
    expect.objectContaining({
      code: "bad_input",
      message: expect.stringContaining("threw on team.create: out of luck"),
    }),
  );
});

test("two moves of one name are refused", () => {
  const move = { name: "Writer delivers", budget: null, event: { type: "withdraw", by: "host" } } as const;
  const model = teamModel({ members, protocol: { machine: publication, on: hear, moves: () => [move] } });
  expect(() => checkModel(model)).toThrow(/two moves are called "Writer delivers"/);
});

test("the recording of a path that ends in the protocol says what came after its last input", () => {
  const model = withMoves((protocol) =>
    protocol.matches("published")
      ? [{ name: "the reader complains", budget: null, event: { type: "withdraw", by: "reader" } }]
      : [],
  );
  const { violation } = checkModel(model, { always: { "never withdrawn": (s) => s.protocol.value !== "withdrawn" } });
  expect(violation?.moves.at(-1)).toBe("the reader complains");
  expect(JSON.parse(violation?.toRecording()[0] ?? "")).toMatchObject({
    violation: { problem: "it does not hold (after the last input here, by: the reader complains)" },
  });
});
