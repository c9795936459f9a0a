import type { ErrorCode } from "../../src/errors/index.ts";
import { requestSamples } from "./request-samples.ts";
import type { Sample } from "./sample.ts";

/** One sample for every code: a code without one does not compile. */
export const samples: { readonly [Code in ErrorCode]: Sample<Code> } = {
  ...requestSamples,
  unauthorized: { when: "A request to the service carries no token, or a wrong one.", data: {} },
  lead_only: {
    when: "A member calls a tool that creates, replans or dissolves a team.",
    data: { tool: "team_replan", caller: "Security" },
  },
  permission_denied: {
    when: "A tool needed a permission and did not get it. It was not executed.",
    data: { tool: "execute", reason: "the user denied it" },
  },
  forbidden_origin: {
    when: "A request to the service comes from another host or web page.",
    data: { origin: "https://evil.example" },
  },
  unknown_session: {
    when: "A session is named that does not exist, or belongs to somebody else.",
    data: { session: "s-42" },
  },
  no_team: { when: "A command needs a team and the session has none.", data: {} },
  unknown_resource: {
    when: "A request asks the service for a route, or for a body, that there isn't.",
    data: { what: "GET /api/nothing" },
  },
  unknown_permission: { when: "A permission request is answered that does not exist.", data: { id: "call-7" } },
  unknown_task: {
    when: "A command names a task that the board has not.",
    data: { task: "#9", count: 4 },
  },
  unknown_mail: {
    when: "Mail is acknowledged that is not in the mailbox of whoever acknowledges it.",
    data: { mail: "m9", of: "Security" },
  },
  mail_unread: { when: "Mail is acknowledged before it was delivered.", data: { mail: ["m12"] } },
  unknown_call: {
    when: "A result is given for a call that nobody made, or that does not wait for one. `known` lists the calls that do.",
    data: { call: "call-9", known: ["call-7 (deploy of Perf)"] },
  },
  team_exists: { when: "A second team is created while the first one is active.", data: { team: "Auth review" } },
  stale_revision: {
    when: "A replan names a member that changed since the revision it gives. Nothing was changed.",
    data: { revision: 3, current: 5, members: ["Perf"] },
  },
  already_completed: {
    when: "A member delivers a second time, or after it was cancelled.",
    data: { name: "Security", status: "completed" },
  },
  already_answered: {
    when: "A permission request, or a call that waits for somebody outside, is answered a second time. `how` says that it ended without an answer: `timed_out` or `cancelled`.",
    data: { id: "call-7" },
  },
  recipient_closed: {
    when: "The recipient of a message has failed, is shutting down or has shut down.",
    data: { to: "Perf", status: "failed" },
  },
  team_dissolved: {
    when: "Something is sent or planned after the team was told to dissolve.",
    data: { team: "Auth review" },
  },
  write_conflict: {
    when: "A file was changed by another member since this one read it.",
    data: { path: "notes.md", member: "Perf" },
  },
  not_invitable: {
    when: "An agent is invited that nobody offers (any more), or that is in the team already.",
    data: { name: "Archivst", reason: "nobody offers it", known: ["Archivist", "Translator"], nearest: "Archivist" },
  },
  hook_refused: {
    when: "A hook of the host did not let a delivery or a message pass. Nothing was delivered or sent.",
    data: { tool: "complete", feedback: "the summary names no file" },
  },
  task_blocked: {
    when: "A task is claimed before the tasks it depends on are done.",
    data: { task: "#3", waitingOn: ["#1"] },
  },
  task_taken: {
    when: "A task is claimed or changed that is somebody else's.",
    data: { task: "#3", owner: "Perf" },
  },
  task_closed: {
    when: "A task is claimed or changed that is completed, failed or cancelled.",
    data: { task: "#3", status: "completed" },
  },
  fenced: {
    when: "A run or an owner that was replaced still tries to act, or the session or system is closed (`closed`).",
    data: { reason: "run 2 of Perf is no longer the current one" },
  },
  mailbox_full: {
    when: "A recipient has as many unread messages as its mailbox holds.",
    data: { to: "Perf", unread: 256, unreadMax: 256, unit: "messages" },
  },
  hop_limit: { when: "Members answer each other's answers without end.", data: { hops: 33, hopsMax: 32 } },
  too_many_streams: {
    when: "One event stream more is asked for than the service keeps open at once.",
    data: { streams: 64, streamsMax: 64 },
  },
  budget_exceeded: {
    when: "A member broadcasts more often between two wakes than `broadcastsMax` allows, or a sub-agent takes `stepsMax` steps without an answer.",
    data: { budget: "broadcastsMax", used: 8, max: 8 },
  },
  no_model_key: {
    when: "A model is needed and none can be reached. `missing` says why: no `name` was given, its provider's `key` or `address` is not set, the `provider` is unknown (`known`, `nearest`), or there is no `script`.",
    data: { model: "openai/gpt-5", looked: ["OPENAI_API_KEY", "AI_GATEWAY_API_KEY"], missing: "key" },
  },
  no_price: {
    when: "A limit of cost is set and the model that would be called has no price. Nothing is ever taken to be free.",
    data: { model: "openai/gpt-5", limit: "teamCostMax", known: ["anthropic/claude-sonnet-4-5"] },
  },
  no_lead: { when: "A prompt is sent to a session that was opened without a hosted lead.", data: {} },
  lead_failed: {
    when: "`session.send`: the turn that was to answer ended with a failure of the model or of the script.",
    data: { reason: "model_error: context_length: the prompt is too long" },
  },
  disabled: {
    when: "Something is used that is off, or whose package is not installed (`why`).",
    data: { what: "execute", how: "Allow it in the agent type" },
  },
  isolation_unavailable: {
    when: "A member asks for a workspace of its own that this machine cannot give.",
    data: { isolation: "worktree", reason: 'the workspace "/srv/app" is in no git repository' },
  },
  bus_unavailable: {
    when: "The bus cannot be reached or does not offer what is needed.",
    data: { reason: "connection refused" },
  },
  log_trimmed: {
    when: "The log no longer reaches back to what has to be read.",
    data: { from: 120, first: 400 },
  },
  machine_version: {
    when: "A recording or a log was made by other machines than these.",
    data: { machine: "member", recorded: "3f2a", current: "9c41" },
  },
  replay_mismatch: {
    when: "A recording does not lead to the states that it claims.",
    data: { record: 17, problem: "the hash differs" },
  },
  kernel_error: {
    when: "A machine failed on an input. The input is recorded and changed nothing.",
    data: { problem: "cannot read a property of undefined" },
  },
};
