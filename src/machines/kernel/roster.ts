import { BROADCAST, canonicalRecipient, collisionKey, LEAD, nearestName } from "../../protocol/names.ts";
import type { MemberRecord, SessionState } from "./state.ts";
import type { Draft } from "./draft.ts";

/** Who is who: tokens and display names of a session's actors. */

/** The display name of an actor token. */
export function displayName(
  session: Pick<SessionState, "team">,
  members: (token: string) => MemberRecord | undefined,
  token: string,
): string {
  if (token === "lead") return LEAD;
  if (token === "session" || token === "user" || token === "system") return token;
  if (session.team?.token === token || /^team-\d+$/.test(token)) return "Team";
  return members(token)?.name ?? token;
}

/** The display name of an actor token within a draft. */
export const nameOf = (draft: Draft, token: string): string =>
  displayName(draft.state, (each) => draft.member(each), token);

/** Display names of the roster, in the order of declaration. */
export const memberNames = (draft: Draft): string[] =>
  (draft.state.team?.order ?? []).map((token) => draft.mustMember(token).name);

/** The member that `name` means, or undefined. Names that people can't tell apart mean the same. */
export function findMember(draft: Draft, name: string): MemberRecord | undefined {
  const token = draft.state.team?.byKey.get(collisionKey(name.normalize("NFC")));
  return token === undefined ? undefined : draft.member(token);
}

/** Everybody a message can go to. */
const recipientNames = (draft: Draft): string[] => [LEAD, ...memberNames(draft), BROADCAST];

/** What a recipient's name stands for. */
export type Recipient = { readonly token: string } | { readonly broadcast: true } | null;

/** Resolves a recipient as its sender wrote it; null = nobody. */
export function resolveRecipient(draft: Draft, to: string): Recipient {
  const name = canonicalRecipient(to);
  if (name === BROADCAST) return { broadcast: true };
  if (name === LEAD) return { token: "lead" };
  const member = findMember(draft, name);
  return member === undefined ? null : { token: member.token };
}

/** What to say about a name that is nobody: the roster, the nearest name, and members of that type. */
export function unknownRecipient(draft: Draft, to: string) {
  const known = recipientNames(draft);
  const ofType = (draft.state.team?.order ?? [])
    .map((token) => draft.mustMember(token))
    .filter((member) => member.agentType === to)
    .map((member) => member.name);
  return draft.refusal("unknown_recipient", {
    to: to.slice(0, 80),
    known: known.slice(0, 50),
    nearest: nearestName(to, known.slice(0, 1_000)),
    ofType,
  });
}
