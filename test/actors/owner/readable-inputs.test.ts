import { expect, test } from "vitest";
import type { LanguageModelV4, StreamPart } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { Bus } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { SessionCheckpoint } from "../../../src/protocol/checkpoint.ts";
import { Input } from "../../../src/protocol/input.ts";
import { toCheckpoint } from "../../../src/machines/kernel/checkpoint.ts";
import { call, complete, one, rejection, startSystem } from "../../support/sessions.ts";

/** A bus that says what of what it is given nobody could read again: the next owner, a follower, a replay. */
function readingBus(): Bus & { readonly unreadable: unknown[] } {
  const bus = memoryBus();
  const unreadable: unknown[] = [];
  return {
    ...bus,
    unreadable,
    append(append) {
      const stored: unknown = JSON.parse(JSON.stringify(append.input));
      const read = Input.safeParse(stored);
      if (!read.success) unreadable.push([append.input.event.type, read.error.issues]);
      else expect(read.data).toEqual(stored);
      return bus.append(append);
    },
  };
}

/** A model whose answers come back changed, as a provider's own may. */
const changed = (model: LanguageModelV4, change: (part: StreamPart) => StreamPart): LanguageModelV4 => ({
  ...model,
  doStream: async (options) => {
    const { stream } = await model.doStream(options);
    return {
      stream: stream.pipeThrough(
        new TransformStream<StreamPart, StreamPart>({ transform: (part, out) => out.enqueue(change(part)) }),
      ),
    };
  },
});

/** The finish of an answer with something else in it. */
const finish =
  (more: object) =>
  (part: StreamPart): StreamPart =>
    part.type === "finish" ? { ...part, ...more } : part;
const usage = (input: unknown, output: unknown) =>
  finish({ usage: { inputTokens: { total: input }, outputTokens: { total: output } } });

/** The id of each call as a server gives it that puts a signature into it; both calls of an answer get the same. */
const longId = "s".repeat(3_000);
const withLongIds = (part: StreamPart): StreamPart => {
  if (part.type === "tool-call") return { ...part, toolCallId: longId };
  return part.type === "tool-input-start" || part.type === "tool-input-delta" || part.type === "tool-input-end"
    ? { ...part, id: longId }
    : part;
};

const odd: Record<string, (part: StreamPart) => StreamPart> = {
  "long ids of calls": withLongIds,
  "no reason to finish": finish({ finishReason: { raw: "none" } }),
  "an unknown reason to finish": finish({ finishReason: { unified: "w".repeat(3_000), raw: "w" } }),
  "more tokens than can be counted": usage(1e300, Number.MAX_VALUE),
  "tokens below nothing, in parts": usage(-5, 1.5),
  "tokens that are none": usage("7", null),
};

test.each(Object.entries(odd))(
  "a provider that gives %s leaves a log that can be read, and the member delivers",
  async (_, change) => {
    const bus = readingBus();
    const script = [
      { calls: [1, 2].map((n) => ({ tool: "team_send_message", input: { to: "Lead", content: `m${n}` } })) },
      complete(),
    ];
    await using tests = await startSystem({
      bus,
      model: changed(scriptedModel(script), change),
      prices: { scripted: { input: 1e200, output: 3 }, "scripted/scripted": { input: 1e200, output: 3 } },
    });
    const session = await tests.open();
    const team = await session.createTeam({ name: "T", members: [one("A")] });
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    expect(session.status().messages.accepted).toBe(2);
    expect(bus.unreadable).toEqual([]);
    const checkpoint: unknown = JSON.parse(JSON.stringify(toCheckpoint(session.state)));
    expect(SessionCheckpoint.safeParse(checkpoint).error?.issues).toBeUndefined();
  },
);

test("an answer to a question that nobody asked is refused, however long its id, and leaves a log that can be read", async () => {
  const bus = readingBus();
  await using tests = await startSystem({ bus, script: { Lead: [call("team_status"), { text: "ok" }] } });
  const session = await tests.open({ lead: { model: "scripted" } });
  expect(await rejection(session.answerQuestion("q".repeat(5_000), "yes"))).toMatchObject({
    code: "unknown_permission",
  });
  expect(bus.unreadable).toEqual([]);
});
