import { expect, test } from "vitest";
import { TeamError } from "../../../src/errors/index.ts";
import { deliveryLimits, teamToolBlock, teamTools } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const block = teamToolBlock({ agentTypes: [{ name: "general" }] });
const call = { toolCallId: "c1", messages: [], context: {} };

const open = () => {
  const port = new RecordingPort("member");
  return { port, complete: (input: unknown) => teamTools(port, block).complete.execute(input as never, call) };
};

test("R36: a summary of exactly the limit is delivered whole, one byte more is refused and never cut", async () => {
  const { port, complete } = open();
  const summary = "é".repeat(deliveryLimits.summaryBytesMax / 2);
  expect(await complete({ summary })).toEqual({ accepted: true });
  expect(await complete({ summary: `${summary}x` })).toBe(
    "PAYLOAD_TOO_LARGE: summary has 4097 bytes (limit 4096). Do: Make it smaller, or work on a part of it.",
  );
  expect(port.commands).toEqual([{ type: "work.complete", summary, paths: [] }]);
});

test("fifty paths are delivered, fifty-one refused; a path given twice counts once", async () => {
  const { port, complete } = open();
  const paths = Array.from({ length: 51 }, (_, n) => `f${n}`);
  for (const path of paths) port.existing.add(path);
  expect(await complete({ summary: "s", paths })).toMatch(/^BAD_INPUT: paths: 51 paths are more than the 50 allowed/u);
  expect(await complete({ summary: "s", paths: [...paths.slice(1), "f1"] })).toEqual({ accepted: true });
  expect(port.commands).toMatchObject([{ paths: paths.slice(1) }]);
});

test("every path that does not exist is named, and nothing is delivered", async () => {
  const { port, complete } = open();
  port.existing.add("a");
  const text = await complete({ summary: "s", paths: ["a", "b", "c"] });
  expect(text).toMatch(/^MISSING_PATH: there is no "b".*\nMISSING_PATH: there is no "c".*$/u);
  expect(port.commands).toEqual([]);
});

test("a path outside of the workspace is refused as such", async () => {
  const { port, complete } = open();
  port.pathExists = (path) => Promise.reject(new TeamError("workspace_escape", { path }));
  expect(await complete({ summary: "s", paths: ["../x"] })).toMatch(/^WORKSPACE_ESCAPE: "\.\.\/x"/u);
});

test("an empty summary, and a path longer than any file has, are refused", async () => {
  const { complete } = open();
  expect(await complete({ summary: "  " })).toMatch(/^BAD_INPUT: summary: it is empty/u);
  expect(await complete({ summary: "s", paths: ["x".repeat(2_000)] })).toMatch(/^PAYLOAD_TOO_LARGE: paths\[0\]/u);
});
