import { refusal, type Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import type { PermissionResult, Reply } from "../../protocol/reply.ts";
import type { RunActivity } from "../member-events.ts";
import type { LeadActivity } from "../lead-machine.ts";
import type { Draft } from "./draft.ts";
import { notifyLead } from "./mail.ts";
import type { CommandRef, MemberRecord, PermissionRequest, Poll } from "./state.ts";

/** Things that wait for somebody: permission requests, plans, questions and long polls. Each gets exactly one answer. */

/** Answered requests that are remembered, so that a second answer is told so. */
const answeredMax = 64;

/** Where a member's run goes on, from what is still open. */
export function restOf({ run, snapshot }: MemberRecord, planned: boolean = snapshot.context.planned): RunActivity {
  if (run.planCall !== null) return "waiting_plan_approval";
  if (run.asks.length > 0) return "waiting_permission";
  if (run.externals.length > 0) return "waiting_external";
  if (run.calls.length > 0) return "tool";
  return snapshot.context.requirePlan && !planned ? "planning" : "thinking";
}

/** Where the lead's turn goes on. */
export function leadRest(draft: Draft): LeadActivity {
  if (draft.lead.questions.length > 0 || draft.lead.run.asks.length > 0) return "asking_user";
  if (draft.state.polls.length > 0) return "awaiting_team";
  if (draft.lead.run.externals.length > 0) return "waiting_external";
  return draft.lead.run.calls.length > 0 ? "tool" : "thinking";
}

/** A call of a member, or of a lead that we run, asks before it runs. */
export function askPermission(
  draft: Draft,
  ask: InputOf<"permission.ask">,
  command: CommandRef,
): readonly Refusal[] | null {
  const { from } = draft.input;
  const member = draft.member(from);
  if (member === undefined && (from !== "lead" || !draft.facts.lead(draft.lead.snapshot).live)) {
    return [draft.refusal("fenced", { reason: "only a run may ask for a permission (permission.ask)" })];
  }
  // Call ids are the provider's and need not be unique between members.
  const taken = draft.state.requests.some((request) => request.id === command.id);
  const id = taken ? `${command.id}:${from}` : command.id;
  const request: PermissionRequest = {
    id,
    member: from,
    ...(ask.call === undefined ? {} : { call: ask.call }),
    kind: ask.kind,
    tool: ask.tool,
    subject: ask.subject,
    input: draft.input.body ?? null,
    // Nobody answers for itself.
    approver: member === undefined ? "user" : ask.approver,
    deadline: {
      generation: draft.record.seq,
      armedAt: draft.input.at,
      ms: draft.state.config?.limits.permissionMs ?? 0,
    },
    command,
  };
  draft.set({ requests: [...draft.state.requests, request] });
  draft.notable = true;
  if (member === undefined) {
    const { run } = draft.lead;
    draft.changeLead({ run: { ...run, asks: [...run.asks, id] } });
    draft.postLead("lead", () => ({ type: "question.asked", rest: leadRest(draft) }));
    draft.postLead("lead", { type: "permission.opened" });
    draft.visible = true;
    return null;
  }
  draft.changeMember(from, { run: { ...member.run, asks: [...member.run.asks, id] } });
  draft.postMember(from, from, (current) => ({ type: "permission.asked", rest: restOf(current) }));
  draft.postLead(from, { type: "permission.opened" });
  // A lead of its own loop has no tool to answer by.
  const isForLead = request.approver === "lead" && draft.state.config?.lead === "hosted";
  const notice = isForLead ? "permission_to_answer" : "permission_requested";
  notifyLead(draft, notice, { about: from, reason: `${ask.kind}: ${ask.tool}` });
  return null;
}

/** The user's or the Lead's answer; the second one changes nothing. */
export function answerPermission(draft: Draft, answer: InputOf<"permission.answer">): readonly Refusal[] | null {
  const request = draft.state.requests.find((each) => each.id === answer.request);
  if (request === undefined) {
    const answered = draft.state.answered.some((each) => each.id === answer.request);
    return [draft.refusal(answered ? "already_answered" : "unknown_permission", { id: answer.request })];
  }
  if (draft.input.from === "lead" && request.approver !== "lead" && draft.state.config?.lead !== "none") {
    return [
      draft.refusal("permission_denied", {
        tool: request.tool,
        reason: "this request waits for the user, not for you",
      }),
    ];
  }
  endPermission(draft, request, { verdict: answer.approve ? "approved" : "denied", note: answer.note ?? null });
  return null;
}

/** Ends a request with its one answer. */
export function endPermission(draft: Draft, request: PermissionRequest, result: PermissionResult): void {
  const requests = draft.state.requests.filter((each) => each.id !== request.id);
  const answered = [...draft.state.answered, { id: request.id, verdict: result.verdict }].slice(-answeredMax);
  draft.set({ requests, answered });
  const asker = request.member;
  const { run } = asker === "lead" ? draft.lead : draft.mustMember(asker);
  const change = { run: { ...run, asks: run.asks.filter((id) => id !== request.id) } };
  if (asker === "lead") draft.changeLead(change);
  else draft.changeMember(asker, change);
  draft.reply(request.command, { ok: { type: "permission", ...result } });
  if (result.verdict !== "cancelled") {
    const { from } = draft.input;
    if (asker === "lead") draft.postLead(from, () => ({ type: "question.answered", rest: leadRest(draft) }));
    else draft.postMember(asker, from, (current) => ({ type: "permission.answered", rest: restOf(current) }));
  }
  draft.postLead(asker, () => ({ type: "permission.closed", more: draft.state.requests.length > 0 }));
  draft.notable = true;
  draft.visible = true;
}

/** A member's run ended: what it asked for is answered with `cancelled`, so that nobody waits for ever. */
export function cancelRequestsOf(draft: Draft, token: string): void {
  cancelPermissionsOf(draft, token);
  cancelPlan(draft, token, "the run has ended");
}

function cancelPermissionsOf(draft: Draft, token: string): void {
  for (const request of draft.state.requests) {
    if (request.member === token) endPermission(draft, request, { verdict: "cancelled", note: null });
  }
}

function cancelPlan(draft: Draft, token: string, reason: string): void {
  const { run } = draft.mustMember(token);
  if (run.planCall === null) return;
  draft.reply({ from: token, id: run.planCall }, { refused: [refusal("fenced", { reason })] });
  draft.changeMember(token, { run: { ...run, planCall: null, plan: null } });
}

/** A call ended while it still asked for something: nobody waits for that answer any more. */
export function cancelRequestsOfCall(draft: Draft, token: string, call: string): void {
  const isOwn = (waiting: { readonly call?: string; readonly command: CommandRef }) =>
    waiting.command.from === token && (waiting.call ?? waiting.command.id) === call;
  for (const request of draft.state.requests.filter(isOwn)) {
    endPermission(draft, request, { verdict: "cancelled", note: null });
  }
  if (token !== "lead") {
    if (draft.mustMember(token).run.planCall === call) cancelPlan(draft, token, "the call has ended");
    return;
  }
  for (const poll of draft.state.polls.filter(isOwn)) answerPoll(draft, poll, false);
  const gone: Reply = { refused: [refusal("fenced", { reason: "the call has ended" })] };
  for (const { command } of draft.lead.questions.filter(isOwn)) draft.reply(command, gone);
  draft.changeLead({ questions: draft.lead.questions.filter((each) => !isOwn(each)) });
}

/** A member submits its plan and waits. */
export function submitPlan(draft: Draft, command: CommandRef): readonly Refusal[] | null {
  const member = draft.mustMember(draft.input.from);
  const { requirePlan, planned } = member.snapshot.context;
  if (!requirePlan || planned || member.run.planCall !== null) {
    return [draft.refusal("disabled", { what: "plan approval", how: "This member needs none now; work" })];
  }
  draft.changeMember(member.token, { run: { ...member.run, planCall: command.id, plan: draft.input.body ?? null } });
  draft.postMember(member.token, member.token, { type: "plan.submitted" });
  notifyLead(draft, "plan_requested", { about: member.token });
  draft.notable = true;
  return null;
}

/** The answer to a plan. */
export function answerPlan(
  draft: Draft,
  answer: InputOf<"plan.answer">,
  member: MemberRecord,
): readonly Refusal[] | null {
  const call = member.run.planCall;
  if (call === null) return [draft.refusal("unknown_permission", { id: `plan of ${member.name}` })];
  draft.changeMember(member.token, { run: { ...member.run, planCall: null, plan: null } });
  draft.reply({ from: member.token, id: call }, { ok: { type: "plan", approved: answer.approve } });
  draft.postMember(member.token, draft.input.from, (current) =>
    answer.approve
      ? { type: "plan.approved", rest: restOf(current, true) }
      : { type: "plan.rejected", rest: restOf(current) },
  );
  return null;
}

/** The lead asks the user; only a lead that we run has a turn that can wait. */
export function askQuestion(draft: Draft, command: CommandRef): readonly Refusal[] | null {
  if (draft.input.from !== "lead" || !draft.facts.lead(draft.lead.snapshot).live) return [draft.refusal("no_lead", {})];
  draft.changeLead({ questions: [...draft.lead.questions, { call: command.id, command }] });
  draft.postLead("lead", () => ({ type: "question.asked", rest: leadRest(draft) }));
  return null;
}

/** The user's answer to the lead's question. */
export function answerQuestion(draft: Draft, call: string): readonly Refusal[] | null {
  const question = draft.lead.questions.find((each) => each.call === call);
  if (question === undefined) return [draft.refusal("unknown_permission", { id: call })];
  draft.changeLead({ questions: draft.lead.questions.filter((each) => each !== question) });
  draft.reply(question.command, { ok: { type: "question" } });
  draft.postLead("user", () => ({ type: "question.answered", rest: leadRest(draft) }));
  return null;
}

/** The lead asks for the status: at once, or when something notable happens after `since`. Others don't wait. */
export function pollStatus(draft: Draft, poll: InputOf<"team.status">, command: CommandRef): Reply | null {
  const isLead = draft.input.from === "lead";
  const { config, lead } = draft.state;
  // A hosted lead's poll ends with its run, so without one it can't wait.
  const waits = isLead && (config?.lead !== "hosted" || draft.facts.lead(lead.snapshot).live);
  const news = !waits || lead.unread.some((mail) => mail.wakes);
  const { notableVersion, version } = draft.state;
  // Nobody has seen a version that is yet to come: who says so would sleep through everything until then.
  const since = poll.since === undefined ? undefined : Math.min(poll.since, version);
  const longestMs = config?.limits.pollMs ?? 0;
  const ms = Math.min(poll.waitMs ?? longestMs, longestMs);
  if (since === undefined || notableVersion > since || news || ms === 0 || draft.state.team === null) {
    if (isLead) markSeen(draft);
    return {
      ok: {
        type: "status",
        changed: since === undefined || notableVersion > since,
        waitedMs: 0,
        timedOut: false,
      },
    };
  }
  const deadline = { generation: draft.record.seq, armedAt: draft.input.at, ms };
  draft.set({ polls: [...draft.state.polls, { call: command.id, since, deadline, command }] });
  draft.postLead("lead", () => ({ type: "poll.opened", rest: leadRest(draft) }));
  return null;
}

/** Answers a poll; what a status shows counts as seen and wakes nobody. */
export function answerPoll(draft: Draft, poll: Poll, changed: boolean): void {
  draft.set({ polls: draft.state.polls.filter((each) => each !== poll) });
  const waitedMs = Math.max(0, Math.min(poll.deadline.ms, draft.input.at - poll.deadline.armedAt));
  draft.reply(poll.command, { ok: { type: "status", changed, waitedMs, timedOut: !changed } });
  draft.postLead(draft.team.token, () => ({ type: "poll.closed", rest: leadRest(draft) }));
  markSeen(draft);
}

/** Notices that a status shows anyway are read with it; mail is not. */
function markSeen(draft: Draft): void {
  const unread = draft.lead.unread.filter(
    (mail) => mail.kind !== "system" || mail.notice === "dead_letter" || mail.notice === "user_said",
  );
  if (unread.length === draft.lead.unread.length) return;
  const still = new Set(unread);
  const seen = draft.lead.unread.filter((mail) => !still.has(mail)).map(({ id }) => id);
  draft.noteMail({ type: "delivered", to: "lead", ids: seen });
  draft.changeLead({ unread });
}

/** The lead's run ended: its polls, questions and permission requests end with it. */
export function closePolls(draft: Draft): void {
  cancelPermissionsOf(draft, "lead");
  const gone: Reply = { refused: [refusal("fenced", { reason: "the run that asked has ended" })] };
  for (const poll of draft.state.polls) draft.reply(poll.command, gone);
  for (const question of draft.lead.questions) draft.reply(question.command, gone);
  if (draft.state.polls.length > 0) draft.set({ polls: [] });
  if (draft.lead.questions.length > 0) draft.changeLead({ questions: [] });
}
