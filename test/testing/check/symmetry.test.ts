import { expect, test } from "vitest";
import { cloneSession, type Mail, type MemberRecord, type SessionState } from "../../../src/machines/index.ts";
import { BudgetTable, type Budgets } from "../../../src/testing/check/budgets.ts";
import { allLive } from "../../../src/testing/check/live-data.ts";
import { StateEncoder } from "../../../src/testing/check/state-encoder.ts";
import { Symmetry } from "../../../src/testing/check/symmetry.ts";
import {
  checkModel,
  teamModel,
  type ModelMember,
  type SessionView,
  type TeamModelOptions,
} from "../../../src/testing/index.ts";

/** Turns without end that read no mail would be states without end. */
const live = { ...allLive, turns: false };

const alone = (...names: string[]): ModelMember[] => names.map((name) => ({ name }));
const fanIn: ModelMember[] = [...alone("A", "B"), { name: "C", dependsOn: ["A", "B"] }];

/** Every state that is met, searched with symmetry or without, written down so that names don't matter. */
function statesMet(options: TeamModelOptions, budgets: Budgets, isSymmetric: boolean): Set<string> {
  const model = teamModel(options);
  const table = new BudgetTable(budgets);
  const encoder = new StateEncoder(new Symmetry(isSymmetric));
  const keyOf = (session: SessionState, left: number) => {
    encoder.encode(session, live);
    return `${encoder.cells.subarray(0, encoder.length).join()}/${left}`;
  };
  const initial = model.initial();
  const seen = new Set([keyOf(initial, table.initial)]);
  const forms = new Set<string>();
  const queue: [SessionState, number][] = [[initial, table.initial]];
  for (const [session, left] of queue) {
    forms.add(`${formOf(session)}/${left}`);
    for (const move of model.moves(session, (budget) => table.left(left, budget) > 0)) {
      const after = cloneSession(session);
      model.step(after, move);
      const spent = move.budget === null ? left : table.spend(left, move.budget);
      const key = keyOf(after, spent);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push([after, spent]);
    }
  }
  return forms;
}

const ordersOf = (count: number): number[][] =>
  count === 0
    ? [[]]
    : ordersOf(count - 1).flatMap((rest) =>
        Array.from({ length: count }, (_, at) => [...rest.slice(0, at), count - 1, ...rest.slice(at)]),
      );

/** A state as the first of its texts over all orders of its members: the same for states that differ in names alone. */
function formOf(session: SessionState): string {
  const all = [...session.members.values()];
  const texts = ordersOf(all.length).map((order) => {
    const placeOf = (found: (member: MemberRecord) => boolean) => order.indexOf(all.findIndex(found));
    const named = (name: string | null) => placeOf((member) => member.name === name);
    const mail = (unread: readonly Mail[]) =>
      unread.map((each) => [named(each.from), named(each.about), each.notice, each.hops, each.broadcast, each.wakes]);
    const members = order.map((place) => {
      const member = all[place];
      if (member === undefined) return null;
      const { snapshot, run, dependsOn, turn } = member;
      if (snapshot.value.presence === "shutdown")
        return [snapshot.value.work, snapshot.context.attempt, ups(dependsOn)];
      const { run: _run, nudges, ...context } = snapshot.context;
      const isNudged = snapshot.value.work === "in_progress" && run.completeCall === null;
      const open = [run.calls.length, run.remembered.length, run.completeCall !== null, run.closing];
      return [snapshot.value, context, isNudged ? nudges : 0, ups(dependsOn), open, turn.hops, mail(member.unread)];
    });
    function ups(tokens: readonly string[]): number[] {
      return tokens.map((token) => placeOf((member) => member.token === token)).toSorted((a, b) => a - b);
    }
    const lead = [
      session.lead.snapshot.value,
      mail(session.lead.unread)
        .map((each) => JSON.stringify(each))
        .toSorted(),
    ];
    return JSON.stringify([session.team?.snapshot.value, lead, members]);
  });
  return texts.toSorted()[0] ?? "";
}

test.each([
  ["three alone", alone("A", "B", "C"), {}],
  ["a fan-in that may fail", fanIn, { outcomes: 1 }],
  ["two alone, with mail", alone("A", "B"), { message: 1 }],
  ["two alone, with a replan", alone("A", "B"), { replan: 1 }],
  ["a hosted lead's two", alone("A", "B"), {}],
] as const)("symmetry loses no state and invents none: %s", (what, team, budgets) => {
  const lead = what.startsWith("a hosted") ? "hosted" : "none";
  const [whole, reduced] = [false, true].map((isOn) => statesMet({ members: team, lead }, budgets, isOn));
  const onlyIn = (some: Set<string> | undefined, others: Set<string> | undefined) =>
    [...(some ?? [])].filter((form) => others?.has(form) !== true).slice(0, 3);
  expect(onlyIn(whole, reduced)).toEqual([]);
  expect(onlyIn(reduced, whole)).toEqual([]);
});

test("interchangeable members are those with the same place in the graph", () => {
  const { symmetry } = checkModel(teamModel({ members: fanIn }));
  expect(symmetry).toEqual({ isOn: true, classes: [["A", "B"]], why: null });
  const other = checkModel(teamModel({ members: [{ name: "A" }, { name: "B", lifetime: "persistent" }] }));
  expect(other.symmetry.classes).toEqual([]);
});

test("a property that names a member switches symmetry off, and is decided as if it had never been on", () => {
  const always = {
    "B is never first": (s: { member(name: string): { work: string } }) =>
      s.member("B").work !== "completed" || s.member("A").work === "completed",
  };
  const { symmetry, violation } = checkModel(teamModel({ members: alone("A", "B") }), { always });
  expect(symmetry).toMatchObject({ isOn: false, why: 'the property "B is never first" names B' });
  expect(violation?.moves).toEqual(["B delivers"]);
});

test("symmetry saves states and changes no verdict", () => {
  const model = teamModel({ members: alone("A", "B", "C", "D") });
  const [on, off] = [true, false].map((symmetry) => checkModel(model, { symmetry }));
  expect(on?.verdict).toBe("holds");
  expect(off?.verdict).toBe("holds");
  expect(on?.states).toBeLessThan((off?.states ?? 0) / 10);
});

test("a ghost that tells members apart is called by its option, not taken for a property of that name", () => {
  const model = teamModel({ members: [{ name: "A" }, { name: "B" }] });
  const why = (options: Parameters<typeof checkModel>[1]) => checkModel(model, options).symmetry.why;
  const named = {
    initial: 0,
    next: (_ghost: unknown, _before: SessionView, _step: unknown, { member }: SessionView) =>
      Number(member("A").is("failed")),
  };
  const ordered = {
    initial: 0,
    next: (_ghost: unknown, _before: SessionView, _step: unknown, { members }: SessionView) =>
      Number(members[0]?.is("failed")),
  };
  expect(why({ ghost: named, budgets: { outcomes: 1 } })).toBe("`options.ghost.next` names A");
  expect(why({ ghost: ordered, budgets: { outcomes: 1 } })).toBe("`options.ghost.next` asks for the order of members");
  expect(why({ always: { ghost: ({ member }) => !member("A").is("cancelled") } })).toBe('the property "ghost" names A');
});
