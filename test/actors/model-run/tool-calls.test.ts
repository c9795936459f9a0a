import { jsonSchema, tool } from "ai";
import { expect, test } from "vitest";
import { executeCall } from "../../../src/actors/model-run/tool-calls.ts";
import { settle } from "../../support/sessions.ts";

test("a tool that streams results without end is not asked for more after an abort, and may clean up", async () => {
  let given = 0;
  let isCleanedUp = false;
  const endless = tool({
    description: "Streams.",
    inputSchema: jsonSchema({ type: "object" }),
    async *execute() {
      try {
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          given += 1;
          yield given;
        }
      } finally {
        isCleanedUp = true;
      }
    },
  });
  const stop = new AbortController();
  const call = { call: "c1", tool: "endless", input: {} };
  const ended = executeCall({ endless }, call, {
    messages: [],
    signal: stop.signal,
    cap: { resultBytesMax: 1_000, bodyBytesMax: 1_000_000 },
    context: undefined,
    pend: null,
  });
  await settle(3);
  stop.abort(new Error("it is no longer wanted"));
  expect(await ended).toMatchObject({ verdict: "error" });
  await settle();
  expect(isCleanedUp).toBe(true);
  const before = given;
  await settle();
  expect(given).toBe(before);
});
