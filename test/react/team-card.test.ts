import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { MemberStatus, TeamStatus } from "../../src/protocol/index.ts";
import { TeamCard, type TeamCardProps, type TeamView } from "../../src/react/index.ts";

const member = (name: string, more: Partial<MemberStatus> = {}): MemberStatus => ({
  name,
  agentType: "general",
  status: "in_progress",
  presence: "running",
  activity: "thinking",
  since: 0,
  dependsOn: [],
  waitingOn: [],
  unread: 0,
  attempt: 1,
  tokens: 0,
  modelCalls: 0,
  ...more,
});

const statusOf = (members: readonly MemberStatus[], more: Partial<TeamStatus> = {}): TeamStatus => ({
  team: "Review",
  state: "running",
  revision: 1,
  version: 1,
  changed: true,
  members,
  pendingMessages: 0,
  permissionRequests: [],
  ...more,
});

const live = (members: readonly MemberStatus[], more: Partial<TeamStatus> = {}): TeamView => ({
  phase: "live",
  status: statusOf(members, more),
  fault: null,
});

const html = (team: TeamView, more: Partial<TeamCardProps> = {}): string =>
  renderToStaticMarkup(createElement(TeamCard, { team, ...more }));

/** The text that is seen, one line per member. */
const seen = (team: TeamView, more: Partial<TeamCardProps> = {}): readonly string[] =>
  html(team, more)
    .replaceAll(/<p[^>]*display:none[^>]*>.*?<\/p>/g, "")
    .split(/<\/(?:p|li)>/)
    .map((each) =>
      each
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((each) => each !== "");

test.each<[Partial<MemberStatus>, string]>([
  [{ activity: "waiting_permission" }, "◐ Ann running waiting permission"],
  [{ status: "blocked", presence: "parked", activity: null, waitingOn: ["Ben"] }, "◌ Ann blocked waits for Ben"],
  [
    { status: "blocked", presence: "parked", activity: null, waitingOn: ["A", "B", "C", "D", "E"] },
    "◌ Ann blocked waits for A, B, C and 2 more",
  ],
  [{ status: "failed", presence: "shutdown", activity: null, reason: "no key" }, "◆ Ann failed no key"],
  [{ status: "cancelled", presence: "shutdown", activity: null }, "⊘ Ann cancelled"],
  [{ status: "completed", presence: "shutdown", activity: null }, "● Ann completed"],
  [{ status: "completed", presence: "idle", activity: null, unread: 2 }, "● Ann completed idle; 2 unread"],
  [{ status: "completed", presence: "running", activity: "tool" }, "◐ Ann running tool"],
  [{ presence: "idle", activity: null }, "○ Ann idle"],
])("a member %o is told as %s", (more, line) => {
  expect(seen(live([member("Ann", more)]))[1]).toBe(line);
});

test("the head tells the team's state, how many have completed, and what waits for an answer", () => {
  const request = { id: "p", member: "Ann", kind: "tool", tool: "t", approver: "user", since: 0 } as const;
  const members = [member("Ann"), member("Ben", { status: "completed", presence: "shutdown", activity: null })];
  expect(seen(live(members))[0]).toBe("Review running, 1 of 2 completed");
  expect(seen(live(members, { permissionRequests: [request] }))[0]).toContain(", 1 request waits for an answer");
  expect(seen(live(members, { permissionRequests: [request, request] }))[0]).toContain(", 2 requests wait for");
});

test("a large team is cut, and says by how much", () => {
  const members = Array.from({ length: 1_200 }, (_, index) => member(`M${index}`));
  expect(seen(live(members)).slice(-2)).toEqual(["◐ M49 running thinking", "and 1,150 more"]);
  expect(seen(live(members), { membersMax: 3 })).toHaveLength(5);
});

test("each phase says what is shown, and why nothing newer", () => {
  const fault = { code: "unknown_session", message: 'There is no session "x".' };
  expect(seen({ phase: "loading", status: null, fault: null })).toEqual(["Loading…"]);
  expect(html({ phase: "loading", status: null, fault: null })).toContain('aria-busy="true"');
  expect(seen({ phase: "failed", status: null, fault })).toEqual([
    "Nothing to show: There is no session &quot;x&quot;.",
  ]);
  const stale = seen({
    ...live([member("Ann")]),
    phase: "stale",
    fault: { code: "unreachable", message: "No answer." },
  });
  expect(stale[1]).toBe("Not connected; this is how it was: No answer.");
  expect(stale[2]).toBe("◐ Ann running thinking");
  expect(seen({ ...live([member("Ann")]), phase: "failed", fault })[1]).toContain("This is how it was last seen: ");
  expect(seen(live([], { team: null, state: "none" }))).toEqual(["There is no team yet."]);
});

test("no text of a model or a user is taken for markup", () => {
  const evil = '<img src=x onerror="alert(1)">';
  const page = html(
    live([member(evil, { status: "failed", reason: evil }), member("B", { status: "blocked", waitingOn: [evil] })], {
      team: evil,
    }),
  );
  expect(page).not.toContain("<img");
  expect(page.split("&lt;img").length - 1).toBeGreaterThanOrEqual(5);
});

test("names are buttons where somebody listens, and a class of yours is kept", () => {
  const page = html(live([member("Ann")]), { onMember: () => {}, className: "mine" });
  expect(page).toContain('<button type="button"');
  expect(page).toContain('class="teamchart-card mine"');
  expect(html(live([member("Ann")]))).not.toContain("<button");
});
