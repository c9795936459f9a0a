import type { SessionRuntime } from "../session/session-runtime.ts";

/**
 * Digests of the bodies that a session still needs: unread mail, results, what waits for an answer, and mail that is shown or
 * may be read again.
 */
export function referencedBodies({
  state,
  mail,
  taken,
}: Pick<SessionRuntime, "state" | "mail" | "taken">): ReadonlySet<string> {
  const { lead, members, requests, outside } = state;
  const digests = new Set<string>();
  const add = (ref: { readonly digest: string } | null): void => void (ref !== null && digests.add(ref.digest));
  add(lead.answer);
  for (const request of requests) add(request.input);
  for (const { note, answer } of outside) {
    add(note);
    add(answer?.body ?? null);
  }
  for (const owner of [lead, ...members.values()]) {
    for (const each of owner.unread) add(each.body);
    add(owner.run.pendingResult);
    add(owner.run.plan);
  }
  for (const member of members.values()) add(member.result);
  for (const digest of mail.contents()) digests.add(digest);
  for (const digest of taken.digests()) digests.add(digest);
  return digests;
}
