import { createMachine, enqueueActions } from "xstate";
import { expect, test } from "vitest";
import { checkModel, teamModel, type TeamModelOptions } from "../../../src/testing/index.ts";

const members = [{ name: "A" }];

/** Options as no type would let them pass. */
const model = (options: unknown) => teamModel(options as TeamModelOptions);

const refused = (what: string, problem: string) =>
  expect.objectContaining({ code: "bad_input", data: { what, problem: expect.stringContaining(problem) as string } });

test.each([
  [null, "model", "not null"],
  [{}, "model.members", "not undefined"],
  [{ members: "A" }, "model.members", 'not "A"'],
  [{ members: [null] }, "model.members.0", "not null"],
  [{ members: [{ name: 3 }] }, "model.members[0].name", "expected string"],
  [{ members: [{ name: "A", dependOn: [] }] }, "model.members.0.dependOn", "did you mean dependsOn?"],
  [{ members, lifetime: "persistent" }, "model.lifetime", "did you mean lifetimes?"],
  [{ members, lifetimes: "forever" }, "model.members[0].lifetime", "oneshot"],
  [{ members, lead: "hosted " }, "model.lead", 'not "hosted "'],
  [{ members, comms: "none" }, "model.comms", "dag"],
  [{ members, upstreamFailure: "wait" }, "model.upstreamFailure", "skip"],
  [{ members, limits: { turns: 1 } }, "model.limits", "turns"],
  [{ members, limits: { turnsMax: 0 } }, "model.limits.turnsMax", ">=1"],
  [{ members, callsMax: NaN }, "model.callsMax", "not NaN"],
  [{ members, journals: 1 }, "model.journals", "not 1"],
  [{ members, replans: {} }, "model.replans", "not an object"],
  [{ members, world: [] }, "model.world", "not a list"],
  [{ members, kernel: {} }, "model.kernel", "createKernel"],
  [{ members, protocol: 3 }, "protocol", "not 3"],
  [{ members, protocol: {} }, "protocol.machine", "createMachine"],
  [{ members, protocol: { machine: createMachine({ id: "p" }) } }, "protocol.on", "not undefined"],
  [
    { members, protocol: { machine: createMachine({ id: "p" }), on: () => [], move: () => [] } },
    "protocol.move",
    "moves",
  ],
  [
    { members, protocol: { machine: createMachine({ id: "p" }), on: () => [], moves: [] } },
    "protocol.moves",
    "not a list",
  ],
])("options that no model can be made of are refused: %j", (options, what, problem) => {
  expect(() => model(options)).toThrow(refused(what, problem));
});

test("members as a team file has them are taken, with what steers nothing", () => {
  const spec = { name: "A", description: "writes", prompt: "write", agentType: "writer" };
  expect(checkModel(teamModel({ members: [spec] })).verdict).toBe("holds");
});

const send = { type: "message.send", to: "A", kind: "text", bytes: 1 };
const replan = { type: "team.replan", plan: "plan", byModel: false };
const wordOf = (event: object) => ({ name: "x", budget: null, input: { actor: "session", from: "user", event } });

test.each([
  [null, "", "it gave null"],
  [{}, "", "it gave an object"],
  [Promise.resolve([]), "", "a promise"],
  [[null], ".0", "not null"],
  [[{}], ".0.name", "not undefined"],
  [[{ ...wordOf(send), budget: 1 }], ".0.budget", "leave it out"],
  [[{ ...wordOf(send), budget: "mesage" }], ".0.budget", 'not "mesage"'],
  [[{ name: "x", budget: null }], ".0", "`input`"],
  [[wordOf({ type: "message.sent" })], ".0.input.event.type", "Invalid"],
  [[wordOf({ ...send, bytes: -1 })], ".0.input.event.bytes", ">=0"],
  [[wordOf(replan)], ".0.input.plan", "expected object"],
  [[{ ...wordOf(send), input: { ...wordOf(send).input, plan: {} } }], ".0.input.plan", "no plan"],
] as const)("moves of one's own that could never be made are refused: %j", (moves, place, problem) => {
  const world: unknown = () => moves;
  const own = model({ members, world });
  expect(() => checkModel(own)).toThrow(refused(`model.world${place}`, problem));
  const protocol = { machine: createMachine({ id: "p" }), on: () => [], moves: world };
  expect(() => checkModel(model({ members, protocol }))).toThrow(refused(`protocol.moves${place}`, problem));
});

test("a plan of a move of one's own may leave out what it does not change", () => {
  const cancel = { ...wordOf(replan), input: { ...wordOf(replan).input, plan: { cancel: ["A"] } } };
  const own = model({ members, world: () => [{ ...cancel, budget: "replan" }] });
  const sometimes = {
    "A is gone": ({ members: [a] }: { members: readonly { work: string }[] }) => a?.work === "cancelled",
  };
  expect(checkModel(own, { budgets: { replan: 1 }, sometimes }).verdict).toBe("holds");
});

test("a world that throws is refused with its reason", () => {
  const world = () => {
    throw new Error("out of moves");
  };
  expect(() => checkModel(teamModel({ members, world }))).toThrow(refused("model.world", "out of moves"));
});

const machine = createMachine({ id: "p", initial: "a", states: { a: { on: { go: "b" } }, b: {} } });

test.each([
  [null, "", "it gave null"],
  ["go", "", 'it gave "go"'],
  [{ type: "go" }, "", "it gave an object"],
  [Promise.resolve([{ type: "go" }]), "", "a promise"],
  [["go"], "[0]", "an object with a `type`"],
  [[{ type: "*" }], "[0]", "a wildcard"],
] as const)("a protocol that hears no events is refused: %j", (heard, place, problem) => {
  const protocol = { machine, on: () => heard };
  expect(() => model({ members, protocol })).toThrow(refused(`protocol.on(team.create)${place}`, problem));
});

const waits = enqueueActions(({ enqueue }) => enqueue.raise({ type: "go" }, { delay: 10 }));

test.each([
  ["a map", createMachine({ id: "p", context: { seen: new Map() } }), 'no JSON in "seen"'],
  [
    "a start without an end",
    createMachine({ id: "p", initial: "a", states: { a: { always: "b" }, b: { always: "a" } } }),
    "Infinite loop",
  ],
  ["a timer among enqueued actions", createMachine({ id: "p", entry: waits }), "after a delay"],
])("a machine that cannot start as a protocol is refused: %s", (_what, impure, problem) => {
  expect(() => model({ members, protocol: { machine: impure, on: () => [] } })).toThrow(
    refused("protocol.machine", problem),
  );
});

test("a timer among actions that are enqueued later is a violation, with its path", () => {
  const later = createMachine({ id: "p", initial: "a", states: { a: { on: { go: "b" } }, b: { entry: waits } } });
  const on = ({ status }: { status?: string }) => (status === "completed" ? [{ type: "go" }] : []);
  const { violation } = checkModel(model({ members, protocol: { machine: later, on } }));
  expect(violation).toMatchObject({ property: "p never throws", moves: ["A delivers"] });
  expect(violation?.problem).toContain("after a delay");
});

test("a move of one's own without a budget is the ordinary course of things: it is made without being paid for", () => {
  const abort = { type: "team.dissolve", mode: "abort" } as const;
  const world = () => [{ name: "the host gives up", input: { actor: "session", from: "user", event: abort } }];
  const sometimes = { gone: ({ team }: { team: { state: string } }) => team.state === "dissolved" };
  expect(checkModel(teamModel({ members, world }), { sometimes }).verdict).toBe("holds");
});
