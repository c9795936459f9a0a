import { expect, test } from "vitest";
import type { LanguageModelV4, StreamPart } from "../../../src/actors/models/language-model-v4.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { complete, member, one, settle, startSystem } from "../../support/sessions.ts";

const boom = (): never => {
  throw new Error("boom");
};
const rejectWith = (reason: unknown) => Promise.reject(reason);
const whole = scriptedModel([complete("fine")]);
/** A model of somebody's own whose streamed call does this. */
const model = (doStream: () => unknown): LanguageModelV4 => ({
  ...whole,
  provider: "odd",
  doStream: doStream as never,
});
const streams = (...parts: unknown[]) =>
  model(() => ({
    stream: new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  }));
const finish = (usage: unknown, more: object = {}) => ({
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage,
  ...more,
});
const text = (delta: unknown) => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta },
  { type: "text-end", id: "0" },
];

const faulty: Record<string, LanguageModelV4> = {
  "throws at once": model(boom),
  rejects: model(() => Promise.reject(new Error("boom"))),
  "rejects with nothing": model(() => rejectWith(undefined)),
  "rejects with a revoked proxy": model(() => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return rejectWith(proxy);
  }),
  "resolves with nothing": model(() => Promise.resolve(undefined)),
  "gives no stream": model(() => Promise.resolve({})),
  "gives a stream that errors": model(() => ({
    stream: new ReadableStream({ start: (controller) => controller.error(new Error("boom")) }),
  })),
  "gives an empty stream": streams(),
  "gives parts of no known type": streams({ type: "surprise" }, { type: "another" }),
  "gives a part that is nothing": streams(null),
  "gives an error that is a circle": streams({
    type: "error",
    error: Object.assign(
      {},
      {
        get self(): unknown {
          return this;
        },
      },
    ),
  }),
  "has a provider that throws": Object.defineProperty({ ...whole }, "provider", { get: boom }) as LanguageModelV4,
  "is of a version that does not exist": { ...whole, specificationVersion: "v9" as never },
  "is a text": 7 as never,
};

test.each(Object.entries(faulty))(
  "U62: a model that %s fails its member alone, with a reason, and the session stays usable",
  async (_what, it) => {
    await using tests = await startSystem({
      agents: { faulty: { model: it }, good: { model: scriptedModel([complete("fine"), complete("fine")]) } },
      limits: { retriesMax: 0 },
    });
    const session = await tests.open();
    const team = await session.createTeam({
      name: "T",
      members: [one("A", { agentType: "faulty" }), one("B", { agentType: "good" })],
    });
    expect(await team.finished()).toMatchObject({ state: "stalled" });
    expect(member(session, "A")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^model_error: ./u) as string,
    });
    expect(member(session, "B")).toMatchObject({ status: "completed" });
    await session.replan({ add: [one("A2", { agentType: "good", replaces: "A" })] });
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    expect([session.alive, tests.clock.pending, tests.faults]).toEqual([{ runs: 0, timers: 0 }, 0, []]);
  },
);

const odd: Record<string, readonly unknown[]> = {
  "usage of NaN": [...text("hello"), finish({ inputTokens: { total: NaN }, outputTokens: { total: -5 } })],
  "usage of texts": [...text("hello"), finish({ inputTokens: { total: "7" }, outputTokens: { total: {} } })],
  "no usage": [...text("hello"), finish({ inputTokens: {}, outputTokens: {} })],
  "3 MB of text": [...text("x".repeat(3_000_000)), finish({ inputTokens: { total: 1 }, outputTokens: { total: 1 } })],
  "half a character": [...text("\ud83d"), finish({ inputTokens: { total: 1 }, outputTokens: { total: 1 } })],
};

test.each(Object.entries(odd))(
  "a model that answers with %s is heard, and the tokens stay a number",
  async (_what, parts) => {
    let calls = 0;
    const answers: LanguageModelV4 = {
      ...whole,
      provider: "odd",
      doStream: (options) => {
        calls += 1;
        if (calls > 1) return scriptedModel([complete("fine")]).doStream(options);
        return streams(...parts).doStream(options);
      },
    };
    await using tests = await startSystem({ agents: { it: { model: answers, compactAt: 0 } } });
    const session = await tests.open();
    const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
    expect(await team.finished()).toMatchObject({ outcome: "completed" });
    const { tokens, modelCalls } = member(session, "A");
    expect([Number.isSafeInteger(tokens) && tokens >= 0, modelCalls]).toEqual([true, 2]);
  },
);

test("what a provider adds to its parts, whatever it is, costs no more than that call", async () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const metadata = { odd: { circle, big: 10n } };
  const parts = text("hello").map((part) => ({ ...part, providerMetadata: metadata }));
  let calls = 0;
  const answers: LanguageModelV4 = {
    ...whole,
    provider: "odd",
    doStream: (options) => {
      calls += 1;
      const odd_ = streams(
        ...parts,
        finish({ inputTokens: { total: 1 }, outputTokens: { total: 1 } }, { providerMetadata: metadata }),
      );
      return calls > 1 ? scriptedModel([complete("fine")]).doStream(options) : odd_.doStream(options);
    },
  };
  await using tests = await startSystem({ agents: { it: { model: answers } } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await team.finished();
  expect(["completed", "failed"]).toContain(member(session, "A").status);
  expect(member(session, "A").reason ?? "model_error").not.toMatch(/owner_lost/u);
  expect(tests.faults).toEqual([]);
});

test("a model that goes on after it was told to stop changes nothing any more", async () => {
  let controller: ReadableStreamDefaultController<StreamPart> | null = null;
  const deaf = model(() => ({
    stream: new ReadableStream({ start: (given) => (controller = given as typeof controller) }),
  }));
  await using tests = await startSystem({ agents: { it: { model: deaf } } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await settle(30);
  await session.replan({ cancel: ["A"] });
  const before = session.status();
  const late = controller as ReadableStreamDefaultController<StreamPart> | null;
  try {
    late?.enqueue({ type: "text-delta", id: "0", delta: "late" });
  } catch {
    // Its stream may be cancelled already: then there is nothing that it could say.
  }
  await settle(30);
  expect(session.status()).toEqual(before);
  expect(tests.faults).toEqual([]);
});
