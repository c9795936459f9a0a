import { isDeepStrictEqual } from "node:util";
import {
  desiredRuns,
  desiredTimers,
  findCycle,
  membersInOrder,
  type Applied,
  type CommandRef,
  type FactReader,
  type KernelRecord,
  type Mail,
  type MemberRecord,
  type SessionState,
} from "../../src/machines/index.ts";
import type { Given } from "./driver.ts";

/** The guarantees of the kernel as predicates over states and edges; each answer is a list of what is wrong. */

type Say = (problem: string) => void;

const refKey = ({ from, id }: CommandRef): string => `${from} ${id}`;

/** Every command that waits for its answer. */
function pendingRefs(session: SessionState): string[] {
  const refs: CommandRef[] = [
    ...session.requests.map((each) => each.command),
    ...session.polls.map((each) => each.command),
    ...session.lead.questions.map((each) => each.command),
    ...(session.team?.dissolveWaiters ?? []),
  ];
  for (const { token, run } of session.members.values()) {
    if (run.planCall !== null) refs.push({ from: token, id: run.planCall });
  }
  return refs.map(refKey);
}

function checkMember(session: SessionState, facts: FactReader, member: MemberRecord, say: Say): void {
  const { work, presence, activity } = facts.member(member.snapshot);
  const { attempt } = member.snapshot.context;
  const where = `${member.name} ${work}/${presence}/${activity}`;
  const present = presence === "running" || presence === "draining";
  if ((activity !== null) !== present) say(`${where}: a run is live exactly while somebody is there`);
  if (activity !== null && attempt === 0) say(`G1 ${where}: a run without a start`);
  if (work === "blocked" && presence !== "parked") say(`G1 ${where}: blocked but not parked`);
  if (presence === "parked" && work !== "blocked" && work !== "failed") say(`${where}: parked without reason`);
  if (presence === "idle" && member.lifetime !== "persistent") say(`${where}: an idle oneshot member`);
  if (presence === "shutdown" && (work === "blocked" || work === "in_progress")) say(`${where}: gone without an end`);
  if (work === "failed" && member.reason === null) say(`G5 ${where}: failed without a reason`);
  if (member.unread.length > 0 && (presence === "idle" || presence === "shutdown" || work === "failed"))
    say(`G4 ${where}: ${member.unread.length} unread`);
  if (member.unreadBytes !== member.unread.reduce((sum, mail) => sum + mail.bytes, 0)) say(`${where}: unreadBytes`);
  const { run } = member;
  if (activity === null && run.calls.length + run.asks.length + run.remembered.length > 0)
    say(`G2 ${where}: an ended run left something open`);
  if (run.completeCall !== null && activity !== "completing") say(`${where}: an accepted complete is forgotten`);
  const asked = session.requests.filter((each) => each.member === member.token).map((each) => each.id);
  if (JSON.stringify(asked) !== JSON.stringify(run.asks))
    say(`G10 ${where}: requests ${asked.join()} but asks ${run.asks.join()}`);
}

/** G4: what one sender wrote to one recipient lies there in its order. */
function checkMailOrder(owner: string, unread: readonly Mail[], say: Say): void {
  const last = new Map<string, number>();
  for (const { from, kind, seq } of unread) {
    if (kind === "system") continue;
    if (seq <= (last.get(from) ?? 0)) say(`G4 ${owner}: mail of ${from} out of order`);
    last.set(from, seq);
  }
}

function checkGraph(session: SessionState, facts: FactReader, say: Say): void {
  const members = membersInOrder(session);
  if (members.length !== session.members.size) say("G6 roster and order differ");
  const skips = session.team?.upstreamFailure === "skip";
  const over = ["dissolving", "completed", "failed", "dissolved"];
  const settled = session.team !== null && over.includes(facts.team(session.team.snapshot));
  const index = new Map(members.map((member, position) => [member.token, position]));
  for (const member of members) {
    for (const up of member.dependsOn)
      if (!session.members.get(up)?.downstream.includes(member.token)) say(`G6 ${up} does not know ${member.token}`);
    for (const down of member.downstream)
      if (!session.members.get(down)?.dependsOn.includes(member.token)) say(`G6 ${down} forgot ${member.token}`);
    const unmet = member.dependsOn.filter((up) => {
      const { work } = facts.member(session.members.get(up)!.snapshot);
      return work !== "completed" && !(skips && work === "failed");
    }).length;
    const counted = session.unmet[member.index];
    if (unmet !== counted && !settled) say(`G6 ${member.name}: unmet ${counted}, should be ${unmet}`);
    const { work } = facts.member(member.snapshot);
    if (work === "blocked" && unmet === 0 && !settled) say(`G8 ${member.name} could start and does not`);
  }
  const cycle = findCycle(members.map((member) => member.dependsOn.map((up) => index.get(up) ?? 0)));
  if (cycle !== null) say(`G6 cycle ${cycle.join()}`);
}

