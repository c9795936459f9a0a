import { expect, test } from "vitest";
import { Limits } from "../../src/protocol/limits.ts";

/** What 0 means, for each limit; null = it is refused, because nothing could work. */
const zero: Readonly<Record<keyof Limits, string | null>> = {
  membersMax: "no teams",
  modelMembersMax: "no teams of a model",
  promptBytesMax: null,
  messageBytesMax: null,
  unreadMessagesMax: null,
  unreadBytesMax: null,
  hopsMax: null,
  broadcastsMax: "no broadcasts",
  stepsMax: null,
  turnsMax: null,
  retriesMax: "no repetitions",
  tasksMax: "no tasks",
  taskSubjectBytesMax: null,
  taskDescriptionBytesMax: null,
  memberTokensMax: "unlimited",
  teamTokensMax: "unlimited",
  memberCostMax: "unlimited",
  teamCostMax: "unlimited",
  attemptMs: "unlimited",
  teamMs: "unlimited",
  concurrentRunsMax: "unlimited",
  startStaggerMs: "no pause",
  concurrentCallsMax: null,
  pollMs: "no wait",
  permissionMs: "denied at once",
  graceMs: "no grace",
  idleMs: "never",
  hookMs: null,
  chunkMs: null,
  toolResultBytesMax: null,
  contextTokens: "what is known of the model",
  bodyBytesMax: null,
  liveActorsMax: "none kept",
};

test("this table says of every limit what 0 means", () => {
  expect(Object.keys(zero)).toEqual(Object.keys(Limits.shape));
});

test.each(Object.entries(zero))("%s: 0 means %j; null is refused", (name, meaning) => {
  expect(Limits.safeParse({ [name]: 0 }).success).toBe(meaning !== null);
});

test.each(Object.keys(zero))("%s: what is no amount is refused", (name) => {
  for (const value of [-1, Number.NaN, Infinity, "5", null]) {
    expect(Limits.safeParse({ [name]: value }).success).toBe(false);
  }
  expect(Limits.safeParse({ [name]: 1 }).success).toBe(true);
});
