import { refusal, type Refusal } from "../../errors/index.ts";
import type { InputEvent, InputOf } from "../../protocol/input.ts";
import { canonicalRecipient, LEAD } from "../../protocol/names.ts";
import type { Reply } from "../../protocol/reply.ts";
import { createTeam } from "./create.ts";
import { dissolveTeam } from "./dissolve.ts";
import type { Draft } from "./draft.ts";
import { refusedByHook } from "./hooks.ts";
import { commandRef } from "./identity.ts";
import { inviteAgent } from "./invite.ts";
import { acknowledgeMail } from "./acknowledge.ts";
import { interruptMember } from "./interrupt.ts";
import { markInjected } from "./mail.ts";
import { sendMessage } from "./mail-gate.ts";
import { answerOutside } from "./outside.ts";
import { replanTeam } from "./replan.ts";
import {
  answerPermission,
  answerPlan,
  answerPoll,
  answerQuestion,
  askPermission,
  askQuestion,
  pollStatus,
  submitPlan,
} from "./requests.ts";
import { unknownMember } from "./faults.ts";
import { findMember, memberNames } from "./roster.ts";
import { addTask, claimTask } from "./task-commands.ts";
import { updateTask } from "./task-updates.ts";

/** What became of a command: an answer now, an answer later, or nothing to do. */
export type Outcome = Reply | "later";

/** The inputs that ask for something and get a reply. */
export type Command = Extract<
  InputEvent,
  {
    type:
      | "team.create"
      | "team.replan"
      | "team.dissolve"
      | "team.invite"
      | "message.send"
      | "team.status"
      | "poll.ended"
      | "task.add"
      | "task.claim"
      | "task.update"
      | "work.complete"
      | "plan.submit"
      | "plan.answer"
      | "permission.ask"
      | "permission.answer"
      | "external.answer"
      | "question.ask"
      | "question.answer"
      | "lead.prompt"
      | "lead.injected"
      | "member.interrupt"
      | "mail.acknowledge";
  }
>;

/** Only the lead and the user may do these; by identity, never by a message's text. */
const leadOnly: Partial<Record<InputEvent["type"], string>> = {
  "team.create": "team_create",
  "team.replan": "team_replan",
  "team.dissolve": "team_dissolve",
  "team.invite": "team_invite",
  "team.status": "team_status",
  "permission.answer": "permission answers",
  "plan.answer": "plan answers",
  "external.answer": "results of calls that wait",
  "question.ask": "ask_user_question",
  "question.answer": "question answers",
  "lead.prompt": "prompts",
  "lead.injected": "lead.injected",
  "poll.ended": "team_status",
  "member.interrupt": "interrupt",
};

const accepted: Reply = { ok: { type: "accepted" } };
const answered = (problems: readonly Refusal[] | null): Reply => (problems === null ? accepted : { refused: problems });
const later = (problems: readonly Refusal[] | null): Outcome => (problems === null ? "later" : { refused: problems });

/** What only a member's run can do; a lead delivers by ending its turn. */
const memberOnly: ReadonlySet<InputEvent["type"]> = new Set(["work.complete", "plan.submit"]);

/** Carries a command out. A refused one has changed nothing. */
export function carryOut(draft: Draft, event: Command): Outcome {
  const { from } = draft.input;
  const tool = leadOnly[event.type];
  const member = draft.member(from);
  if (tool !== undefined && member !== undefined) {
    return { refused: [refusal("lead_only", { tool, caller: member.name })] };
  }
  if (member === undefined && memberOnly.has(event.type)) {
    return { refused: [refusal("fenced", { reason: `only a member's run may do this (${event.type})` })] };
  }
  if (isMeantForAnother(draft, event))
    return { refused: [refusal("fenced", { reason: "another team has taken its place" })] };
  // TypeScript cannot see that a handler looked up by an event's type takes that event.
  return handlers[event.type](draft, event as never);
}