function checkTeam(session: SessionState, facts: FactReader, say: Say): void {
  const { team } = session;
  if (team === null) return;
  const all = membersInOrder(session).map((member) => facts.member(member.snapshot));
  const count = (is: (each: (typeof all)[number]) => boolean): number => all.filter(is).length;
  const there = (each: (typeof all)[number]): boolean => each.presence === "running" || each.presence === "draining";
  const recount = {
    total: all.length,
    completed: count((each) => each.work === "completed"),
    failed: count((each) => each.work === "failed"),
    cancelled: count((each) => each.work === "cancelled"),
    working: count((each) => there(each) && each.work === "in_progress"),
    running: count(there),
    shutdown: count((each) => each.presence === "shutdown"),
  };
  if (JSON.stringify(recount) !== JSON.stringify(team.counts)) say(`counts ${JSON.stringify(team.counts)}`);
  const state = facts.team(team.snapshot);
  const dissolved = state === "completed" || state === "failed" || state === "dissolved";
  if (dissolved && recount.shutdown !== recount.total) say("G7 dissolved with somebody there");
  if (dissolved && (team.grace !== null || team.dissolveWaiters.length > 0)) say("G7 dissolved, and something waits");
  if (state === "dissolving" && team.grace === null) say("G7 dissolving without its grace timer");
  if (state === "dissolving" && recount.shutdown === recount.total) say("G7 everybody is gone, not dissolved");
  const finished = recount.completed > 0 && recount.completed + recount.cancelled === recount.total;
  const verdict = finished ? "finished" : recount.working > 0 ? "running" : "stalled";
  if (!dissolved && state !== "dissolving" && state !== verdict) say(`the team is ${state}, should be ${verdict}`);
}

/** What is wrong with a settled state. */
export function checkState(session: SessionState, facts: FactReader): string[] {
  const problems: string[] = [];
  const say: Say = (problem) => problems.push(problem);
  for (const member of session.members.values()) {
    checkMember(session, facts, member, say);
    checkMailOrder(member.name, member.unread, say);
  }
  checkMailOrder("Lead", session.lead.unread, say);
  checkGraph(session, facts, say);
  checkTeam(session, facts, say);
  const unread = [session.lead, ...session.members.values()]
    .flatMap((each) => each.unread)
    .filter((mail) => mail.kind !== "system").length;
  const { accepted, delivered, deadLettered } = session.mail;
  if (accepted !== delivered + deadLettered + unread) say(`G4 ${accepted} != ${delivered}+${deadLettered}+${unread}`);
  const { turn, live } = facts.lead(session.lead.snapshot);
  if (turn === "ended" && session.lead.unread.some((mail) => mail.wakes)) say("G5 the lead sleeps on news");
  const hosted = session.config?.lead === "hosted";
  if (hosted && !live && session.polls.length + session.lead.questions.length > 0) say("a poll outlived its run");
  const runs = desiredRuns(session, facts);
  if (new Set(runs.map((run) => run.actor)).size !== runs.length) say("G2 two runs of one actor");
  const state = session.team === null ? "none" : facts.team(session.team.snapshot);
  if (runs.length === 0 && desiredTimers(session).length === 0 && (state === "running" || state === "dissolving"))
    say(`G8 nothing is due and the team is ${state}`);
  if (session.snapshot.value === "closed" && runs.length + desiredTimers(session).length > 0) say("closed, and works");
  return problems;
}

function checkReplies(before: SessionState, after: SessionState, record: KernelRecord, applied: Applied, say: Say) {
  const [was, is] = [new Set(pendingRefs(before)), new Set(pendingRefs(after))];
  const { command, from, id } = record.input;
  const isInput = /^(?:session|owner|timer|run|tool|step|turn|shutdown)\.|^external\.asked$/.test(
    record.input.event.type,
  );
  const own =
    command === undefined || isInput
      ? refKey({ from, id })
      : "call" in command
        ? refKey({ from, id: command.call })
        : refKey({ from: `client:${command.client}`, id: String(command.n) });
  const answered = new Map<string, number>();
  for (const { to } of applied.replies) answered.set(refKey(to), (answered.get(refKey(to)) ?? 0) + 1);
  for (const [ref, times] of answered) {
    if (times > 1) say(`G10 ${ref} was answered ${times} times`);
    if (ref !== own && !was.has(ref)) say(`G10 ${ref} was answered and never asked`);
    if (was.has(ref) && is.has(ref)) say(`G10 ${ref} was answered and still waits`);
  }
  for (const ref of was) if (!is.has(ref) && !answered.has(ref)) say(`G10 ${ref} was dropped without an answer`);
  const isCommand = command !== undefined && !is.has(own) && !isInput;
  if (isCommand && applied.verdict === "handled" && !answered.has(own)) say(`${own} was done and not answered`);
}

