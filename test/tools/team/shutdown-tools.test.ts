import { expect, test } from "vitest";
import { shutdownTools } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const call = { toolCallId: "1", messages: [], context: {} } as never;

test("R42: an answer is sent only when somebody asks, and a refusal says why", async () => {
  const port = new RecordingPort("member");
  const { shutdown_reply: reply } = shutdownTools(port);
  expect(await reply.execute({ accept: true }, call)).toMatch(/^BAD_INPUT: .*nobody has asked you/u);
  port.isAsked = true;
  expect(await reply.execute({ accept: false, reason: " " }, call)).toMatch(/^BAD_INPUT: .*say why/u);
  expect(port.commands).toEqual([]);
  expect(await reply.execute({ accept: false, reason: "half done" }, call)).toEqual({ accepted: true, goesOn: true });
  expect(await reply.execute({ accept: true }, call)).toEqual({ accepted: true, goesOn: false });
  expect(port.commands).toEqual([
    { type: "shutdown.reply", accept: false, reason: "half done" },
    { type: "shutdown.reply", accept: true, reason: "" },
  ]);
});
