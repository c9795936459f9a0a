import { refusal, type Refusal } from "../../errors/index.ts";
import type { InputEvent, InputOf } from "../../protocol/input.ts";
import { nudgesMax } from "../member-events.ts";
import type { Draft } from "./draft.ts";
import { deliver, notifyLead } from "./mail.ts";
import type { MemberRecord } from "./state.ts";
import { turnsMaxOf } from "./turns.ts";

/**
 * What hooks of the host answered. The host asks them before it reports; the answer is in the input, so whoever folds the
 * log calls no hook.
 */

/** A run input that ends something, with what a hook said to that. */
type Ending = InputOf<"turn.ended" | "step.ended" | "run.completed">;

/** How often in a row a hook may keep a member from idling. */
export const idleBlocksMax = nudgesMax;

/** The commands that hooks are asked about, with the tools that give them. */
export const hookedTools = Object.freeze({
  "message.send": "team_send_message",
  "work.complete": "complete",
  "task.add": "team_task_add",
  "team.create": "team_create",
  "team.replan": "team_replan",
} as const);

/** A command that may say what a hook answered to it. */
export type HookedCommand = InputOf<keyof typeof hookedTools>;

/** The refusal of a command that a hook did not let pass, or null. */
export function refusedByHook({ type, hook }: HookedCommand): Refusal | null {
  return hook === undefined ? null : refusal("hook_refused", { tool: hookedTools[type], feedback: hook.feedback });
}

/** Whether a hook stopped the member of this input. */
export const isStopped = (event: InputEvent): boolean => event.type === "run.failed" && event.stop === true;

/**
 * Heeds what a hook said when a run was about to end: its feedback is mail, which no member leaves unread. A delivery that
 * was blocked is none, only the end of a turn. Gives back what the machine is to be told.
 */
export function heedHook(draft: Draft, token: string, event: Ending): Ending {
  const { hook } = event;
  if (hook === undefined) return event;
  const member = draft.mustMember(token);
  if (hook.on === "idle") {
    if (!mayBlockIdle(draft, member)) return event;
    draft.changeMember(token, { turn: { ...member.turn, idleBlocks: member.turn.idleBlocks + 1 } });
    tell(draft, token, hook.feedback);
    return event;
  }
  const isDelivery = event.type === "run.completed" && draft.facts.member(member.snapshot).work === "in_progress";
  if (!isDelivery) return event;
  tell(draft, token, hook.feedback);
  const { run, k } = event;
  return { type: "turn.ended", run, k, finish: "hook" };
}

/** A member that has turns left and nothing to read goes on; one that was kept too often, or is to go, does not. */
function mayBlockIdle(draft: Draft, member: MemberRecord): boolean {
  const { presence } = draft.facts.member(member.snapshot);
  const { idleBlocks, turns } = member.turn;
  const mayStay = member.lifetime === "persistent" && presence === "running" && member.unread.length === 0;
  return mayStay && idleBlocks < idleBlocksMax && turns < turnsMaxOf(draft.state, member);
}

function tell(draft: Draft, token: string, feedback: string): void {
  const { seq, input } = draft.record;
  deliver(draft, token, {
    id: `${input.id}:hook`,
    seq,
    from: "system",
    kind: "system",
    notice: "hook_feedback",
    about: null,
    reason: feedback,
    bytes: 0,
    hops: 0,
    broadcast: false,
    body: null,
    wakes: true,
    at: input.at,
  });
}

/** What else becomes of a member that a hook stopped: one whose work is done shuts down, for it could still be woken. */
export function shutDownStopped(draft: Draft, token: string, reason: string): void {
  draft.postMember(token, "system", (member) => {
    const { work, presence } = draft.facts.member(member.snapshot);
    if (work !== "completed" && work !== "cancelled") return null;
    if (presence === "shutdown") return null;
    draft.changeMember(token, { reason });
    notifyLead(draft, "member_stopped", { about: token, reason });
    return { type: "member.shutdown" };
  });
}
