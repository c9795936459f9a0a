import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cloneSession, createKernel, membersInOrder, type KernelRecord } from "../../../src/machines/index.ts";
import { Input, type InputEvent } from "../../../src/protocol/input.ts";
import { ReplanSpec, TeamSpec, type LeadKind } from "../../../src/protocol/index.ts";
import { Judge } from "../../../src/testing/check/judge.ts";
import { worldMoves } from "../../../src/testing/check/world-moves.ts";
import { teamModel, type Budget, type Move } from "../../../src/testing/index.ts";
import { Driver, type Given } from "../driver.ts";

/**
 * Random teams under random inputs, sensible and nonsensical: after every one, all properties hold. fast-check prints the
 * seed and the shortest inputs of a failure.
 */

const kernel = createKernel();
// Of the model only the kernel counts: the sessions are driven by hand.
const model = teamModel({ members: [{ name: "A" }], kernel });
const byHand = {
  name: "",
  budget: null,
  input: { actor: "", from: "", event: { type: "poll.ended", call: "" } },
} as const;
/** A step that is made by hand, for a judge. */
const asTaken = { protocolSteps: [], fault: null, move: byHand, ghost: null };
const names = ["A", "B", "C", "D", "E", "F"];
/** Texts that a hostile or confused sender may put anywhere. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...names) },
  fc.constantFrom("", "Lead", "lead", "all", "*", "user", "system", "session", "team-1", "A-t1", "B-t1", "A-t2"),
  fc.constantFrom("__proto__", "constructor", "\0", "---", "\u202e", "x".repeat(300), "<teammate-message>", "%00"),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const count = fc.oneof(fc.nat(4), fc.constantFrom(0, 1, 99, Number.MAX_SAFE_INTEGER));
const verdict = fc.constantFrom("ok", "error", "refused", "interrupted");

const run = <T extends string>(type: T, more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ type: fc.constant(type), run: count, k: count, ...more });
const event = <T extends string>(type: T, more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ type: fc.constant(type), ...more });

/** Any input event at all; fields are as random as their schema allows. */
const anyEvent = fc.oneof(
  event("session.closed"),
  event("owner.claimed", { epoch: count, node: text }),
  event("owner.released", { epoch: count }),
  event("timer.due", { key: text.map((each) => `permission:${each}`), generation: count, epoch: count }),
  fc.record({ type: fc.constant("run.lost"), run: count, reason: text }),
  run("run.adopted", { epoch: count }),
  run("run.injected", { mail: fc.array(text, { maxLength: 3 }) }),
  run("run.erred", { reason: text, retryInMs: fc.nat() }),
  run("run.retried"),
  run("tool.started", { call: text, tool: text }),
  run("tool.ended", { call: text, verdict }),
  run("step.ended"),
  run("turn.ended", { finish: text }),
  run("run.completed"),
  run("run.failed", { reason: text }),
  run("external.asked", { call: text, tool: text }),
  event("external.answer", { call: text, verdict: fc.constantFrom("ok", "error") }),
  run("shutdown.replied", { accept: fc.boolean(), reason: text }),
  event("team.create", { plan: text, byModel: fc.boolean() }),
  event("team.replan", { plan: text, byModel: fc.boolean() }),
  event("team.dissolve", { mode: fc.constantFrom("graceful", "abort") }),
  event("message.send", { to: text, kind: fc.constantFrom("text", "instruction"), bytes: count }),
  event("team.status", { since: count }),
  event("poll.ended", { call: text }),
  event("task.add", { plan: text }),
  event("task.claim", { task: count, owner: text }),
  event("task.claim"),
  event("task.update", { plan: text }),
  event("work.complete"),
  event("plan.submit"),
  event("plan.answer", { member: text, approve: fc.boolean() }),
  event("permission.ask", {
    kind: fc.constantFrom("tool", "network", "mode"),
    tool: text,
    subject: text,
    approver: fc.constantFrom("user", "lead"),
  }),
  event("permission.answer", { request: text, approve: fc.boolean() }),
  event("question.ask"),
  event("question.answer", { call: text }),
  event("lead.prompt", { bytes: count }),
  event("lead.injected", { mail: fc.array(text, { maxLength: 3 }) }),
) as fc.Arbitrary<InputEvent>;

