import type { Reply } from "../../protocol/reply.ts";
import type { Effect } from "../transition-once.ts";
import { dissolveEffects } from "./dissolve.ts";
import type { Draft, EffectHandlers } from "./draft.ts";
import { cancelReason, failureReason } from "./end-reasons.ts";
import { deadLetterMail, notifyLead } from "./mail.ts";
import { isStopped } from "./hooks.ts";
import { isDissolving } from "./standing.ts";
import { leaveOutside } from "./outside.ts";
import { cancelRequestsOf, closePolls } from "./requests.ts";
import { applyFailurePolicy, satisfyDownstream } from "./schedule.ts";
import { hasMail, requestShutdown, withdrawRequest } from "./shutdown.ts";
import { emptyRun, type RunData } from "./state.ts";
import { completeTasksOf, dropTasksOf, dropTasksOfTurn, liftAssignmentsOf } from "./task-owners.ts";

/** What follows from the effects that the machines ask for: one table per machine, keyed by the effect's name. */

/** `run` is the member's as it was when the step began: an ended run has left nothing of itself after it. */
type MemberEffect = (draft: Draft, token: string, run: RunData) => void;

const memberEffects: Record<Effect, MemberEffect> = {
  announceCompleted(draft, token, run) {
    const reported = draft.input.event.type === "run.completed" ? (draft.input.body ?? null) : null;
    const own = draft.openMember(token);
    own.result = reported ?? run.pendingResult;
    own.reason = null;
    draft.notable = true;
    satisfyDownstream(draft, own);
    completeTasksOf(draft, token);
  },
  announceFailed(draft, token) {
    const reason = failureReason(draft, draft.mustMember(token));
    draft.changeMember(token, { reason });
    draft.notable = true;
    if (isDissolving(draft)) return;
    notifyLead(draft, "member_failed", { about: token, reason });
    dropTasksOf(draft, token, "failed");
    applyFailurePolicy(draft, draft.mustMember(token));
  },
  announceCancelled(draft, token) {
    const member = draft.mustMember(token);
    // What it failed with stays the reason.
    if (member.reason === null) draft.openMember(token).reason = cancelReason(draft, member);
    dropTasksOf(draft, token, "was cancelled");
    liftAssignmentsOf(draft, token);
  },
  announceIdle: (draft, token) => notifyLead(draft, "member_idle", { about: token, wakes: false }),
  announceFollowUpFailed(draft, token) {
    dropTasksOfTurn(draft, token);
    // Who is stopped by a hook is told of as that.
    if (isStopped(draft.input.event)) return;
    notifyLead(draft, "follow_up_failed", { about: token, reason: failureReason(draft, draft.mustMember(token)) });
  },
  announceShutdown(draft, token) {
    dropTasksOf(draft, token, "shut down");
    liftAssignmentsOf(draft, token);
  },
  announceShutdownRefused(draft, token) {
    const { event } = draft.input;
    const reason = event.type === "shutdown.replied" ? event.reason : null;
    withdrawRequest(draft, token);
    notifyLead(draft, "shutdown_refused", { about: token, reason: reason === "" ? null : reason });
  },
  requestShutdown,
  deadLetterMail,
  cancelRequests(draft, token) {
    cancelRequestsOf(draft, token);
    const { activity } = draft.memberFacts(token);
    const own = draft.openMember(token);
    own.run = activity === null ? emptyRun : keptRun(draft, token, own.run, activity === "completing");
    leaveOutside(draft, token);
  },
  openTurns(draft, token) {
    const member = draft.mustMember(token);
    const woken = member.unread.length > 0 && draft.input.event.type === "message.send";
    const broadcastWoken = woken && member.unread.every((mail) => mail.broadcast);
    draft.changeMember(token, { turn: { turns: 1, hops: 0, broadcasts: 0, broadcastWoken, idleBlocks: 0 } });
  },
};

/** What is left of a run: nothing, but for one that was lost: the next one ends its open calls and keeps their replies. */
function keptRun(draft: Draft, token: string, run: RunData, completing: boolean): RunData {
  const { type } = draft.input.event;
  if (type !== "run.lost" && type !== "owner.claimed") return emptyRun;
  const { calls } = run;
  // Whoever waited was told that its run is gone. The next run asks the same again, and is not to be told that, too.
  const isGone = (call: string): boolean =>
    draft.replies.some(({ to, reply }) => to.from === token && to.id === call && saysGone(reply));
  const remembered = run.remembered.filter(({ call }) => !isGone(call));
  // What was delivered meanwhile is delivered; otherwise the next run only closes it.
  const delivery = completing
    ? { closing: true, completeCall: run.completeCall, pendingResult: run.pendingResult }
    : {};
  return { ...emptyRun, calls, remembered, ...delivery };
}

/** Whether this is what is told when a run ends that still asks: no answer of anybody. */
const saysGone = (reply: Reply): boolean =>
  "refused" in reply || (reply.ok.type === "permission" && reply.ok.verdict === "cancelled");

const leadEffects: Record<Effect, (draft: Draft) => void> = {
  announceTurnEnded(draft) {
    draft.changeLead({ answer: draft.input.body ?? null, failure: null });
    draft.visible = true;
  },
  announceTurnFailed(draft) {
    const { event } = draft.input;
    const failure = event.type === "run.failed" || event.type === "run.lost" ? event.reason : "interrupted";
    // What it failed on must not wake it again at once, for ever: the next news or prompt does.
    const unread = draft.lead.unread.map((mail) => (mail.wakes ? { ...mail, wakes: false } : mail));
    draft.changeLead({ failure, unread });
    draft.visible = true;
  },
  closePolls(draft) {
    closePolls(draft);
    const { run, turn } = draft.lead;
    const goesOn = draft.facts.lead(draft.lead.snapshot).live;
    draft.changeLead({ run: goesOn ? keptRun(draft, "lead", run, false) : emptyRun, turn: { ...turn, hops: 0 } });
    leaveOutside(draft, "lead");
  },
};

const sessionEffects: Record<Effect, (draft: Draft) => void> = {
  /** A new owner: runs of the old one are over unless they are adopted; live actors think again. */
  announceOwner(draft) {
    for (const token of draft.state.team?.order ?? []) {
      if (draft.memberFacts(token).activity === null) continue;
      draft.postMember(token, "session", (member) => ({
        type: "owner.changed",
        mail: hasMail(member.unread),
        open: member.run.calls.some((call) => call !== member.run.completeCall),
      }));
    }
    draft.postLead("session", { type: "owner.changed" });
  },
  closeEverything(draft) {
    if (draft.state.team !== null && !isDissolving(draft)) {
      draft.postTeam("session", { type: "team.dissolve", mode: "abort", outcome: "dissolved", asks: false });
    } else if (draft.state.team !== null) {
      draft.postTeam("session", { type: "grace.expired" });
    }
    closePolls(draft);
    draft.postLead("session", { type: "session.closed" });
  },
};

const handlerOf = <Handler>(table: Record<Effect, Handler>, effect: Effect): Handler => {
  const handler = table[effect];
  if (handler === undefined) throw new Error(`no handler for the effect ${effect}`);
  return handler;
};

/** The tables as the draft calls them. */
export const effectHandlers: EffectHandlers = {
  member: (draft, token, effect, run) => handlerOf(memberEffects, effect)(draft, token, run),
  team: (draft, effect) => handlerOf(dissolveEffects, effect)(draft),
  lead: (draft, effect) => handlerOf(leadEffects, effect)(draft),
  session: (draft, effect) => handlerOf(sessionEffects, effect)(draft),
};
