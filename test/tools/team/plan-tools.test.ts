import { expect, test } from "vitest";
import { planTools } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const call = { toolCallId: "c1", messages: [], context: {} };

test("a plan is submitted, and its answer comes with the remark", async () => {
  const port = new RecordingPort("member");
  const { submit_plan } = planTools(port);
  port.answer = "test it first";
  expect(await submit_plan.execute({ plan: "1. write" }, call)).toEqual({ approved: false, remark: "test it first" });
  port.reply = { ok: { type: "plan", approved: true } };
  port.answer = "";
  expect(await submit_plan.execute({ plan: "1. write" }, call)).toEqual({ approved: true });
  expect(port.commands[0]).toEqual({ type: "plan.submit", plan: "1. write" });
});

test("an empty plan is refused and not submitted", async () => {
  const port = new RecordingPort("member");
  expect(await planTools(port).submit_plan.execute({ plan: " " }, call)).toMatch(/^BAD_INPUT: plan/u);
  expect(port.commands).toEqual([]);
});
