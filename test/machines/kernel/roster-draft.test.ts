import { describe, expect, test } from "vitest";
import { cloneSession } from "../../../src/machines/index.ts";
import { RosterDraft } from "../../../src/machines/kernel/roster-draft.ts";
import type { SessionState } from "../../../src/machines/kernel/state.ts";
import { Driver } from "../driver.ts";

function sessionOfTwo(): { readonly session: SessionState; readonly before: SessionState } {
  const driver = new Driver();
  driver.create(["A", "B<-A"]);
  return { session: driver.session, before: cloneSession(driver.session) };
}

describe("a discarded draft of the roster", () => {
  test("puts changed members and counts back, the first value of what was changed twice", () => {
    const { session, before } = sessionOfTwo();
    const draft = new RosterDraft(session, new Set());
    draft.open("A-t1").reason = "once";
    draft.open("A-t1").reason = "twice";
    draft.setUnmet(1, 7);
    draft.setUnmet(1, 8);
    draft.discard();
    expect(session).toEqual(before);
    expect(session.members.get("A-t1")).toBe(before.members.get("A-t1"));
  });

  test("forgets members that it added, and the room for their counts", () => {
    const { session, before } = sessionOfTwo();
    const draft = new RosterDraft(session, new Set());
    draft.put({ ...draft.must("A-t1"), token: "C-t1", index: 2 });
    draft.grow(3);
    draft.setUnmet(2, 1);
    expect(draft.unmet(2)).toBe(1);
    draft.discard();
    expect(session).toEqual(before);
  });

  test("brings a roster back that another took the place of, with what was changed in it", () => {
    const { session, before } = sessionOfTwo();
    const draft = new RosterDraft(session, new Set());
    draft.open("A-t1").reason = "changed";
    draft.replace(1);
    draft.put({ ...before.members.get("B-t1")! });
    draft.setUnmet(0, 3);
    draft.discard();
    expect(session).toEqual(before);
  });
});

test("a record is copied once in a draft, and the one before it never changes", () => {
  const { session, before } = sessionOfTwo();
  const changed = new Set<string>();
  const draft = new RosterDraft(session, changed);
  const own = draft.open("A-t1");
  own.reason = "mine";
  expect(draft.open("A-t1")).toBe(own);
  expect(session.members.get("A-t1")).toBe(own);
  expect(before.members.get("A-t1")?.reason).toBeNull();
  expect([...changed]).toEqual(["A-t1"]);
});