/** Whether a change lies in the mailbox of a team whose place another one has taken meanwhile. */
function isMeantForAnother({ input, state }: Draft, { type }: Command): boolean {
  const isOfTheTeam = type === "team.replan" || type === "team.dissolve" || type === "team.invite";
  if (!isOfTheTeam && !type.startsWith("task.")) return false;
  return /^team-\d+$/.test(input.actor) && state.team !== null && input.actor !== state.team.token;
}

const handlers: { [Type in Command["type"]]: (draft: Draft, event: InputOf<Type>) => Outcome } = {
  "team.create"(draft, event) {
    const { plan } = draft.record;
    if (plan === undefined || !("members" in plan)) return { refused: [missingPlan(event.plan)] };
    const blocked = refusedByHook(event);
    if (blocked !== null) return { refused: [blocked] };
    const result = createTeam(draft, plan, event.byModel);
    return "team" in result ? { ok: { type: "created", ...result } } : { refused: result };
  },
  "team.replan"(draft, event) {
    const { plan } = draft.record;
    if (plan === undefined || !("rewire" in plan)) return { refused: [missingPlan(event.plan)] };
    const blocked = refusedByHook(event);
    if (blocked !== null) return { refused: [blocked] };
    const result = replanTeam(draft, plan, event.byModel);
    return "revision" in result ? { ok: { type: "replanned", ...result } } : { refused: result };
  },
  "team.invite"(draft, event) {
    const { plan } = draft.record;
    if (plan === undefined || !("agent" in plan)) return { refused: [missingPlan(event.plan)] };
    const result = inviteAgent(draft, plan, event);
    return "revision" in result ? { ok: { type: "invited", ...result } } : { refused: result };
  },
  "team.dissolve"(draft, event) {
    const result = dissolveTeam(draft, event, commandRef(draft));
    if (result === "later") return "later";
    if (result !== "over") return { refused: result };
    const { team } = draft;
    return { ok: { type: "dissolved", outcome: team.snapshot.context.outcome, cancelled: team.cancelledByDissolve } };
  },
  "message.send"(draft, event) {
    const blocked = refusedByHook(event);
    if (blocked !== null) return { refused: [blocked] };
    const result = sendMessage(draft, event);
    return "accepted" in result ? { ok: { type: "sent", ...result } } : { refused: result };
  },
  "team.status": (draft, event) => pollStatus(draft, event, commandRef(draft)) ?? "later",
  "poll.ended"(draft, event) {
    for (const poll of draft.state.polls) if (poll.call === event.call) answerPoll(draft, poll, false);
    return accepted;
  },
  "task.add"(draft, event) {
    const { plan } = draft.record;
    if (plan === undefined || !("subject" in plan) || "task" in plan) return { refused: [missingPlan(event.plan)] };
    const blocked = refusedByHook(event);
    if (blocked !== null) return { refused: [blocked] };
    const result = addTask(draft, plan);
    return "task" in result ? { ok: { type: "task_added", ...result } } : { refused: result };
  },
  "task.claim"(draft, event) {
    const result = claimTask(draft, event);
    return "task" in result ? { ok: { type: "task_claimed", ...result } } : { refused: result };
  },
  "task.update"(draft, event) {
    const { plan } = draft.record;
    if (plan === undefined || !("task" in plan)) return { refused: [missingPlan(event.plan)] };
    const result = updateTask(draft, plan);
    return "task" in result ? { ok: { type: "task_updated", ...result } } : { refused: result };
  },
  "work.complete": completeWork,
  "plan.submit": (draft) => later(submitPlan(draft, commandRef(draft))),
  "plan.answer"(draft, event) {
    const member = findMember(draft, event.member);
    if (member === undefined) return { refused: unknownMember(event.member, memberNames(draft)) };
    return answered(answerPlan(draft, event, member));
  },
  "permission.ask": (draft, event) => later(askPermission(draft, event, commandRef(draft))),
  "permission.answer": (draft, event) => answered(answerPermission(draft, event)),
  "external.answer"(draft, event) {
    const { member } = event;
    const actor = member === undefined ? null : actorNamed(draft, member);
    if (actor === undefined) return { refused: unknownMember(member ?? "", memberNames(draft)) };
    return answered(answerOutside(draft, event, actor));
  },
  "question.ask": (draft) => later(askQuestion(draft, commandRef(draft))),
  "question.answer": (draft, event) => answered(answerQuestion(draft, event.call)),
  "lead.prompt": promptLead,
  "lead.injected"(draft, event) {
    markInjected(draft, "lead", event.mail);
    return accepted;
  },
  "member.interrupt": (draft, event) => answered(interruptMember(draft, event)),
  "mail.acknowledge": (draft, event) => answered(acknowledgeMail(draft, event)),
};

