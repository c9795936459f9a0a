import { isDeepStrictEqual } from "node:util";
import { desiredTimers, idleTimer, shutdownTimer, type SessionState } from "../../machines/index.ts";
import { teamState, type JudgedState } from "./guarantee.ts";
import type { MoveInput } from "./move.ts";

/**
 * What an owner says that is over, or of what is over, changes nothing; a part of G2. All of it is tried, on copies, in every
 * situation that differs in what could let it pass: what is wrong, or null.
 */
export function staleProblem(state: JudgedState): string | null {
  if (!state.isUntried) return null;
  const { session, facts } = state;
  // Once it is closed nothing passes.
  if (session.config === null || session.snapshot.value === "closed") return null;
  const owner = typeof session.snapshot.value === "string" ? session.snapshot.value : session.snapshot.value.opened;
  const stands = `${owner},${teamState(state)},${facts.lead(session.lead.snapshot).turn}`;
  for (const [situation, inputs] of [...ofTheOwner(session), ...ofTimers(state), ...ofRuns(state)]) {
    if (!state.isNew(`over: ${stands},${situation}`)) continue;
    for (const input of inputs) {
      const problem = tryIt(state, input);
      if (problem !== null) return problem;
    }
  }
  return null;
}

type Stale = readonly [situation: string, inputs: readonly MoveInput[]];

const system = { actor: "session", from: "system" } as const;

function ofTheOwner({ epoch, config }: SessionState): Stale[] {
  const claimed = [epoch, epoch - 1].map((each): MoveInput => {
    return { ...system, event: { type: "owner.claimed", epoch: each, node: "old" } };
  });
  const released: MoveInput = { ...system, event: { type: "owner.released", epoch: epoch - 1 } };
  const opened: readonly MoveInput[] =
    config === null ? [] : [{ ...system, event: { type: "session.opened", config } }];
  return [["owner", [...claimed, released, ...opened]]];
}

/** Timers of an older owner, and those that were armed before and are not any more. */
function ofTimers({ session, facts }: JudgedState): Stale[] {
  const own = [...session.members.values()].flatMap((member) => [
    idleTimer(session, member, facts),
    shutdownTimer(session, member, facts),
  ]);
  return [...desiredTimers(session), ...own].flatMap((timer): Stale[] => {
    if (timer === null) return [];
    const { key, generation } = timer;
    const fires = (which: number, epoch: number): MoveInput => {
      return { ...system, event: { type: "timer.due", key, generation: which, epoch } };
    };
    return [
      [
        `timer ${key.split(":")[0] ?? ""}`,
        [fires(generation - 1, session.epoch), fires(generation, session.epoch - 1)],
      ],
    ];
  });
}

/** What an older owner says of runs. */
function ofRuns({ session, facts }: JudgedState): Stale[] {
  const epoch = session.epoch - 1;
  const { snapshot, run } = session.lead;
  const lead = { token: "lead", n: snapshot.context.run, run, is: facts.lead(snapshot).live ? "live" : null };
  const members = [...session.members.values()].map((member) => {
    const { work, presence, activity } = facts.member(member.snapshot);
    const is = activity === null ? null : `${work},${presence},${activity}`;
    return { token: member.token, n: member.snapshot.context.run, run: member.run, is };
  });
  return [lead, ...members].flatMap(({ token, n, run: { k, adopted }, is }): Stale[] => {
    if (is === null) return [];
    const said = { actor: token, from: "system", epoch };
    const lost: MoveInput = { ...said, event: { type: "run.lost", run: n, reason: "node gone" } };
    const adopts: MoveInput = { ...said, event: { type: "run.adopted", run: n, k, epoch } };
    return [[`run ${token === "lead" ? token : ""}${is},${adopted !== null}`, [lost, adopts]]];
  });
}

function tryIt({ session, probe }: JudgedState, input: MoveInput): string | null {
  const { session: after, step } = probe(input);
  const { verdict } = step.applied;
  if (verdict !== "stale") return `${input.event.type} of before was ${verdict}`;
  return isDeepStrictEqual(restOf(session), restOf(after)) ? null : `${input.event.type} of before changed something`;
}

/** A session without its clock. */
const restOf = ({ seq: _seq, at: _at, ...rest }: SessionState): unknown => rest;
