import type { SessionState } from "../machines/index.ts";

/** Digests of the bodies that a session's state refers to: they must be had as long as it does. */
export function referencedBodies({ lead, members, outside, requests }: SessionState): ReadonlySet<string> {
  const digests = new Set<string>();
  const add = (ref: { readonly digest: string } | null): void => void (ref !== null && digests.add(ref.digest));
  add(lead.answer);
  for (const request of requests) add(request.input);
  for (const { note, answer } of outside) {
    add(note);
    add(answer?.body ?? null);
  }
  for (const owner of [lead, ...members.values()]) {
    for (const mail of owner.unread) add(mail.body);
    add(owner.run.pendingResult);
    add(owner.run.plan);
  }
  for (const member of members.values()) add(member.result);
  return digests;
}
