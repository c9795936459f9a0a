import fc from "fast-check";
import { expect, test } from "vitest";
import { SessionModel } from "../../apps/inspector/fold/session-model.ts";
import { viewOf } from "../../apps/inspector/fold/session-view.ts";
import {
  createKernel,
  messageCounts,
  projectStatus,
  toCheckpoint,
  type SessionState,
} from "../../src/machines/index.ts";
import { recordedInput, type InputLine } from "../../src/protocol/recording.ts";
import { choices } from "../support/random-session.ts";
import { recordSession } from "../support/record-session.ts";

/** The inputs of a recording, as a kernel takes them, read without any code of the page. */
const inputsOf = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as InputLine & { type: string })
    .filter((line) => line.type === "event" && line.step === 0)
    .map((line) => recordedInput(line));

/** How a session stands after each input, by a kernel of its own: the projection that `session.status()` is made of. */
function statusesOf(lines: readonly string[]): readonly unknown[] {
  const kernel = createKernel();
  const session = kernel.create();
  const status = () => ({
    ...projectStatus(session, kernel.steppers.facts, () => undefined, { changed: true, caller: "lead" }),
    lead: kernel.steppers.facts.lead(session.lead.snapshot).turn,
    messages: messageCounts(session),
  });
  return [
    status(),
    ...inputsOf(lines).map((record) => {
      kernel.apply(session, record);
      return status();
    }),
  ];
}

const openedFrom = (lines: readonly string[]): SessionModel => {
  const model = new SessionModel("s");
  for (const line of lines) model.takeLine(line);
  model.flush();
  model.timeline.publish();
  return model;
};

const shownBy = ({ timeline }: SessionModel) => viewOf(timeline.getSnapshot().session, timeline.kernel.steppers.facts);

test("at every place of any recording the page shows what a fresh fold to that place gives, in whatever order one looks", () => {
  let recordings = 0;
  fc.assert(
    fc.property(choices(90), fc.infiniteStream(fc.nat()), (numbers, jumps) => {
      recordings++;
      const { lines } = recordSession(numbers);
      const expected = statusesOf(lines);
      const model = openedFrom(lines);
      expect(model.timeline.length).toBe(expected.length - 1);
      expect(shownBy(model)).toEqual(expected.at(-1));
      // Back one by one, on one by one, and then to and fro.
      for (let at = model.timeline.length; at >= 0; at--) {
        model.seek(at);
        expect(shownBy(model)).toEqual(expected[at]);
      }
      for (let at = 0; at < expected.length; at++) {
        model.seek(at);
        expect(shownBy(model)).toEqual(expected[at]);
        expect(viewOf(model.timeline.sessionAt(at), model.timeline.kernel.steppers.facts)).toEqual(expected[at]);
      }
      for (const jump of jumps.take(20)) {
        const at = jump % expected.length;
        model.seek(at);
        expect(shownBy(model)).toEqual(expected[at]);
      }
    }),
    { numRuns: 100 },
  );
  expect(recordings).toBeGreaterThanOrEqual(100);
}, 300_000);

test("what comes while one looks back doesn't move what is looked at, and is there when one returns", () => {
  fc.assert(
    fc.property(choices(60), fc.nat(), (numbers, number) => {
      const { lines } = recordSession(numbers);
      const expected = statusesOf(lines);
      const inputs = inputsOf(lines);
      const model = new SessionModel("s");
      const first = 1 + (number % (inputs.length - 1));
      for (const record of inputs.slice(0, first)) model.timeline.append(record);
      const looked = number % first;
      model.seek(looked);
      for (const record of inputs.slice(first)) {
        model.timeline.append(record);
        model.timeline.publish();
        expect(shownBy(model)).toEqual(expected[looked]);
      }
      model.seek(model.timeline.length);
      expect(shownBy(model)).toEqual(expected.at(-1));
    }),
    { numRuns: 40 },
  );
});

test("who joins late, from a checkpoint, and gets some records twice sees the same, without a loss or a ghost", () => {
  fc.assert(
    fc.property(choices(80), fc.nat(), (numbers, number) => {
      const { lines } = recordSession(numbers);
      const expected = statusesOf(lines);
      const inputs = inputsOf(lines);
      const joined = number % inputs.length;
      const kernel = createKernel();
      const before: SessionState = kernel.create();
      for (const record of inputs.slice(0, joined)) kernel.apply(before, record);
      const model = new SessionModel("s");
      model.restart(joined === 0 ? null : JSON.parse(JSON.stringify(toCheckpoint(before))));
      for (const record of inputs.slice(Math.max(0, joined - 5))) {
        model.timeline.append(record);
        model.timeline.append(record);
      }
      model.timeline.publish();
      expect(model.timeline.length).toBe(inputs.length - joined);
      expect(shownBy(model)).toEqual(expected.at(-1));
      for (let at = 0; at <= model.timeline.length; at++) {
        model.seek(at);
        expect(shownBy(model)).toEqual(expected[joined + at]);
      }
    }),
    { numRuns: 40 },
  );
});

test("a live actor of the page has the state of the place that is shown", () => {
  const { lines } = recordSession({
    lead: "hosted",
    numbers: Array.from({ length: 90 }, (_, at) => (at * 7919) % 99_991),
  });
  const model = openedFrom(lines);
  const tokens = ["lead", "session", ...model.timeline.head.members.keys()];
  const actors = tokens.map((token) => [token, model.actor(token)] as const);
  for (let at = model.timeline.length; at >= 0; at -= 3) {
    model.seek(at);
    const { session } = model.timeline.getSnapshot();
    for (const [token, actor] of actors) {
      const own = token === "lead" ? session.lead : token === "session" ? session : session.members.get(token);
      if (own === undefined) continue;
      expect(actor?.getSnapshot().value).toEqual(own.snapshot.value);
    }
  }
});

test("a recording is held against what these machines make of it: a verdict that was changed is found where it stands", () => {
  const { lines } = recordSession({
    lead: "none",
    numbers: Array.from({ length: 60 }, (_, at) => (at * 104_729) % 99_991),
  });
  expect(openedFrom(lines).actors.differences).toEqual([]);
  const at = lines.findLastIndex((line) => line.includes('"verdict":"handled"') && line.includes('"step":0'));
  const changed = lines.with(at, (lines[at] ?? "").replace('"verdict":"handled"', '"verdict":"ignored"'));
  const model = openedFrom(changed);
  expect(model.actors.differences).toHaveLength(1);
  expect(model.timeline.entries[model.actors.differences[0] ?? 0]?.difference).toMatch(
    /was ignored when it was recorded, and is handled here/,
  );
});
