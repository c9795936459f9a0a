import { cloneSession, type FactReader, type Mail, type SessionState } from "../../src/machines/index.ts";
import type { MemberSpec } from "../../src/protocol/index.ts";
import { Driver, type SessionOptions } from "./driver.ts";
import { forbiddenTo } from "./forbidden.ts";
import { checkEdge, checkForbidden, checkState } from "./properties.ts";
import { movesOf, type Fault, type Move } from "./world.ts";

/** Breadth-first search over whole sessions: the production kernel, with the world played by the moves of world.ts. */

export type Budgets = Partial<Record<Fault, number>>;

export interface Exploration {
  readonly states: number;
  readonly edges: number;
  /** False when `statesMax` was reached. */
  readonly complete: boolean;
  /** The shortest way to a violated property, and what is wrong there. */
  readonly violation: { readonly path: readonly string[]; readonly problems: readonly string[] } | null;
  /** Settled states, by the state of the team, in which nothing is due: what the session can end in. */
  readonly ends: ReadonlyMap<string, number>;
}

export interface ExploreOptions extends SessionOptions {
  readonly members: readonly (string | MemberSpec)[];
  readonly upstreamFailure?: "block" | "cancel" | "skip";
  readonly budgets: Budgets;
  readonly statesMax?: number;
}

/** Renames ids in order of appearance, so that states differ only in what steers. */
function createRenamer() {
  const names = new Map<string, number>();
  return (id: string): number => {
    let name = names.get(id);
    if (name === undefined) names.set(id, (name = names.size));
    return name;
  };
}

const mailKey = ({ from, kind, notice, about, hops, broadcast, wakes }: Mail) => [
  from,
  kind,
  notice,
  about,
  hops,
  broadcast,
  wakes,
];

/** What steers a session, as one text: without times, texts, sequences and counters that only grow. */
function stateKey(session: SessionState): string {
  const rename = createRenamer();
  const runKey = (run: SessionState["lead"]["run"]) => [
    run.adopted === null ? 0 : session.epoch - run.adopted,
    run.closing,
    run.k > 0,
    run.calls.map(rename),
    run.remembered.map((each) => [rename(each.call), each.reply === null]),
    run.asks.map(rename),
    run.externals.map(rename),
    run.completeCall === null ? null : rename(run.completeCall),
    run.planCall === null ? null : rename(run.planCall),
  ];
  const { team, lead } = session;
  return JSON.stringify([
    session.snapshot.value,
    team === null ? null : [team.k, team.snapshot.value, team.snapshot.context, team.dissolveWaiters.length],
    [...session.members.values()].map(({ snapshot, dependsOn, replacedBy, run, turn, unread, ...member }) => {
      const { run: n, attempt, nudges, losses, planned, refused } = snapshot.context;
      const { presence, run: runs } = snapshot.value;
      const place = [member.token, snapshot.value, attempt, n > 0, dependsOn, replacedBy, member.result !== null];
      // Who is gone ignores everything; what counts from a start or wake counts in a live run only.
      if (presence === "shutdown") return place;
      const counts = [nudges, losses, planned, refused, runs === "none" ? null : turn];
      return [...place, counts, runKey(run), unread.map(mailKey)];
    }),
    [lead.snapshot.value, lead.snapshot.context.losses, runKey(lead.run), lead.turn.hops],
    // A lead reads everything at once: the order of its notices steers nothing.
    lead.unread.map((mail) => JSON.stringify(mailKey(mail))).toSorted(),
    lead.failure === null,
    session.polls.length,
    lead.questions.length,
    session.requests.map((request) => [rename(request.id), request.member]),
  ]);
}

interface Node {
  readonly session: SessionState;
  readonly budgets: Budgets;
  readonly parent: Node | null;
  readonly move: string;
}

const pathTo = (node: Node | null): string[] => (node === null ? [] : [...pathTo(node.parent), node.move]);

/** Whether the dissolve ends once its grace timer fires (G7), from this state. */
function checkDissolves(driver: Driver, session: SessionState, facts: FactReader): string[] {
  const grace = session.team?.grace ?? null;
  if (grace === null || session.team === null) return [];
  driver.session = cloneSession(session);
  driver.timer("grace", grace.generation);
  const state = facts.team(driver.session.team!.snapshot);
  return state === "dissolving" ? ["G7 the grace timer did not end the dissolve"] : [];
}

/** Tries one thing that this member may not do (G9); which one goes round with the states. */
function checkMayNot(driver: Driver, session: SessionState, turn: number, facts: FactReader): string[] {
  const attempts = forbiddenTo(session, facts);
  const given = attempts[turn % attempts.length];
  if (given === undefined) return [];
  driver.session = cloneSession(session);
  const applied = driver.apply(given);
  return checkForbidden(session, driver.session, given, applied);
}

function spend(budgets: Budgets, { fault }: Move): Budgets | null {
  if (fault === null) return budgets;
  const left = budgets[fault] ?? 0;
  return left > 0 ? { ...budgets, [fault]: left - 1 } : null;
}

/** Explores everything that can happen within the budgets, checking every state and every edge. */
export function explore(options: ExploreOptions): Exploration {
  const { members, budgets, upstreamFailure = "block", statesMax = 400_000, ...sessionOptions } = options;
  const driver = new Driver({ limits: { turnsMax: 4, hopsMax: 3 }, ...sessionOptions });
  driver.create(members, { upstreamFailure });
  const { facts } = driver.kernel.steppers;
  const keyOf = (session: SessionState, left: Budgets) => `${stateKey(session)}${JSON.stringify(left)}`;
  const seen = new Set([keyOf(driver.session, budgets)]);
  const queue: Node[] = [{ session: driver.fork(), budgets, parent: null, move: "create" }];
  const ends = new Map<string, number>();
  let edges = 0;
  const result = (violation: Exploration["violation"], complete = true): Exploration => ({
    states: seen.size,
    edges,
    complete,
    violation,
    ends,
  });
  for (let done = 0; done < queue.length; done++) {
    const node = queue[done]!;
    // The queue keeps every node otherwise, and with it every session.
    queue[done] = undefined as never;
    const problems = [
      ...checkState(node.session, facts),
      ...checkDissolves(driver, node.session, facts),
      ...checkMayNot(driver, node.session, done, facts),
    ];
    if (problems.length > 0) return result({ path: pathTo(node), problems });
    let due = 0;
    for (const move of movesOf(node.session, facts)) {
      if (move.fault === null) due++;
      const left = spend(node.budgets, move);
      if (left === null) continue;
      edges++;
      driver.session = cloneSession(node.session);
      const seq = driver.session.seq + 1;
      const { plan, epoch = driver.session.epoch, ...given } = move.given;
      const input = { id: `i${seq}`, at: 1_000, epoch, ...given };
      const record = plan === undefined ? { seq, input } : { seq, input, plan };
      const applied = driver.kernel.apply(driver.session, record);
      const wrong = checkEdge(node.session, driver.session, record, applied, facts);
      const next: Node = { session: driver.session, budgets: left, parent: node, move: move.name };
      if (wrong.length > 0) return result({ path: pathTo(next), problems: wrong });
      const key = keyOf(next.session, left);
      if (seen.has(key)) continue;
      if (seen.size >= statesMax) return result(null, false);
      seen.add(key);
      queue.push(next);
    }
    if (due === 0) {
      const { team } = node.session;
      const state = team === null ? "none" : facts.team(team.snapshot);
      ends.set(state, (ends.get(state) ?? 0) + 1);
    }
  }
  return result(null);
}
