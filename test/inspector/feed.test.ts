import fc from "fast-check";
import { expect, test } from "vitest";
import { createActor } from "xstate";
import { hashOf, placeOf, takeToken } from "../../apps/inspector/feed/address.ts";
import { ServerEventParser } from "../../apps/inspector/feed/sse.ts";
import { modeMachine, type ModeEvent } from "../../apps/inspector/mode/mode-machine.ts";

test("server-sent events are read whole, wherever the pieces are cut and however lines end", () => {
  const data = fc.array(
    fc.string({ unit: "binary" }).map((text) => text.replaceAll(/[\r\n]/g, "")),
    { minLength: 1, maxLength: 3 },
  );
  const event = fc.record({ event: fc.constantFrom("record", "token"), id: fc.option(fc.nat().map(String)), data });
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom("\n", "\r\n"), fc.array(fc.nat(40)), (events, end, cuts) => {
      const text = events
        .map((each) =>
          [
            `event: ${each.event}`,
            ...(each.id === null ? [] : [`id: ${each.id}`]),
            ": a comment",
            ...each.data.map((line) => `data: ${line}`),
            "",
            "",
          ].join(end),
        )
        .join("");
      const parser = new ServerEventParser();
      const read = [];
      let rest = text;
      for (const cut of cuts) {
        read.push(...parser.take(rest.slice(0, cut)));
        rest = rest.slice(cut);
      }
      read.push(...parser.take(rest));
      expect(read.map(({ event: type, data: whole }) => ({ type, whole }))).toEqual(
        events.map((each) => ({ type: each.event, whole: each.data.join("\n") })),
      );
    }),
  );
});

test("a place is what its address says, whatever the names are", () => {
  const name = fc.option(fc.string({ minLength: 1, unit: "grapheme" }));
  const number = fc.option(fc.nat());
  const place = fc.record({ session: name, view: name, actor: name, seq: number, task: number });
  fc.assert(
    fc.property(place, (each) => {
      expect(placeOf(hashOf(each))).toEqual(each);
    }),
  );
});

test("the token leaves the address, and is kept for the tab", () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(takeToken("#token=a%2Bb&session=x", store)).toEqual({ token: "a+b", hash: "#session=x" });
  expect(takeToken("#session=x", store)).toEqual({ token: "a+b", hash: "#session=x" });
});

test.each<[readonly ModeEvent[], object]>([
  [[], { source: "loading", position: "head" }],
  [[{ type: "feed.live" }], { source: "live", position: "head" }],
  [
    [{ type: "feed.live" }, { type: "position.past" }, { type: "feed.lost", message: "gone" }],
    { source: "reconnecting", position: "replay" },
  ],
  [[{ type: "feed.lost", message: "gone" }, { type: "feed.live" }], { source: "live", position: "head" }],
  [
    [{ type: "feed.live" }, { type: "feed.ended" }, { type: "position.past" }, { type: "position.head" }],
    { source: "ended", position: "head" },
  ],
  [[{ type: "file.opened" }, { type: "feed.lost", message: "late" }], { source: "offline", position: "head" }],
  [
    [{ type: "feed.failed", code: "unauthorized", message: "no" }, { type: "feed.started" }],
    { source: "loading", position: "head" },
  ],
])("after %j the page is in %j", (events, expected) => {
  const actor = createActor(modeMachine).start();
  for (const event of events) actor.send(event);
  expect(actor.getSnapshot().value).toEqual(expected);
  const { message } = actor.getSnapshot().context;
  expect(message).toBe("source" in expected && expected.source === "reconnecting" ? "gone" : null);
});
