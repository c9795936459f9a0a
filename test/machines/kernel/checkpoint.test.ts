import fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf } from "../../../src/actors/owner/body-store.ts";
import { createCanonicalizer } from "../../../src/machines/kernel/canonical.ts";
import { fromCheckpoint, toCheckpoint } from "../../../src/machines/kernel/checkpoint.ts";
import { createKernel, type SessionState } from "../../../src/machines/index.ts";
import { choices, playSession } from "../../support/random-session.ts";

/** Everything that a session is, by a canonicalizer that has never seen it. */
function canonical(session: SessionState): readonly string[] {
  const writer = createCanonicalizer({ digest: digestOf });
  const tokens = ["session", "lead", session.team?.token ?? "team-0", ...session.members.keys()];
  return [
    ...tokens.map((token) => writer.actor(session, token)),
    ...[...session.clients.keys()].map((id) => writer.client(session, id)),
  ];
}

const throughText = (session: SessionState, kernel = createKernel()): SessionState =>
  fromCheckpoint(JSON.parse(JSON.stringify(toCheckpoint(session))), kernel);

test("U59: a session stored as text three times in a row is the same session", () => {
  fc.assert(
    fc.property(choices(), (numbers) => {
      const { session } = playSession(numbers);
      const restored = throughText(throughText(throughText(session)));
      expect(canonical(restored)).toEqual(canonical(session));
      expect(toCheckpoint(restored)).toEqual(toCheckpoint(session));
    }),
    { numRuns: 40 },
  );
});

test("U59, graph row 24: a session that is stored and restored again and again folds its log to the same states and steps", () => {
  fc.assert(
    fc.property(choices(), fc.integer({ min: 1, max: 20 }), (numbers, every) => {
      const { session, log } = playSession(numbers);
      const kernel = createKernel();
      let folded = kernel.create();
      for (const [index, { record, applied }] of log.entries()) {
        if (index % every === 0) folded = throughText(folded, kernel);
        expect(kernel.apply(folded, record)).toEqual(applied);
      }
      expect(canonical(folded)).toEqual(canonical(session));
    }),
    { numRuns: 40 },
  );
});

test("a restored snapshot is the interned one, so that steps stay memoised", () => {
  const { log } = playSession({ lead: "none", numbers: [0, 1] });
  const kernel = createKernel();
  const session = kernel.create();
  for (const { record } of log) kernel.apply(session, record);
  const restored = fromCheckpoint(JSON.parse(JSON.stringify(toCheckpoint(session))), kernel);
  expect(session.members.size).toBeGreaterThan(0);
  for (const [token, member] of session.members) expect(restored.members.get(token)?.snapshot).toBe(member.snapshot);
  expect(restored.lead.snapshot).toBe(session.lead.snapshot);
});

/** Every leaf of a JSON value, with a setter for it. */
function leaves(root: unknown): { path: string; value: unknown; set: (value: unknown) => void }[] {
  const found: ReturnType<typeof leaves> = [];
  const visit = (holder: Record<string, unknown>, path: string) => {
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (typeof value === "object" && value !== null) visit(value as Record<string, unknown>, `${path}.${key}`);
      else found.push({ path: `${path}.${key}`, value, set: (next) => (holder[key] = next) });
    }
  };
  visit(root as Record<string, unknown>, "");
  return found;
}

/** Values of every enumeration that a checkpoint has, so that each place finds one that it may have. */
const words = (
  "completed failed dissolved cancelled approved denied hosted own persistent oneshot function network tool text system " +
  "dead_letter user lead block skip dag running stalled asking forcing owned unowned idle parked thinking none ended " +
  "waiting_user blocked active release fail pending in_progress fenced no_team answered timed_out error"
).split(" ");

const otherThan = (value: unknown): readonly unknown[] => {
  if (typeof value === "number") return [value + 1];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "string") return [`${value}x`, { live: "thinking" }, ...words];
  const objects = [{ digest: "d", bytes: 1 }, { generation: 1, armedAt: 1, ms: 1 }, { ok: { type: "accepted" } }];
  const answer = { verdict: "ok", body: null };
  const board = { selfClaim: true, onOwnerGone: "fail", tasks: [], unfinished: 0 };
  return ["x", 1, "dead_letter", answer, board, { agent: "a", turnsMax: 1 }, ...objects];
};

/** Tries other values at the places of this session that `tried` does not know well yet. */
function tryChanges(session: SessionState, tried: Map<string, { refused: number; told: boolean }>): void {
  const text = JSON.stringify(toCheckpoint(session));
  let before: readonly string[] | null = null;
  for (const { path } of leaves(JSON.parse(text))) {
    const shape = path.replaceAll(/\d+/g, "#");
    const known = tried.get(shape) ?? { refused: 0, told: false };
    // A change that no checkpoint can have is refused; another session may have a value for which it is one.
    if (known.told || known.refused > 5) continue;
    tried.set(shape, known);
    known.refused++;
    const checkpoint = JSON.parse(text);
    const leaf = leaves(checkpoint).find((each) => each.path === path)!;
    for (const value of otherThan(leaf.value)) {
      leaf.set(value);
      const changed = restoreOrNull(checkpoint);
      if (changed === null || value === leaf.value) continue;
      known.told = true;
      before ??= canonical(session);
      expect(canonical(changed)).not.toEqual(before);
    }
  }
}

test("changing any field of any actor changes its canonical text", () => {
  const tried = new Map<string, { refused: number; told: boolean }>();
  // Always the same sessions: what they have between them is claimed below.
  for (const numbers of fc.sample(choices(), { seed: 1, numRuns: 60 })) {
    playSession(numbers, (_played, session) => tryChanges(session, tried));
  }
  const told = [...tried].filter(([, each]) => each.told).map(([path]) => path);
  expect(told.length).toBeGreaterThan(150);
  for (const part of [
    "members",
    "team",
    "lead",
    "clients",
    "config",
    "mail",
    "requests",
    "polls",
    "outside",
    "pastTeams",
  ]) {
    expect(told.join("\n")).toContain(`.${part}.`);
  }
  // Only what can have no other value by itself was never told.
  const never = [...tried].filter(([, each]) => !each.told).map(([path]) => path);
  expect(never.filter((path) => !/^\.(format|version|team)$|\.ok\.(type|accepted)$/.test(path))).toEqual([]);
});

/** The session of a changed checkpoint; null when the change is one that no checkpoint can have. */
function restoreOrNull(checkpoint: unknown): SessionState | null {
  try {
    return fromCheckpoint(checkpoint, createKernel());
  } catch {
    // Refused at the door: nothing to compare.
    return null;
  }
}

test.each([
  ["no checkpoint at all", null, "expected object"],
  ["a field that nobody knows", { extra: 1 }, "Unrecognized key"],
  ["a state that the machine does not have", { snapshot: { value: "asleep", context: {} } }, "asleep"],
  ["another version", { version: 2 }, "version"],
])("a checkpoint with %s is bad_input that names it", (_name, change, problem) => {
  const { session } = playSession({ lead: "none", numbers: [0, 1] });
  const value = change === null ? null : { ...(toCheckpoint(session) as object), ...change };
  expect(() => fromCheckpoint(value, createKernel())).toThrow(
    expect.objectContaining({ code: "bad_input", message: expect.stringContaining(problem) }),
  );
});
