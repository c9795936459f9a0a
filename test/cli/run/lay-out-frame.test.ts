import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionStatus } from "../../../src/index.ts";
import { layOutFrame, type FrameSource } from "../../../src/cli/run/lay-out-frame.ts";
import type { Ask } from "../../../src/cli/run/open-asks.ts";

type Member = SessionStatus["members"][number];

const member = (name: string, more: Partial<Member> = {}): Member => ({
  name,
  agentType: "general",
  status: "completed",
  presence: "shutdown",
  activity: null,
  since: 0,
  dependsOn: [],
  waitingOn: [],
  unread: 0,
  attempt: 1,
  tokens: 0,
  modelCalls: 0,
  ...more,
});

const source = (members: readonly Member[], more: Partial<FrameSource> = {}): FrameSource => ({
  status: {
    session: "s",
    team: "T",
    state: "running",
    revision: 1,
    version: 1,
    changed: true,
    members,
    pendingMessages: 0,
    permissionRequests: [],
    pendingCalls: [],
    runs: { running: 0, waiting: 0 },
    lead: "awaiting_team",
    messages: { accepted: 0, delivered: 0, deadLettered: 0, unread: 0, refused: 0 },
    acknowledgedMessages: 0,
  },
  asks: [],
  events: [],
  models: "scripted model, no LLM",
  hasLead: true,
  nowMs: 65_000,
  startedAtMs: 0,
  ...more,
});

const ask = (choices: readonly string[]): Ask => ({
  id: "1",
  kind: "question",
  from: "Lead",
  text: "Which?",
  choices,
  answer: () => Promise.resolve(),
});

/** As many rows as the view draws for a frame. */
const height = ({ rows, more, events, ask: shown }: ReturnType<typeof layOutFrame>): number =>
  2 +
  (rows.length > 0 ? 1 : 0) +
  rows.length +
  (more === null ? 0 : 1) +
  events.length +
  (shown === null ? 0 : shown.lines.length + 3);

test("a frame never fills the terminal, whatever there is to show: nothing scrolls", () => {
  const size = fc.record({ columns: fc.integer({ min: 20, max: 300 }), rows: fc.integer({ min: 10, max: 120 }) });
  fc.assert(
    fc.property(size, fc.nat(200), fc.nat(20), fc.option(fc.nat(30)), (terminal, members, events, choices) => {
      const frame = layOutFrame(
        source(
          Array.from({ length: members }, (_, index) => member(`M${index}`)),
          {
            events: Array.from({ length: events }, (_, index) => `event ${index}`),
            asks: choices === null ? [] : [ask(Array.from({ length: choices }, (_, index) => `choice ${index}`))],
          },
        ),
        terminal,
      );
      expect(height(frame)).toBeLessThan(terminal.rows);
      const hidden = frame.more === null ? 0 : Number(/\+ (\d+) more/.exec(frame.more)?.[1]);
      expect(frame.rows.length + hidden).toBe(members);
    }),
  );
});

test("without room for all, who waits for the user, failed or works comes first, in the order of the declaration", () => {
  const members = [
    ...Array.from({ length: 30 }, (_, index) => member(`Done${index}`)),
    member("Works", { status: "in_progress", activity: "thinking" }),
    member("Failed", { status: "failed", reason: "tool_error: no" }),
    member("Asks", { status: "in_progress", activity: "waiting_permission" }),
  ];
  const { rows, more } = layOutFrame(source(members), { columns: 80, rows: 8 });
  expect(rows.map(({ name }) => name)).toEqual(["Works", "Failed", "Asks"]);
  expect(more).toBe("+ 30 more: 30 completed");
});

test("a row says whom a blocked member waits for, and why another failed", () => {
  const members = [
    member("B", { status: "blocked", waitingOn: ["A", "C\u001B[2J"], unread: 3, since: 5_000 }),
    member("F", { status: "failed", reason: "model_error: network", tokens: 12_345 }),
  ];
  const { rows } = layOutFrame(source(members), { columns: 80, rows: 24 });
  expect(rows[0]).toMatchObject({ waitingOn: "A, C\\u{1b}[2J", unread: "3", since: "1m00" });
  expect(rows[1]).toMatchObject({ waitingOn: "model_error: network", unread: "", tokens: "12k" });
});

const plan = (text: string): Ask => ({ ...ask([]), kind: "plan", text });

test("a plan is shown whole where there are rows for it, each line within the terminal", () => {
  const text = `1. read ${"all the files ".repeat(12)}\n2. change 项目管理\n3. delete the database`;
  const { ask: shown } = layOutFrame(source([member("A")], { asks: [plan(text)] }), { columns: 40, rows: 24 });
  const lines = shown?.lines ?? [];
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  expect(lines.map((line) => line.replace("│ ", "")).join(" ")).toBe(text.replaceAll(/\s+/g, " "));
});

test("where a plan has more lines than there are rows, it is said how many", () => {
  const text = Array.from({ length: 60 }, (_, index) => `step ${index}`).join("\n");
  const { ask: shown } = layOutFrame(source([member("A")], { asks: [plan(text)] }), { columns: 80, rows: 24 });
  const lines = shown?.lines ?? [];
  const missing = Number(/^… (\d+) more lines; `--no-color`/.exec(lines.at(-1) ?? "")?.[1]);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length - 1 + missing).toBe(60);
});
