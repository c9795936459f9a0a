import { nudgesMax } from "../member-events.ts";
import type { Effect } from "../transition-once.ts";
import { dissolveEffects } from "./dissolve.ts";
import type { Draft, EffectHandlers } from "./draft.ts";
import { deadLetterMail, isDissolving, notifyLead } from "./mail.ts";
import { cancelRequestsOf, closePolls } from "./requests.ts";
import { applyFailurePolicy, satisfyDownstream } from "./schedule.ts";
import { emptyRun, type MemberRecord } from "./state.ts";

/** What follows from the effects that the machines ask for: one table per machine, keyed by the effect's name. */

type MemberEffect = (draft: Draft, token: string) => void;

const memberEffects: Record<Effect, MemberEffect> = {
  announceCompleted(draft, token) {
    const member = draft.mustMember(token);
    const result = draft.input.event.type === "run.completed" ? (draft.input.body ?? null) : member.run.pendingResult;
    draft.changeMember(token, { result: result ?? member.result, reason: null });
    draft.notable = true;
    satisfyDownstream(draft, draft.mustMember(token));
  },
  announceFailed(draft, token) {
    const reason = failureReason(draft, draft.mustMember(token));
    draft.changeMember(token, { reason });
    draft.notable = true;
    if (isDissolving(draft)) return;
    notifyLead(draft, "member_failed", { about: token, reason });
    applyFailurePolicy(draft, draft.mustMember(token));
  },
  announceCancelled(draft, token) {
    if (!isDissolving(draft)) return;
    draft.changeTeam({ cancelledByDissolve: [...draft.team.cancelledByDissolve, draft.mustMember(token).name] });
  },
  announceIdle: (draft, token) => notifyLead(draft, "member_idle", { about: token, wakes: false }),
  announceFollowUpFailed: (draft, token) =>
    notifyLead(draft, "follow_up_failed", { about: token, reason: failureReason(draft, draft.mustMember(token)) }),
  announceShutdown: () => {},
  announceShutdownRefused(draft, token) {
    const { event } = draft.input;
    const reason = event.type === "shutdown.replied" ? event.reason : null;
    notifyLead(draft, "shutdown_refused", { about: token, reason });
  },
  deadLetterMail,
  cancelRequests(draft, token) {
    cancelRequestsOf(draft, token);
    const { run } = draft.mustMember(token);
    // A run that was lost left its calls open: the next one ends them, so they and their replies are kept.
    const keeps = draft.input.event.type === "run.lost" || draft.input.event.type === "owner.claimed";
    draft.changeMember(token, { run: keeps ? { ...run, k: 0, asks: [], externals: [], planCall: null } : emptyRun });
  },
  openTurns(draft, token) {
    const member = draft.mustMember(token);
    const woken = member.unread.length > 0 && draft.input.event.type === "message.send";
    const byBroadcast = woken && member.unread.every((mail) => mail.broadcast);
    draft.changeMember(token, {
      turn: {
        turns: 1,
        hops: 0,
        broadcasts: byBroadcast && member.turn.broadcastWoken ? member.turn.broadcasts : 0,
        broadcastWoken: byBroadcast,
      },
    });
  },
};

/** Why a member failed, `class: sentence`, from the input that made it fail. */
function failureReason(draft: Draft, member: MemberRecord): string {
  const { event } = draft.input;
  if (event.type === "run.failed" || event.type === "run.lost") return event.reason;
  if (event.type === "turn.ended") {
    return member.turn.turns > nudgesMax + 1
      ? "budget: it took all its turns without a result (turnsMax)"
      : `no_report: it ended ${nudgesMax + 1} turns without calling complete`;
  }
  return "interrupted: its run ended";
}

const leadEffects: Record<Effect, (draft: Draft) => void> = {
  announceTurnEnded(draft) {
    draft.changeLead({ answer: draft.input.body ?? null, failure: null });
    draft.visible = true;
  },
  announceTurnFailed(draft) {
    const { event } = draft.input;
    const failure = event.type === "run.failed" || event.type === "run.lost" ? event.reason : "interrupted";
    draft.changeLead({ failure });
    draft.visible = true;
  },
  closePolls(draft) {
    closePolls(draft);
    const keeps = draft.input.event.type === "run.lost" || draft.input.event.type === "owner.claimed";
    const { run, turn } = draft.lead;
    draft.changeLead({ run: keeps ? { ...run, k: 0 } : emptyRun, turn: { ...turn, hops: 0 } });
  },
};

const sessionEffects: Record<Effect, (draft: Draft) => void> = {
  /** A new owner: runs of the old one are over unless they are adopted; live actors think again. */
  announceOwner(draft) {
    for (const token of draft.state.team?.order ?? []) {
      if (draft.memberFacts(token).activity === null) continue;
      draft.postMember(token, "session", (member) => ({
        type: "owner.changed",
        mail: member.unread.length > 0,
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
  member: (draft, token, effect) => handlerOf(memberEffects, effect)(draft, token),
  team: (draft, effect) => handlerOf(dissolveEffects, effect)(draft),
  lead: (draft, effect) => handlerOf(leadEffects, effect)(draft),
  session: (draft, effect) => handlerOf(sessionEffects, effect)(draft),
};
