import { cloneSession, type LeadRecord, type RunData, type SessionState } from "../../../src/machines/index.ts";
import { BudgetTable } from "../../../src/testing/check/budgets.ts";
import {
  teamModel,
  type checkModel,
  type CheckOptions,
  type TeamModel,
  type TeamModelOptions,
} from "../../../src/testing/index.ts";

/** Fields that tell when something happened, or count what has happened, and are compared with nothing. */
const clock: ReadonlySet<string> = new Set([
  "at",
  "seq",
  "since",
  "armedAt",
  "generation",
  "waitedMs",
  "version",
  "notableVersion",
  "tokens",
  "modelCalls",
  "steps",
  "received",
]);

/**
 * A session written out whole: all that it holds but times, sequences and counts of work done, runs by whether they have
 * begun, and ids by their order. Nothing is left out because it would steer nothing.
 */
function wholeText(session: SessionState, countsTurns: boolean): string {
  const { config: _config, team, members, unmet, clients, ...rest } = session;
  const ids = new Map<string, number>();
  const requests = session.requests.map(({ id }) => id);
  const polls = session.polls.map(({ since }) => session.notableVersion - since);
  const parts = [
    rest,
    polls,
    team === null ? null : { ...team, graph: null, byKey: [...team.byKey] },
    [...members.values()],
    [...unmet],
    [...clients],
  ];
  return JSON.stringify(parts, (key, value: unknown) => {
    if (clock.has(key)) return undefined;
    if (key === "snapshot") {
      // Only the record of an actor has a field of this name.
      const { value: state, context } = value as { value: unknown; context: { run?: number } };
      return [state, { ...context, run: (context.run ?? 0) > 0 }];
    }
    if (key === "k" && typeof value === "number") return value > 0;
    if (key === "turns") return countsTurns ? value : undefined;
    if (key === "asks" && Array.isArray(value)) return value.map((id: string) => requests.indexOf(id));
    if (key === "id" && typeof value === "string") {
      if (!ids.has(value)) ids.set(value, ids.size);
      return ids.get(value);
    }
    return value;
  });
}

/** Takes note of every state that a search expands and every step that it makes, as seen by properties. */
export interface Seen {
  readonly states: Set<string>;
  readonly steps: Set<string>;
}

/** The same model, which tells what is done with it. */
function watched(model: TeamModel, see: (session: SessionState) => string): { model: TeamModel; seen: Seen } {
  const seen: Seen = { states: new Set(), steps: new Set() };
  let current = "";
  return {
    seen,
    model: {
      ...model,
      moves(session, wants) {
        current = see(session);
        seen.states.add(current);
        return model.moves(session, wants);
      },
      step(session, move) {
        const step = model.step(session, move);
        // A guarantee that tries something out makes a move without a name.
        if (move.name === "" || !("input" in move)) return step;
        const { verdict, steps } = step.applied;
        seen.steps.add(`${current} ${move.input.event.type} ${verdict} ${steps.map(({ event }) => event.type).join()}`);
        return step;
      },
    },
  };
}

/** A whole search keeps a text per state: beyond this many the case is to be made smaller. */
const wholeStatesMax = 150_000;

/** Searches a model without any reduction: states are whole texts with exact budgets. Returns how many there are. */
function searchWhole(model: TeamModel, { budgets = {}, interventionsMax }: CheckOptions): number {
  const table = new BudgetTable(budgets, interventionsMax);
  const countsTurns = model.limits.turnsMax < 100;
  const initial = model.initial();
  const known = new Set([`${wholeText(initial, countsTurns)}${table.initial}`]);
  const queue: ([SessionState, number] | null)[] = [[initial, table.initial]];
  for (let at = 0; at < queue.length; at++) {
    const next = queue[at];
    if (next === null || next === undefined) continue;
    const [session, left] = next;
    // What is done need not be kept until the end.
    queue[at] = null;
    for (const move of model.moves(session, (budget) => table.left(left, budget) > 0)) {
      const after = cloneSession(session);
      model.step(after, move);
      const spent = move.budget === null ? left : table.spend(left, move.budget);
      const key = `${wholeText(after, countsTurns)}${spent}`;
      if (known.has(key)) continue;
      known.add(key);
      if (known.size > wholeStatesMax) throw new Error(`more than ${wholeStatesMax} states: make the case smaller`);
      queue.push([after, spent]);
    }
  }
  return known.size;
}