/** Whether an input is a command, so that its key names it; anything else is known by its own id. */
export const isCommand = (event: InputEvent): event is Command => Object.hasOwn(handlers, event.type);

const missingPlan = (plan: string): Refusal =>
  refusal("bad_input", { what: `plan ${plan}`, problem: "it is not there, or is one of the other kind" });

/** The token of the lead or a member by its name; undefined = nobody. */
const actorNamed = (draft: Draft, name: string): string | undefined =>
  canonicalRecipient(name) === LEAD ? "lead" : findMember(draft, name)?.token;

/** A member delivers: accepted now, effective once the step's other calls have ended. */
function completeWork(draft: Draft, event: InputOf<"work.complete">): Outcome {
  const member = draft.mustMember(draft.input.from);
  const { work, activity } = draft.facts.member(member.snapshot);
  if (work !== "in_progress" || activity === "completing") {
    return {
      refused: [
        refusal("already_completed", { name: member.name, status: activity === "completing" ? "completing" : work }),
      ],
    };
  }
  const { requirePlan, planned } = member.snapshot.context;
  if (requirePlan && !planned) {
    return { refused: [refusal("permission_denied", { tool: "complete", reason: "your plan is not approved yet" })] };
  }
  const blocked = refusedByHook(event);
  if (blocked !== null) return { refused: [blocked] };
  const call = commandRef(draft).id;
  draft.changeMember(member.token, {
    run: { ...member.run, completeCall: call, pendingResult: draft.input.body ?? null },
  });
  draft.postMember(member.token, member.token, { type: "work.complete" });
  return accepted;
}

/** The user speaks to a hosted lead: its next turn, or news for the one that is going on. */
function promptLead(draft: Draft, { bytes }: InputOf<"lead.prompt">): Outcome {
  if (draft.state.config?.lead !== "hosted") return { refused: [refusal("no_lead", {})] };
  const { lead } = draft;
  const { seq, input } = draft.record;
  const { unreadMessagesMax: max, promptBytesMax } = draft.state.config.limits;
  if (bytes > promptBytesMax) {
    return { refused: [refusal("prompt_too_large", { member: LEAD, bytes, promptBytesMax })] };
  }
  const unread = lead.unread.filter((each) => each.notice === "user_said").length;
  if (unread >= max) {
    return { refused: [refusal("mailbox_full", { to: LEAD, unread, unreadMax: max, unit: "messages" })] };
  }
  const mail = {
    number: lead.received + 1,
    id: input.id,
    seq,
    from: "user",
    kind: "system",
    notice: "user_said",
    about: null,
    reason: null,
    bytes: 0,
    hops: 0,
    broadcast: false,
    body: input.body ?? null,
    wakes: true,
    at: input.at,
  } as const;
  draft.changeLead({ unread: [...lead.unread, mail], received: mail.number, failure: null });
  draft.noteMail({ type: "accepted", to: "lead", mail });
  draft.postLead("user", { type: "lead.prompted" });
  draft.notable = true;
  return accepted;
}
