import { expect, test } from "vitest";
import { hostCommands } from "../../../src/testing/index.ts";

/** Calls that TypeScript would not let through. */
const untyped: Readonly<Record<keyof typeof hostCommands, (options: unknown) => unknown>> = {
  replan: (spec) => hostCommands.replan(spec as never),
  sendMessage: (options) => hostCommands.sendMessage(options as never),
  dissolve: (options) => hostCommands.dissolve(options as never),
};

test.each([
  ["replan", { cancel: "A" }, "hostCommands.replan.cancel"],
  ["replan", { add: [{ name: "B" }] }, "hostCommands.replan.add[0].prompt"],
  ["replan", null, "hostCommands.replan"],
  ["sendMessage", { to: "A" }, "hostCommands.sendMessage.content"],
  ["sendMessage", { to: 1, content: "hi" }, "hostCommands.sendMessage.to"],
  ["sendMessage", { to: "A", content: "hi", text: "hi" }, "hostCommands.sendMessage.text"],
  ["sendMessage", undefined, "hostCommands.sendMessage"],
  ["dissolve", { mode: "gracefully" }, "hostCommands.dissolve.mode"],
  ["dissolve", { force: true }, "hostCommands.dissolve.force"],
] as const)("%s of %j is bad_input, and says where", (command, options, what) => {
  expect(() => untyped[command](options)).toThrow(
    expect.objectContaining({ code: "bad_input", data: expect.objectContaining({ what }) as object }),
  );
});

test("a replan with several faults tells all of them", () => {
  const spec = { cancel: [1], retry: [{}] };
  expect(() => untyped.replan(spec)).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ data: expect.objectContaining({ what: "hostCommands.replan.cancel[0]" }) as object }),
        expect.objectContaining({
          data: expect.objectContaining({ what: "hostCommands.replan.retry[0].name" }) as object,
        }),
      ],
    }),
  );
});

test("what a host may say is what the session appends for it", () => {
  expect(hostCommands.dissolve().event).toEqual({ type: "team.dissolve", mode: "graceful" });
  expect(hostCommands.sendMessage({ to: "A", content: "é" }).event).toEqual({
    type: "message.send",
    to: "A",
    kind: "text",
    bytes: 2,
  });
  expect(hostCommands.replan({ cancel: ["A"] }).plan).toMatchObject({ cancel: ["A"], add: [] });
});