const nonsense = fc.record({
  event: anyEvent,
  actor: text,
  from: text,
  /** How much of the input is put right: who speaks, which run and number, which command. */
  repairs: fc.nat(15),
  pick: fc.nat(),
});

const members = fc.record({ name: text, dependsOn: fc.array(text, { maxLength: 2 }), prompt: text });
const replans = fc.record({
  cancel: fc.array(text, { maxLength: 2 }),
  retry: fc.array(fc.record({ name: text }), { maxLength: 2 }),
  shutdown: fc.array(text, { maxLength: 1 }),
  rewire: fc.array(fc.record({ name: text, dependsOn: fc.array(text, { maxLength: 2 }) }), { maxLength: 1 }),
  add: fc.array(fc.record({ name: text, prompt: text, replaces: text }, { requiredKeys: ["name", "prompt"] }), {
    maxLength: 2,
  }),
  revision: fc.option(count, { nil: undefined }),
});

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("move" as const), pick: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("nonsense" as const), what: nonsense }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("replan" as const), spec: replans }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("create" as const), spec: fc.array(members, { maxLength: 3 }) }),
    },
  ),
  { minLength: 20, maxLength: 120, size: "max" },
);

const boards = fc.option(
  fc.record({
    board: fc.record({ selfClaim: fc.boolean(), onOwnerGone: fc.constantFrom("release" as const, "fail" as const) }),
    tasks: fc.array(
      fc.record({ edges: fc.array(fc.nat(5), { maxLength: 2 }), priority: fc.nat(2), assignee: fc.nat(11) }),
      { maxLength: 4 },
    ),
  }),
  { nil: undefined },
);

