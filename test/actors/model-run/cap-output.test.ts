import fc from "fast-check";
import { expect, test } from "vitest";
import { capOutput } from "../../../src/actors/model-run/cap-output.ts";
import type { AppliedRecord } from "../../../src/actors/owner/owner.ts";
import { call, complete, lookTool, one, rejection, startSystem, anyInput } from "../../support/sessions.ts";

const cap = (resultBytesMax: number, bodyBytesMax = 1_000_000) => ({ resultBytesMax, bodyBytesMax });
const shownOf = (text: string): string => text.split("\n[Cut: ")[0] ?? "";

test("what fits is the very same output, and nothing is kept beside it", () => {
  const output = { type: "text", value: "äöü" } as const;
  expect(capOutput(output, "c1", cap(6))).toEqual({ output });
  expect(capOutput(output, "c1", cap(5)).output).not.toEqual(output);
});

test("whatever the text and the limit: a beginning of it, no character cut in two, as much as fits, and the count is right", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.nat(40), (value, max) => {
      const { output, whole } = capOutput({ type: "text", value }, "c1", cap(max));
      const bytes = Buffer.byteLength(value);
      if (bytes <= max) {
        expect(whole).toBeUndefined();
        return;
      }
      const text = output.type === "text" ? output.value : "";
      const shown = shownOf(text);
      const used = Buffer.byteLength(shown);
      const next = String.fromCodePoint(value.codePointAt(shown.length) ?? 0);
      expect(value.startsWith(shown)).toBe(true);
      expect(used <= max && used + Buffer.byteLength(next) > max).toBe(true);
      expect(text).toContain(`${bytes - used} of ${bytes} bytes are missing here`);
      expect(whole).toEqual({ type: "text", value });
    }),
  );
});

test("JSON that is cut is a text, an error stays one, and a content keeps what is no text", () => {
  const image = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } } as const;
  const long = "y".repeat(50);
  const json = capOutput({ type: "json", value: { long } }, "c1", cap(20)).output;
  const error = capOutput({ type: "error-json", value: { long } }, "c1", cap(20)).output;
  const content = capOutput(
    {
      type: "content",
      value: [{ type: "text", text: "ab" }, image, { type: "text", text: long }, { type: "text", text: long }],
    },
    "c1",
    cap(10),
  ).output;
  expect([json.type, error.type]).toEqual(["text", "error-text"]);
  expect(content).toMatchObject({
    value: [
      { text: "ab" },
      image,
      { text: expect.stringMatching(/^y{8}\n\[Cut: 92 of 102 bytes/u) as string },
      { text: "" },
    ],
  });
});

test("what the log could not hold is said to be gone, not promised", () => {
  const kept = capOutput({ type: "text", value: "z".repeat(100) }, "c1", cap(10, 300));
  expect(kept.whole).toBeDefined();
  for (const value of ["z".repeat(200), "\u0001".repeat(100)]) {
    const { output, whole } = capOutput({ type: "text", value }, "c1", cap(10, 300));
    expect(whole).toBeUndefined();
    expect(JSON.stringify(output)).toContain("is not kept");
  }
});

test("a model reads the beginning and where the rest is; the log has all of it, and a later prompt the same beginning", async () => {
  const shown: string[] = [];
  const value = "ü".repeat(1_000);
  const tools = { look: lookTool(shown), big: { inputSchema: anyInput, execute: () => value } };
  await using tests = await startSystem({
    script: { A: [call("big"), call("look"), call("look"), complete()] },
    agents: { it: { tools, toolResultBytesMax: 101 } },
  });
  const session = await tests.open();
  const bodies: unknown[] = [];
  session.records$.subscribe(({ stored }: AppliedRecord) => {
    if (stored.input.event.type === "tool.ended") bodies.push(stored.body);
  });
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  expect(bodies[0]).toMatchObject({ tool: "big", whole: { type: "text", value } });
  const [first = "", second = ""] = shown;
  expect(first).toContain(`"${"ü".repeat(50)}\\n[Cut: 1900 of 2000 bytes are missing here.`);
  expect(first).toContain("is in the session's log, as the end of the call script_");
  expect(first).not.toContain("ü".repeat(51));
  expect(second.startsWith(first.slice(0, -1))).toBe(true);
});

test("more than the session's limit is refused where it is asked for", async () => {
  const agents = { it: { toolResultBytesMax: 11 } };
  expect(await rejection(startSystem({ agents, limits: { toolResultBytesMax: 10 } }))).toMatchObject({
    code: "bad_input",
    data: { what: "agents.it.toolResultBytesMax" },
  });
});
