import { expect, test } from "vitest";
import type { PermissionRequestStatus, TeamStatus } from "../../../src/protocol/status.ts";
import { rosterText } from "../../../src/tools/team/index.ts";

const request = (member: string, approver: "lead" | "user", input?: string): PermissionRequestStatus => ({
  id: `of-${member}`,
  member,
  kind: "tool",
  tool: "deploy",
  approver,
  since: 0,
  ...(input === undefined ? {} : { input }),
});

test("a lead's roster names the requests that it is to answer by what it answers them by, and the user's without", () => {
  const status: TeamStatus = {
    team: "T",
    state: "running",
    revision: 1,
    version: 1,
    changed: true,
    members: [],
    pendingMessages: 0,
    permissionRequests: [request("A", "lead", "{}"), request("B", "user")],
  };
  const text = rosterText(status);
  expect(text).toContain('<permission-request from="A" tool="deploy" request="of-A"></permission-request>');
  expect(text).toContain('<permission-request from="B" tool="deploy"></permission-request>');
});