const teams = fc.record({
  board: boards,
  lead: fc.constantFrom<LeadKind>("hosted", "own", "none"),
  upstreamFailure: fc.constantFrom("block" as const, "cancel" as const, "skip" as const),
  comms: fc.constantFrom("all" as const, "dag" as const, "lead" as const),
  members: fc
    .array(
      fc.record({ persistent: fc.boolean(), requirePlan: fc.boolean(), edges: fc.array(fc.nat(5), { maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((all) =>
      all.map(({ persistent, requirePlan, edges }, index) => ({
        name: names[index]!,
        prompt: "p",
        lifetime: persistent ? ("persistent" as const) : ("oneshot" as const),
        requirePlan,
        // Upstreams are declared earlier, so the graph has no cycle.
        dependsOn: index === 0 ? [] : edges.map((edge) => names[edge % index]!),
      })),
    ),
});

/** The nonsense with some of it put right, so that it gets further than the gate. */
function repaired(
  driver: Driver,
  { event: given, actor, from, repairs, pick }: typeof nonsense extends fc.Arbitrary<infer T> ? T : never,
): Given {
  const { session } = driver;
  // A session that was closed has no more to show: only an input that happens to be right closes it.
  if (given.type === "session.closed") return { actor, from, event: given };
  const all = membersInOrder(session);
  const member = all.length === 0 ? undefined : all[pick % all.length];
  const owner = pick % 7 === 0 || member === undefined ? { token: "lead", ...session.lead } : member;
  const { run: n } = owner.snapshot.context;
  const isRun = "run" in given && "k" in given;
  const [open] = owner.run.calls;
  const right = { ...given } as { run?: number; k?: number; call?: string };
  if ((repairs & 1) !== 0 && isRun) Object.assign(right, { run: n, k: owner.run.k + 1 });
  if ((repairs & 2) !== 0 && "call" in right && open !== undefined) right.call = open;
  const speaker =
    (repairs & 4) !== 0 ? (isRun ? owner.token : ["user", "lead", "system", owner.token][pick % 4]!) : from;
  const byCall = (repairs & 8) !== 0 && speaker === owner.token && !isRun;
  const command = byCall ? { command: { call: open ?? "call", run: n } } : {};
  // A right is a copy of the event with its own fields replaced.
  return { actor: (repairs & 4) !== 0 ? owner.token : actor, from: speaker, event: right as InputEvent, ...command };
}

const callsOf = ({ session }: Driver, token: string): readonly string[] =>
  (token === "lead" ? session.lead : session.members.get(token))?.run.calls ?? [];

describe("random sessions", () => {
  test("G1-G10 hold after every input of any session, and no input is a kernel_error", { timeout: 120_000 }, () => {
    const verdicts = new Map<string, number>();
    fc.assert(
      fc.property(teams, steps, (team, all) => {
        const limits = {
          unreadMessagesMax: 6,
          unreadBytesMax: 400,
          messageBytesMax: 100,
          hopsMax: 4,
          turnsMax: 5,
          idleMs: 10,
        };
        const driver = new Driver({ kernel, lead: team.lead, limits });
        const { facts } = kernel.steppers;
        const judge = new Judge(model, {});
        const take = (given: Given, isSense = true) => {
          // A run that waits outside for what it never called is no session: nobody could answer it.
          if (given.event.type === "external.asked" && !callsOf(driver, given.actor).includes(given.event.call)) return;
          const before = cloneSession(driver.session);
          const seq = before.seq + 1;
          const { plan, epoch = before.epoch, ...rest } = given;
          const record: KernelRecord = {
            seq,
            input: { id: `i${seq}`, at: 1_000, epoch, ...rest },
            ...(plan && { plan }),
          };
          // What the bus lets through has the shape of the schema.
          if (!Input.safeParse(record.input).success) return;
          const applied = kernel.apply(driver.session, record);
          const key = `${record.input.event.type} ${applied.verdict}`;
          verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
          const taken = { ...asTaken, before, after: driver.session, record, applied };
          const problem = judge.step(taken);
          // Nobody need have an ear for nonsense.
          const isMeant = isSense || problem?.text.includes("has no ear for") !== true;
          expect((isMeant ? problem : null) ?? judge.state(driver.session, null)).toBeNull();
        };
        const { members: declared, upstreamFailure, comms, board } = team;
        const tasks = board?.tasks.map(({ edges, priority, assignee }, index) => ({
          subject: `task ${index + 1}`,
          priority,
          // Dependencies are declared earlier, so the tasks have no cycle.
          dependsOn: index === 0 ? [] : edges.map((edge) => 1 + (edge % index)),
          ...(assignee < declared.length && { assignee: declared[assignee]!.name }),
        }));
        const onBoard = board === undefined ? {} : { board: board.board, tasks };
        const plan = TeamSpec.parse({ name: "T", members: declared, upstreamFailure, comms, ...onBoard });
        const create = { type: "team.create", plan: "d", byModel: false } as const;
        take({ actor: "session", from: "user", event: create, plan });
        for (const step of all) {
          if (step.kind === "nonsense") take(repaired(driver, step.what), false);
          else if (step.kind === "replan") {
            const spec = ReplanSpec.parse(JSON.parse(JSON.stringify(step.spec)));
            take({
              actor: "team-1",
              from: "user",
              event: { type: "team.replan", plan: "d", byModel: false },
              plan: spec,
            });
          } else if (step.kind === "create") {
            const spec = TeamSpec.parse({ name: "T", members: step.spec });
            take({ actor: "session", from: "user", event: create, plan: spec });
          } else {
            // Three times of four the ordinary course of things, or every team would be replanned to death.
            const course = step.pick % 4 !== 0;
            const world = {
              session: driver.session,
              facts,
              callsMax: 2,
              journals: true,
              replans: [],
              invitable: ["G"],
              hooks: true,
            };
            const wants = (budget: Budget) => !course || budget === "permission" || budget === "timer";
            // A session that was closed has no more to show.
            const isOpen = ({ input }: Move) => input.event.type !== "session.closed";
            const moves = worldMoves({ ...world, wants }).filter(isOpen);
            if (moves.length > 0) take(moves[(step.pick >> 2) % moves.length]!.input);
          }
        }
      }),
      { numRuns: 400 },
    );
    // The sessions really went somewhere.
    const seen = (key: string) => verdicts.get(key) ?? 0;
    for (const key of [
      "run.completed handled",
      "team.replan handled",
      "team.replan refused",
      "message.send handled",
      "message.send refused",
      "permission.ask handled",
      "run.completed stale",
    ])
      expect([key, seen(key) > 10]).toEqual([key, true]);
  });
});
