import type { Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import type { Draft } from "./draft.ts";
import { unknownMember } from "./faults.ts";
import { findMember, memberNames } from "./roster.ts";
import { hasMail } from "./shutdown.ts";
import { isDissolving, statusOf } from "./standing.ts";

/**
 * Ends what a member is doing: its attempt fails with `interrupted`, and nothing but a plan starts it again; of a member that
 * has delivered it ends the turn that it takes on mail. A delivery that was accepted already counts.
 */
export function interruptMember(draft: Draft, event: InputOf<"member.interrupt">): readonly Refusal[] | null {
  const { team } = draft.state;
  if (team === null) return [draft.refusal("no_team", {})];
  const member = findMember(draft, event.member);
  if (member === undefined) return unknownMember(event.member, memberNames(draft));
  if (isDissolving(draft)) return [draft.refusal("team_dissolved", { team: team.name })];
  if (draft.facts.member(member.snapshot).activity === null)
    return [draft.refusal("not_running", { name: member.name, status: statusOf(draft, member.token) })];
  draft.postMember(member.token, draft.input.from, ({ unread }) => ({ type: "run.failed", mail: hasMail(unread) }));
  return null;
}
