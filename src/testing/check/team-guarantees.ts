import {
  findCycle,
  membersInOrder,
  shutdownTimer,
  type CommandRef,
  type MemberFacts,
  type SessionState,
} from "../../machines/index.ts";
import { isCommand } from "../../machines/kernel/commands.ts";
import { LEAD } from "../../protocol/names.ts";
import { answerProblem } from "./answer-guarantee.ts";
import { commandProblem } from "./command-guarantee.ts";
import { dueProblem, timerProblem } from "./due-guarantee.ts";
import { forbiddenProblem } from "./forbidden-guarantee.ts";
import { isOver, teamState, type Guarantee, type JudgedState, type JudgedStep } from "./guarantee.ts";
import { leadStateProblem, leadStepProblem } from "./lead-guarantee.ts";
import { newsProblem } from "./news-guarantee.ts";
import { outsideProblem, outsideStepProblem } from "./outside-guarantee.ts";
import { refusalProblem, replannedProblem } from "./plan-guarantee.ts";
import { askingProblem, dissolveProblem, sessionProblem, standingProblem } from "./standing-guarantee.ts";

/** G6 to G10: what holds for the graph, the team, who may change it and what waits for an answer. */

const replan: Guarantee = {
  name: "G6 a replan is all or nothing",
  state({ session, facts }) {
    const members = membersInOrder(session);
    if (members.length !== session.members.size) return "the roster and its order differ";
    const skips = session.team?.upstreamFailure === "skip";
    const state = teamState({ session, facts });
    const isGoing = state === "dissolving" || isOver(state);
    for (const { name, token, index, dependsOn, downstream, snapshot } of members) {
      let open = 0;
      for (const up of dependsOn) {
        const upstream = session.members.get(up);
        if (upstream === undefined || !upstream.downstream.includes(token)) return `an upstream does not know ${name}`;
        if (upstream.replacedBy !== null) return `${name} waits for ${upstream.name}, who was replaced`;
        const { work } = facts.member(upstream.snapshot);
        if (work !== "completed" && !(skips && work === "failed")) open++;
      }
      for (const down of downstream)
        if (session.members.get(down)?.dependsOn.includes(token) !== true) return `a downstream forgot ${name}`;
      if (isGoing) continue;
      const counted = session.unmet[index];
      if (open !== counted) return `${name} waits for ${open} and counts ${counted}`;
      if (open === 0 && facts.member(snapshot).work === "blocked") return `${name} could start and does not`;
    }
    return hasCycle(session) ? "the graph has a cycle" : null;
  },
  told: replannedProblem,
  tried: refusalProblem,
};

function hasCycle(session: SessionState): boolean {
  const members = membersInOrder(session);
  // Where everybody stands behind those whom it waits for there is none.
  const known = new Set<string>();
  if (members.every(({ token, dependsOn }) => dependsOn.every((up) => known.has(up)) && known.add(token).size > 0))
    return false;
  const places = new Map(members.map(({ token }, place) => [token, place]));
  return findCycle(members.map(({ dependsOn }) => dependsOn.map((up) => places.get(up) ?? 0))) !== null;
}

const dissolve: Guarantee = {
  name: "G7 a dissolve ends, and nothing happens after it",
  state(judged) {
    const { session, facts, probe } = judged;
    const { team } = session;
    if (team === null) return null;
    const state = teamState({ session, facts });
    const isEmpty = team.counts.shutdown === team.counts.total;
    if (isOver(state)) {
      if (!isEmpty) return "the team is dissolved with somebody there";
      const { outcome } = team.snapshot.context;
      if (state !== outcome) return `the team is ${state}, should be ${outcome}`;
      return team.grace !== null || team.dissolveWaiters.length > 0
        ? "the team is dissolved and something waits"
        : null;
    }
    if (state !== "dissolving") return null;
    if (team.grace === null) return "the team is dissolving without its grace timer";
    if (isEmpty) return "everybody is gone and the team is not dissolved";
    const asking = askingProblem(judged);
    if (asking !== null) return asking;
    const { generation } = team.grace;
    const event = { type: "timer.due", key: "grace", generation, epoch: session.epoch } as const;
    const { session: later } = probe({ actor: "session", from: "system", event });
    return isOver(teamState({ session: later, facts })) ? null : "the grace timer does not end the dissolve";
  },
  step(step) {
    const { before, after, applied, facts } = step;
    if (before.team === null || before.team.token !== after.team?.token) return null;
    const state = teamState({ session: before, facts });
    if (!isOver(state)) return dissolveProblem(step);
    if (teamState({ session: after, facts }) !== state) return "the team moved after its end";
    for (const token of applied.touched) {
      const member = after.members.get(token);
      if (member !== undefined && member !== before.members.get(token)) return `${member.name} changed after the end`;
    }
    return null;
  },
};

