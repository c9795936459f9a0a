import type { MemberRecord, SessionState } from "../../machines/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import { inMove } from "./move-name.ts";
import type { MoveInput, World } from "./move.ts";

/** What comes too late, twice or ahead of its turn. None of it may change anything. */

const delivers = (member: MemberRecord, run: number, k: number, more: Partial<MoveInput> = {}): MoveInput => ({
  actor: member.token,
  from: member.token,
  event: { type: "run.completed", run, k },
  ...more,
});

/** Reports and commands of runs and owners of this member that are over. */
export function addLateMoves({ session, facts, add }: World, member: MemberRecord): void {
  const { token, run, snapshot } = member;
  const name = inMove(member.name);
  const n = snapshot.context.run;
  if (n === 0) return;
  const old = facts.member(snapshot).activity === null ? n : n - 1;
  add(`an old run of ${name} delivers`, "late", delivers(member, old, run.k + 1));
  add(`${name} delivers for an old owner`, "late", delivers(member, n, run.k + 1, { epoch: session.epoch - 1 }));
  add(`somebody else delivers for ${name}`, "late", delivers(member, n, run.k + 1, { from: "user" }));
  const complete: InputOf<"work.complete"> = { type: "work.complete" };
  const command = { call: `${token}:old`, run: old };
  add(`an old run of ${name} completes`, "late", { actor: token, from: token, event: complete, command });
  const lost: InputOf<"run.lost"> = { type: "run.lost", run: old, reason: "node gone" };
  add(`an old run of ${name} is lost`, "late", { actor: token, from: "system", event: lost });
}

/** Reports and commands of the current run that were applied already, or whose turn has not come. */
export function addDuplicateMoves({ facts, add }: World, member: MemberRecord): void {
  const { token, run, snapshot } = member;
  const name = inMove(member.name);
  if (facts.member(snapshot).activity === null) return;
  const n = snapshot.context.run;
  // Before the first report this is number 0, which is just as old.
  add(`a report of ${name} comes twice`, "duplicate", delivers(member, n, run.k));
  add(`a report of ${name} comes too early`, "duplicate", delivers(member, n, run.k + 2));
  const [done] = run.remembered;
  if (done === undefined) return;
  const event: InputOf<"work.complete"> = { type: "work.complete" };
  const command = { call: done.call, run: n };
  add(`a command of ${name} comes twice`, "duplicate", { actor: token, from: token, event, command });
}

/** Reports and commands of runs and owners of a hosted lead that are over. */
export function addLateLeadMoves({ session, facts, add }: World): void {
  const { snapshot, run } = session.lead;
  const n = snapshot.context.run;
  if (session.config?.lead !== "hosted" || n === 0) return;
  const old = facts.lead(snapshot).live ? n - 1 : n;
  const from = { actor: "lead", from: "lead" };
  const ends = (which: number): InputOf<"turn.ended"> => ({
    type: "turn.ended",
    run: which,
    k: run.k + 1,
    finish: "stop",
  });
  add("an old run of Lead ends its turn", "late", { ...from, event: ends(old) });
  add("Lead ends its turn for an old owner", "late", { ...from, event: ends(n), epoch: session.epoch - 1 });
  add("an old run of Lead aborts the team", "late", {
    ...from,
    actor: session.team?.token ?? "session",
    event: { type: "team.dissolve", mode: "abort" },
    command: { call: "lead:old", run: old },
  });
  const lost: InputOf<"run.lost"> = { type: "run.lost", run: old, reason: "node gone" };
  add("an old run of Lead is lost", "late", { actor: "lead", from: "system", event: lost });
}

/** Reports and commands of a hosted lead's run that were applied already, or whose turn has not come. */
export function addDuplicateLeadMoves({ session, facts, add }: World): void {
  const { snapshot, run } = session.lead;
  if (session.config?.lead !== "hosted" || !facts.lead(snapshot).live) return;
  const n = snapshot.context.run;
  const ends = (k: number): MoveInput => ({
    actor: "lead",
    from: "lead",
    event: { type: "turn.ended", run: n, k, finish: "stop" },
  });
  add("a report of Lead comes twice", "duplicate", ends(run.k));
  add("a report of Lead comes too early", "duplicate", ends(run.k + 2));
  const [done] = run.remembered;
  if (done === undefined) return;
  // Whatever a repetition asks for, it is the command that was remembered: a memory that is lost would show by this one.
  add("a command of Lead comes twice", "duplicate", {
    actor: session.team?.token ?? "session",
    from: "lead",
    event: { type: "team.dissolve", mode: "abort" },
    command: { call: done.call, run: n },
  });
}

/** Timers and requests that are over, an older owner, and the plan that was carried out already. */
export function addStaleMoves({ session, wants, add }: World): void {
  if (wants("late")) {
    const { epoch } = session;
    const timer = { type: "timer.due", key: "grace", generation: 0, epoch } as const;
    add("an old timer fires", "late", { actor: "session", from: "system", event: timer });
    const claim = { type: "owner.claimed", epoch, node: "old" } as const;
    add("an old owner claims the session", "late", { actor: "session", from: "system", event: claim });
    const request = session.answered.at(-1)?.id ?? "old";
    const answer = { type: "permission.answer", request, approve: true } as const;
    add("an old request is approved", "late", { actor: "session", from: "user", event: answer });
  }
  if (wants("duplicate")) addRepeatedCommand(session, add);
}

function addRepeatedCommand(session: SessionState, add: World["add"]): void {
  const [known] = session.clients;
  if (known === undefined) return;
  const [client, { last }] = known;
  const event = { type: "message.send", to: "*", kind: "text", bytes: 1 } as const;
  add("a command of the host comes twice", "duplicate", {
    actor: session.team?.token ?? "session",
    from: "user",
    event,
    command: { client, n: last },
  });
}
