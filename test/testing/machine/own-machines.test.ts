import { createMachine } from "xstate";
import { expect, test } from "vitest";
import { leadMachine, memberMachine, sessionMachine, teamMachine } from "../../../src/machines/index.ts";
import { memberContext } from "../../../src/machines/member-events.ts";
import { checkMachine, type MachineCheck } from "../../../src/testing/index.ts";
import { leadEvents } from "../../machines/lead-events.ts";
import { memberEvents } from "../../machines/member-events.ts";
import { sessionEvents } from "../../machines/session-events.ts";
import { teamEvents } from "../../machines/team-events.ts";

const over = "over for good; a snapshot of it is kept and still asked";

test("a session ends only closed, and every transition of it can be taken", () => {
  const check = checkMachine(sessionMachine, { events: sessionEvents, allow: { "session.closed": over } });
  expect(check).toMatchObject({ verdict: "holds", states: 4, transitions: 16 });
  expect(check.coverage.taken).toHaveLength(5);
});

test("a team ends only rejected or dissolved, and every transition of it can be taken", () => {
  const allow = { "team.rejected": over, "team.dissolved": over };
  const check = checkMachine(teamMachine, { events: teamEvents, allow });
  expect(check).toMatchObject({ verdict: "holds", states: 14, transitions: 322 });
  expect(check.coverage.uncovered).toEqual([]);
});

test("without verdicts nothing is claimed of a team: every field that steers it is named", () => {
  const check = checkMachine(teamMachine);
  expect(check).toMatchObject({ unreachable: [], dead: [] });
  expect(check.missing.map(({ event, field }) => `${event} ${field}`)).toEqual([
    "team.judged verdict",
    "team.dissolve mode",
    "team.dissolve outcome",
  ]);
});

test("a lead is never stuck, and every transition of it can be taken", () => {
  const check = checkMachine(leadMachine, {
    events: leadEvents,
    key: ({ value, context: { losses } }) => JSON.stringify([value, losses]),
  });
  expect(check).toMatchObject({ verdict: "holds", states: 192, transitions: 12096 });
  expect(check.coverage.uncovered).toEqual([]);
});

function checkMember(lifetime: "oneshot" | "persistent", requirePlan: boolean): MachineCheck {
  // XState types a config by its machine, and it is of one whose context alone is another.
  const config = { ...memberMachine.config, context: memberContext(lifetime, requirePlan) } as never;
  const machine = createMachine(config, memberMachine.implementations as never) as unknown as typeof memberMachine;
  return checkMachine(machine, {
    events: memberEvents,
    // Numbers of runs and attempts only grow, and steer nothing but whether there were any.
    key: ({ value, context: { attempt, run, ...counts } }) => JSON.stringify([value, counts, attempt > 0, run > 0]),
  });
}

test(
  "a member is stuck only where it is shut down; what one lifetime never takes another does",
  { timeout: 240_000 },
  () => {
    const checks = {
      oneshot: checkMember("oneshot", false),
      "oneshot with plan": checkMember("oneshot", true),
      persistent: checkMember("persistent", false),
      "persistent with plan": checkMember("persistent", true),
    };
    const each = <Result>(of: (check: MachineCheck) => Result) =>
      Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, of(check)]));
    // The counts of test/machines/member-machine.test.ts, which walks the same machine by the kernel's stepper.
    expect(each(({ states }) => states)).toEqual({
      oneshot: 1010,
      "oneshot with plan": 962,
      persistent: 626,
      "persistent with plan": 614,
    });
    expect(each(({ dead }) => dead.length)).toEqual({
      oneshot: 39,
      "oneshot with plan": 37,
      persistent: 14,
      "persistent with plan": 12,
    });
    expect(each(({ unreachable }) => unreachable)).toEqual({
      oneshot: ["member.presence.idle"],
      "oneshot with plan": ["member.presence.idle"],
      persistent: [],
      "persistent with plan": [],
    });
    const all = Object.values(checks);
    expect(all.flatMap(({ errors, alwaysCycles, missing }) => [...errors, ...alwaysCycles, ...missing])).toEqual([]);
    expect(
      all.flatMap(({ deadlocks }) => deadlocks).filter(({ states }) => !states.includes("member.presence.shutdown")),
    ).toEqual([]);
    const taken = new Set(all.flatMap(({ coverage }) => coverage.taken));
    const never = checks.oneshot.coverage.uncovered.filter(({ id }) => !taken.has(id));
    expect(never.map(({ id }) => id)).toEqual([]);
  },
);
