import { expect, test } from "vitest";
import type { MailStatus } from "../../../src/protocol/mail.ts";
import { mailTools } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const call = { toolCallId: "1", messages: [], context: {} } as never;
const letter = (more: Partial<MailStatus> = {}): MailStatus => ({
  handle: "m7",
  from: "Bob",
  to: "Ann",
  kind: "text",
  notice: null,
  about: null,
  broadcast: false,
  state: "delivered",
  storedAt: 1,
  deliveredAt: 2,
  acknowledgedAt: null,
  endedAt: null,
  reason: null,
  bytes: 2,
  content: "hi",
  ...more,
});

test("a page names each message by its handle, says how far it has come, and shortens what is long", async () => {
  const port = new RecordingPort("member");
  port.page = { mail: [letter(), letter({ handle: "m3", content: "x".repeat(900) })], total: 9, next: "3" };
  const { team_mail: tool } = mailTools(port);
  const page = await tool.execute({}, call);
  expect(page).toMatchObject({
    total: 9,
    next: "3",
    mail: [
      { mail: "m7", from: "Bob", state: "delivered", storedAt: 1, deliveredAt: 2, acknowledgedAt: null, content: "hi" },
      { mail: "m3", content: expect.stringMatching(/^x{500}\.\.\. \(400 characters more/u) },
    ],
  });
  expect(port.mailQueries).toEqual([{ limit: 20 }]);
});

test("a message that is asked for alone is shown whole; what is acknowledged is told", async () => {
  const port = new RecordingPort("member");
  port.page = { mail: [letter({ content: "x".repeat(900) })], total: 1, next: null };
  const { team_mail: tool } = mailTools(port);
  const shown = await tool.execute({ mail: "m7", acknowledge: ["m7"] }, call);
  expect(shown).toMatchObject({ acknowledged: ["m7"], mail: [{ content: "x".repeat(900) }] });
  expect([port.acknowledged, port.mailQueries]).toEqual([["m7"], [{ handle: "m7", limit: 20 }]]);
});

test("what is no input is told with the fields that there are", async () => {
  const { team_mail: tool } = mailTools(new RecordingPort("lead"));
  expect(await tool.execute({ akcnowledge: ["m1"] } as never, call)).toMatch(/nearest is "acknowledge"/u);
  expect(await tool.execute({ state: "seen" } as never, call)).toMatch(/^BAD_INPUT: state/u);
});
