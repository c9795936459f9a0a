import fc from "fast-check";
import { expect, test } from "vitest";
import { eventLines } from "../../src/machines/event-lines.ts";
import { EventLine } from "../../src/protocol/recording.ts";
import { createKernel, type KernelRecord } from "../../src/machines/index.ts";
import { resolveLimits } from "../../src/protocol/limits.ts";
import type { Input } from "../../src/protocol/input.ts";
import { TeamSpec } from "../../src/protocol/spec.ts";
import { choices, playSession } from "../support/random-session.ts";

test("every line of any session has the shape that is promised", () => {
  fc.assert(
    fc.property(choices(), (numbers) => {
      playSession(numbers, ({ applied, record }, session) => {
        const lines = eventLines(session, applied, record);
        expect(lines).toHaveLength(applied.steps.length);
        for (const [step, line] of lines.entries()) {
          expect(EventLine.parse(JSON.parse(JSON.stringify(line)))).toEqual(JSON.parse(JSON.stringify(line)));
          expect(line).toMatchObject({ type: "event", seq: record.seq, step, at: record.input.at });
          expect([line.derived, line.cause]).toEqual(step === 0 ? [undefined, undefined] : [true, record.seq]);
        }
      });
    }),
    { numRuns: 30 },
  );
});

/** A session with one lead-less team after another. */
function linesOf(inputs: readonly (readonly [Partial<Input> & Pick<Input, "event">, KernelRecord["plan"]?])[]) {
  const kernel = createKernel();
  const session = kernel.create();
  const config = {
    session: "s",
    lead: "none" as const,
    agentTypes: [{ name: "general", kind: "model" as const }],
    limits: resolveLimits(),
  };
  const opened = [
    [{ event: { type: "session.opened" as const, config } }],
    [{ event: { type: "owner.claimed" as const, epoch: 1, node: "n" } }],
  ] as const;
  return [...opened, ...inputs].map(([given, plan], index) => {
    const input: Input = { id: `i${index}`, at: index, actor: "session", from: "system", epoch: 1, ...given };
    const record = { seq: index + 1, input, ...(plan === undefined ? {} : { plan }) };
    return eventLines(session, kernel.apply(session, record), record);
  });
}

const team = (...names: string[]) =>
  TeamSpec.parse({
    name: "Übersicht",
    members: names.map((name, at) => ({ name, prompt: "p", dependsOn: names.slice(0, at) })),
  });
const create = { from: "lead", event: { type: "team.create", plan: "d", byModel: false } } as const;

test("actors are named as people know them, and a member's line says its work state after the event", () => {
  const [, , created, completed] = linesOf([
    [create, team("项目 1", "B")],
    [
      {
        actor: "_e9_a1_b9_e7_9b_ae_201-t1",
        from: "_e9_a1_b9_e7_9b_ae_201-t1",
        event: { type: "run.completed", run: 1, k: 1 },
      },
    ],
  ]);
  expect(created?.map(({ actor, from, team: name, status }) => [actor, from, name, status])).toEqual([
    ["session", "Lead", "Übersicht", undefined],
    ["Team", "Lead", "Übersicht", undefined],
    ["Lead", "Team", "Übersicht", undefined],
    ["项目 1", "Team", "Übersicht", "in_progress"],
  ]);
  expect(completed?.map(({ actor, event, status }) => [actor, event.type, status])).toEqual([
    ["项目 1", "run.completed", "completed"],
    ["B", "member.start", "in_progress"],
  ]);
});

test("a member that is gone with its team keeps its name", () => {
  const lines = linesOf([
    [create, team("a_b c")],
    [{ actor: "team-1", from: "lead", event: { type: "team.dissolve", mode: "abort" } }],
    [create, team("Z")],
    [{ actor: "a_5fb_20c-t1", from: "a_5fb_20c-t1", event: { type: "run.completed", run: 1, k: 1 } }],
  ]);
  expect(lines.at(-1)).toMatchObject([{ actor: "a_b c", from: "a_b c", verdict: "stale" }]);
});