const openOf = ({ calls, remembered, asks, externals, completeCall, planCall, closing }: RunData) => [
  calls.length,
  remembered.length,
  asks.length,
  externals.length,
  completeCall !== null,
  planCall !== null,
  closing,
];

/** All orders of so many things. */
const ordersOf = (count: number): number[][] =>
  count === 0
    ? [[]]
    : ordersOf(count - 1).flatMap((rest) =>
        Array.from({ length: count }, (_, at) => [...rest.slice(0, at), count - 1, ...rest.slice(at)]),
      );

/**
 * A session through all that properties and guarantees can see of it. With `isSymmetric` members have no names: the text is
 * the first of those over all their orders.
 */
function visibleText(session: SessionState, isSymmetric: boolean): string {
  const all = [...session.members.values()];
  const own = all.map((_, index) => index);
  const texts = (isSymmetric ? ordersOf(all.length) : [own]).map((order) => seenIn(session, order));
  return `${isSymmetric ? "" : all.map(({ name }) => name).join()}${texts.toSorted()[0] ?? ""}`;
}

function seenIn(session: SessionState, order: readonly number[]): string {
  const { team } = session;
  const all = [...session.members.values()];
  const placeOf = (what: string | null): number =>
    order.indexOf(all.findIndex(({ token, name }) => token === what || name === what));
  const mail = (unread: LeadRecord["unread"]) =>
    unread.map(({ from, kind, notice, about, wakes }) => [
      placeOf(from),
      kind === "system",
      notice,
      placeOf(about),
      wakes,
    ]);
  const members = order.map((place) => {
    const member = all[place];
    if (member === undefined) return null;
    const { snapshot, run, reason, replacedBy, unread, dependsOn, index } = member;
    const { lifetime, requirePlan, attempt } = snapshot.context;
    const { work } = snapshot.value;
    const isGone = snapshot.value.presence === "shutdown";
    return [
      snapshot.value,
      [
        lifetime,
        requirePlan,
        attempt,
        snapshot.context.run > 0,
        work === "failed" && reason !== null,
        replacedBy !== null,
      ],
      dependsOn.map(placeOf).toSorted((a, b) => a - b),
      isGone ? null : [openOf(run), mail(unread), session.unmet[index]],
    ];
  });
  const { lead } = session;
  return JSON.stringify([
    session.snapshot.value,
    team === null ? null : [team.snapshot.value, team.counts, team.grace !== null, team.dissolveWaiters.length],
    members,
    [lead.snapshot.value, openOf(lead.run), mail(lead.unread).map(String).toSorted(), lead.questions.length],
    session.requests.map(({ member, kind, approver }) => [placeOf(member), kind, approver]),
    session.polls.length,
  ]);
}

/** What one search saw and another did not, at most two of each. */
export interface Loss {
  readonly states: readonly (readonly string[])[];
  readonly steps: readonly (readonly string[])[];
}

const missing = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...some].filter((each) => !others.has(each)).slice(0, 2);

/** Searches a model whole: how many states there are, and what is seen in them. */
export function seeWhole(options: TeamModelOptions, check: CheckOptions, isSymmetric: boolean) {
  const whole = watched(teamModel(options), (session) => visibleText(session, isSymmetric));
  return { states: searchWhole(whole.model, check), seen: whole.seen };
}

/** Searches a model as users do: what was found, and what the whole search saw and this one did not, and the other way. */
export function seeReduced(
  options: TeamModelOptions,
  check: CheckOptions,
  { isSymmetric, whole, search }: { isSymmetric: boolean; whole: Seen; search: typeof checkModel },
) {
  const { model, seen } = watched(teamModel(options), (session) => visibleText(session, isSymmetric));
  const result = search(model, { ...check, symmetry: isSymmetric, limits: { ms: 600_000 } });
  const both = (key: keyof Seen) => [missing(whole[key], seen[key]), missing(seen[key], whole[key])];
  const loss: Loss = { states: both("states"), steps: both("steps") };
  return { result, loss };
}

/** Nothing is lost, and nothing is made up. */
export const noLoss: Loss = { states: [[], []], steps: [[], []] };