const isThere = ({ presence }: MemberFacts): boolean => presence === "running" || presence === "draining";

const progress: Guarantee = {
  name: "G8 nothing waits for nobody, and the team says how it stands",
  state(judged) {
    const { session, facts } = judged;
    const { team } = session;
    if (team === null) return null;
    const state = facts.team(team.snapshot);
    const counts = { total: 0, completed: 0, failed: 0, cancelled: 0, working: 0, running: 0, idle: 0, shutdown: 0 };
    for (const { snapshot } of session.members.values()) {
      const member = facts.member(snapshot);
      counts.total++;
      if (member.work !== "blocked" && member.work !== "in_progress") counts[member.work]++;
      if (isThere(member) && member.work === "in_progress") counts.working++;
      if (isThere(member)) counts.running++;
      if (member.presence === "idle") counts.idle++;
      if (member.presence === "shutdown") counts.shutdown++;
    }
    for (const key of countKeys)
      if (counts[key] !== team.counts[key]) return `${counts[key]} are ${key} and the team counts ${team.counts[key]}`;
    const isDone = (team.board?.tasks ?? []).every(({ status }) => status === "completed" || status === "cancelled");
    const finished = isDone && counts.completed > 0 && counts.completed + counts.cancelled === counts.total;
    const isRunning = isDone ? counts.working > 0 : counts.running > 0;
    const verdict = finished ? "finished" : isRunning ? "running" : "stalled";
    if (!isOver(state) && state !== "dissolving" && state !== verdict)
      return `the team is ${state}, should be ${verdict}`;
    const due = judged.runs.length + judged.timers.length;
    if (due === 0 && (state === "running" || state === "dissolving")) return `nothing is due and the team is ${state}`;
    if (session.snapshot.value === "closed" && due > 0) return "the session is closed and works";
    const asked = askedProblem(judged);
    if (asked !== null) return asked;
    if (session.polls.some(({ since }) => session.notableVersion > since))
      return "the lead waits for news that is there";
    return leadStateProblem(judged);
  },
  step: (step) => sessionProblem(step) ?? standingProblem(step) ?? leadStepProblem(step),
  told: (step) => newsProblem(step) ?? timerProblem(step),
  tried: dueProblem,
};

/** Whoever is asked to shut down outside of a dissolve is gone when its time is over. */
function askedProblem({ session, facts, probe }: JudgedState): string | null {
  for (const member of session.members.values()) {
    const timer = shutdownTimer(session, member, facts);
    if (timer === null) continue;
    const { key, generation } = timer;
    const event = { type: "timer.due", key, generation, epoch: session.epoch } as const;
    const { session: later } = probe({ actor: "session", from: "system", event });
    const is = later.members.get(member.token);
    if (is === undefined || facts.member(is.snapshot).presence !== "shutdown")
      return `${member.name} is asked to shut down, and stays when its time is over`;
  }
  return null;
}

const countKeys = ["total", "completed", "failed", "cancelled", "working", "running", "idle", "shutdown"] as const;

/** Commands that change the team or answer for the user. */
const ofTheLead: ReadonlySet<string> = new Set([
  "team.create",
  "team.replan",
  "team.dissolve",
  "team.invite",
  "member.interrupt",
  "permission.answer",
  "plan.answer",
  "question.answer",
]);