/** What is wrong with one step from `before` to `after`. */
export function checkEdge(
  before: SessionState,
  after: SessionState,
  record: KernelRecord,
  applied: Applied,
  facts: FactReader,
): string[] {
  const problems: string[] = [];
  const say: Say = (problem) => problems.push(`${record.input.event.type}: ${problem}`);
  const { event } = record.input;
  if (applied.verdict === "error") say(`kernel_error ${applied.why}`);
  const unmoved = applied.verdict === "stale" || applied.verdict === "refused" || applied.verdict === "error";
  const stateOf = (session: SessionState) => (session.team === null ? "none" : facts.team(session.team.snapshot));
  const over = ["completed", "failed", "dissolved"].includes(stateOf(before));
  const sameTeam = before.team?.token === after.team?.token;
  if (unmoved && (before.team !== after.team || before.lead.snapshot !== after.lead.snapshot))
    say("G2 a refused input changed somebody");
  for (const [token, member] of after.members) {
    const old = before.members.get(token);
    const [was, is] = [old === undefined ? null : facts.member(old.snapshot), facts.member(member.snapshot)];
    const started = member.snapshot.context.attempt > (old?.snapshot.context.attempt ?? 0);
    const waits = (up: string) => facts.member(after.members.get(up)!.snapshot).work !== "completed";
    if (started && after.team?.upstreamFailure !== "skip" && member.dependsOn.some(waits))
      say(`G1 ${token} started too early`);
    if (old === undefined || was === null) continue;
    if (unmoved && (old.snapshot !== member.snapshot || old.unread !== member.unread)) say(`G2 ${token} was changed`);
    if (over && sameTeam && old !== member) say(`G7 ${token} changed after the end`);
    if (was.work === "cancelled" && is.work !== "cancelled") say(`G3 ${token} left cancelled`);
    if (was.work === "completed" && is.work !== "completed" && event.type !== "team.replan") say(`G3 ${token} undone`);
    if (was.presence === "shutdown" && is.presence !== "shutdown") say(`${token} came back`);
    const failed = was.work !== "failed" && is.work === "failed" && stateOf(before) !== "dissolving";
    if (failed) checkTold(after, applied, member.name, say);
  }
  if (sameTeam && before.team !== null && stateOf(before) !== stateOf(after)) {
    if (over) say("G7 the team moved after its end");
    const noticed = applied.steps.some((step) => step.event.type === "notice.team_stalled");
    if (stateOf(after) === "stalled" && !noticed) say("G8 stalled and nobody was told");
  }
  if (after.version < before.version || after.notableVersion > after.version) say("version");
  checkReplies(before, after, record, applied, say);
  return problems;
}

/** G5: the Lead is told, with a reason; a hosted one has it unread, or in the status that was answered. */
function checkTold(after: SessionState, applied: Applied, name: string, say: Say): void {
  if (!applied.steps.some((step) => step.event.type === "notice.member_failed")) say(`G5 ${name} failed in silence`);
  if (after.config?.lead !== "hosted") return;
  const unread = after.lead.unread.some((mail) => mail.notice === "member_failed" && mail.about === name && mail.wakes);
  const shown = applied.replies.some(({ reply }) => "ok" in reply && reply.ok.type === "status");
  if (!unread && !shown) say(`G5 the lead was not told of ${name}`);
}

/** G9: what a member may not do changes nothing but its own memory of commands. */
export function checkForbidden(before: SessionState, after: SessionState, given: Given, applied: Applied): string[] {
  const what = `G9 ${given.event.type} on ${given.actor} by ${given.from}`;
  const rest = ({ seq: _, at: __, members, ...session }: SessionState) => ({
    session,
    members: [...members.values()].map(({ run, ...member }) => ({ ...member, run: { ...run, remembered: [] } })),
  });
  const problems: string[] = [];
  if (applied.verdict === "handled" || applied.verdict === "error") problems.push(`${what} is ${applied.verdict}`);
  if (applied.replies.some(({ to, reply }) => to.from !== given.from || "ok" in reply)) problems.push(`${what}: a yes`);
  if (!isDeepStrictEqual(rest(before), rest(after))) problems.push(`${what} changed something`);
  return problems;
}
