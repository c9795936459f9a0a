import type { PermissionRequest, RequestTexts } from "../../machines/index.ts";
import type { BodyRef } from "../../protocol/input.ts";
import type { MemberStatus, TeamStatus } from "../../protocol/status.ts";
import { requestTexts } from "../permissions/request-texts.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** The status for people: with what they are asked to judge, which no model gets. */
export function statusForPeople(runtime: SessionRuntime): TeamStatus {
  const planOf = ({ digest }: BodyRef) => runtime.owner.bodies.get(digest);
  const texts = { planOf, textsOf: (request: PermissionRequest) => textsOf(runtime, request) };
  const status = runtime.project({ changed: true, caller: "lead", ...texts });
  return { ...status, members: status.members.map((member) => asPeopleSee(runtime, member)) };
}

/** A member's status with what no model gets: the model that answers in its own one's place, and the worker that runs it. */
export function asPeopleSee(runtime: SessionRuntime, member: MemberStatus): MemberStatus {
  const token = runtime.mailboxOf(member.name);
  const fallback = runtime.journals.fallbackOf(token);
  const worker = runtime.options.placed?.workerOf(token);
  return {
    ...member,
    ...(worker === undefined ? {} : { worker }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** What a request asks for, as whoever answers it gets to see it. */
export const textsOf = ({ owner }: SessionRuntime, { input }: PermissionRequest): RequestTexts | undefined =>
  input === null ? undefined : requestTexts(owner.bodies.get(input.digest));