const rights: Guarantee = {
  name: "G9 only the Lead and the user plan, dissolve and permit",
  state: forbiddenProblem,
  step({ before, after, record, applied }) {
    const { from, event, actor } = record.input;
    if (ofTheLead.has(event.type) && before.members.has(from) && applied.verdict === "handled")
      return `${before.members.get(from)?.name ?? from} was allowed ${event.type}`;
    if (event.type === "permission.answer" && from === "lead" && applied.verdict === "handled") {
      const request = before.requests.find(({ id }) => id === event.request);
      const mayAnswer = request?.approver === "lead" && request.member !== "lead";
      if (before.config?.lead === "hosted" && !mayAnswer) return "the Lead answered what waits for the user";
    }
    const isReport = "run" in event && "k" in event && event.type !== "run.adopted";
    if (isReport && actor !== from && applied.verdict === "handled") return `${from} reported for ${actor}`;
    const isPlan = ["team.create", "team.replan", "team.invite"].includes(event.type);
    return after.revision !== before.revision && !isPlan ? `${event.type} changed the plan` : null;
  },
};

const refKey = ({ from, id }: CommandRef): string => `${from} ${id}`;

/** Every command that waits for its answer. */
function pendingRefs(session: SessionState): Set<string> {
  const refs = new Set<string>();
  for (const { command } of session.requests) refs.add(refKey(command));
  for (const { command } of session.polls) refs.add(refKey(command));
  for (const { command } of session.lead.questions) refs.add(refKey(command));
  for (const ref of session.team?.dissolveWaiters ?? []) refs.add(refKey(ref));
  for (const { token, run } of session.members.values())
    if (run.planCall !== null) refs.add(refKey({ from: token, id: run.planCall }));
  return refs;
}

const answers: Guarantee = {
  name: "G10 a request gets exactly one answer",
  state({ session, facts }) {
    const outside = outsideProblem(session, facts);
    if (outside !== null) return outside;
    const askers = [...session.members.values(), { name: LEAD, token: "lead", run: session.lead.run }];
    for (const { name, token, run } of askers) {
      const asked = session.requests.filter(({ member }) => member === token).map(({ id }) => id);
      if (asked.length !== run.asks.length || asked.some((id, index) => run.asks[index] !== id))
        return `${name} asked for ${run.asks.length} and ${asked.length} wait`;
    }
    const hosted = session.config?.lead === "hosted";
    const isAsleep = hosted && !facts.lead(session.lead.snapshot).live;
    const { questions, run } = session.lead;
    const open = session.polls.length + questions.length + run.asks.length;
    return isAsleep && open > 0 ? "what the Lead waits for outlived its run" : null;
  },
  step(step) {
    const { before, after, record, applied } = step;
    const outside = outsideStepProblem(before, after);
    if (outside !== null) return outside;
    if (!isCommand(record.input.event) && applied.replies.length === 0 && !isAsking(before)) return null;
    const [was, is] = [pendingRefs(before), pendingRefs(after)];
    const own = ownRef(record.input);
    const answered = new Set<string>();
    for (const { to } of applied.replies) {
      const ref = refKey(to);
      if (answered.has(ref)) return `${ref} was answered twice`;
      answered.add(ref);
      if (ref !== own && !was.has(ref)) return `${ref} was answered and never asked`;
      if (was.has(ref) && is.has(ref) && ref !== own) return `${ref} was answered and still waits`;
    }
    for (const ref of was) if (!is.has(ref) && !answered.has(ref)) return `${ref} was dropped without an answer`;
    const isDone = isCommand(record.input.event) && applied.verdict === "handled";
    return isDone && !answered.has(own) && !is.has(own) ? `${own} was carried out and not answered` : null;
  },
  told: (step) => commandProblem(step) ?? answerProblem(step),
};

/** Whether anybody may wait for an answer. */
function isAsking({ requests, polls, lead, team, members }: SessionState): boolean {
  if (requests.length + polls.length + lead.questions.length + (team?.dissolveWaiters.length ?? 0) > 0) return true;
  for (const { run } of members.values()) if (run.planCall !== null) return true;
  return false;
}

function ownRef({ command, from, id, event }: JudgedStep["record"]["input"]): string {
  // What asks for nothing is known by its own id, whatever else it carries.
  if (command === undefined || !isCommand(event)) return refKey({ from, id });
  return "call" in command
    ? refKey({ from, id: command.call })
    : refKey({ from: `client:${command.client}`, id: String(command.n) });
}

/** G6 to G10. */
export const teamGuarantees: readonly Guarantee[] = [replan, dissolve, progress, rights, answers];
