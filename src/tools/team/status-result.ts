import type { MemberStatus, PermissionRequestStatus, TeamStatus } from "../../protocol/status.ts";
import { collisionKey } from "../../protocol/names.ts";
import { countTasks, type TaskCounts } from "./task-list.ts";

/** A member as a model sees it. */
export type MemberResult = Omit<MemberStatus, "activity" | "plan" | "replacedBy" | "modelCalls" | "fallback">;

/** Budgets that every run has: a model is told of them once they are nearly used up. */
const ofEveryRun: ReadonlySet<string> = new Set(["stepsMax", "turnsMax"]);
const nearlyUsed = 0.8;

/** A request as a model sees it; with `request`, to answer it by, and what it is about when the model is to answer it. */
export interface RequestResult extends Omit<PermissionRequestStatus, "id"> {
  readonly request?: string;
}

/** What `team_status` returns to a model: names, never ids. */
export interface StatusResult extends Omit<TeamStatus, "members" | "permissionRequests" | "tasks"> {
  readonly members: readonly MemberResult[];
  /** How many tasks of the board are in which state; team_task_list shows them. */
  readonly tasks?: TaskCounts;
  readonly permissionRequests: readonly RequestResult[];
  /** What was left out of a very large team. */
  readonly note?: string;
  /** The last steps of the member that was asked for, oldest first. */
  readonly steps?: readonly string[];
}

const membersShownMax = 200;
const stepsShownMax = 10;
const stepCharsMax = 500;

function memberResult(member: MemberStatus): MemberResult {
  const { activity: _, plan: ___, replacedBy, modelCalls: __, reason, summary, paths, tokens, ...known } = member;
  const { cost, budgets = [], ...rest } = known;
  const shown = budgets.filter(({ limit, share }) => !ofEveryRun.has(limit) || share >= nearlyUsed);
  const reasons = [reason, replacedBy === undefined ? undefined : `replaced by ${replacedBy}`];
  const why = reasons.filter((each) => each !== undefined).join("; ");
  return {
    ...rest,
    ...(why === "" ? {} : { reason: why }),
    ...(summary === undefined ? {} : { summary }),
    ...(paths === undefined ? {} : { paths }),
    tokens,
    ...(cost === undefined ? {} : { cost }),
    ...(shown.length === 0 ? {} : { budgets: shown }),
  };
}

/** What a request is about is shown to a lead that is to answer it, and to nobody else. */
export function requestResult(status: PermissionRequestStatus): RequestResult {
  const { id, input, target, chains, ...request } = status;
  if (request.approver !== "lead" || input === undefined) return request;
  return { request: id, ...request, input, ...(target === undefined ? {} : { target }), ...(chains && { chains }) };
}

/** Whom a lead has to look at first, when not all can be shown. */
const urgency: Readonly<Record<MemberStatus["status"], number>> = {
  failed: 0,
  in_progress: 1,
  completed: 2,
  blocked: 3,
  cancelled: 4,
};

/** The members to show, in the order of their declaration; the one that was asked for always. */
export function shownOf(
  members: readonly MemberStatus[],
  asked: string | undefined,
  shownMax: number = membersShownMax,
): readonly MemberStatus[] {
  if (members.length <= shownMax) return members;
  const key = asked === undefined ? null : collisionKey(asked);
  const rank = (member: MemberStatus) => (collisionKey(member.name) === key ? -1 : urgency[member.status]);
  const chosen = new Set(members.toSorted((a, b) => rank(a) - rank(b)).slice(0, shownMax));
  return members.filter((member) => chosen.has(member));
}

const shortStep = (step: string): string =>
  step.length <= stepCharsMax
    ? step
    : `${step.slice(0, stepCharsMax).toWellFormed()}... (${step.length - stepCharsMax} characters more)`;

/** A status as a model gets it; `asked` is the member that it asked for. */
export function statusResult(
  status: TeamStatus & { readonly steps?: readonly string[] },
  asked: string | undefined,
): StatusResult {
  const shown = shownOf(status.members, asked);
  const left = status.members.length - shown.length;
  const { steps } = status;
  return {
    team: status.team,
    state: status.state,
    revision: status.revision,
    version: status.version,
    changed: status.changed,
    members: shown.map(memberResult),
    ...(status.tasks === undefined ? {} : { tasks: countTasks(status.tasks) }),
    pendingMessages: status.pendingMessages,
    permissionRequests: status.permissionRequests.map(requestResult),
    ...(status.budgets === undefined ? {} : { budgets: status.budgets }),
    ...(left === 0 ? {} : { note: `${left} members are not shown; give member to see a certain one` }),
    ...(status.timedOut === undefined ? {} : { timedOut: status.timedOut }),
    ...(status.waitedMs === undefined ? {} : { waitedMs: status.waitedMs }),
    ...(steps === undefined ? {} : { steps: steps.slice(-stepsShownMax).map(shortStep) }),
  };
}
