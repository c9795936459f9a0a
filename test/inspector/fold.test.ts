import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { previewReplan } from "../../apps/inspector/control/replan-preview.ts";
import { replanSpec, type Operation } from "../../apps/inspector/control/replan-spec.ts";
import { layOutDag } from "../../apps/inspector/dag/layers.ts";
import { SessionModel } from "../../apps/inspector/fold/session-model.ts";
import { differences } from "../../apps/inspector/fold/step-diff.ts";
import { traceCase } from "../../apps/inspector/fold/trace-case.ts";
import { whyBlocked } from "../../apps/inspector/fold/why.ts";
import { membersInOrder, messageCounts } from "../../src/machines/index.ts";
import { ROOT } from "../repository/checks/source-file.ts";
import { choices } from "../support/random-session.ts";
import { recordSession } from "../support/record-session.ts";
import { stuckTeam } from "./support/recorded-team.ts";

const run = promisify(execFile);

function opened(lines: readonly string[]): SessionModel {
  const model = new SessionModel("s");
  for (const line of lines) model.takeLine(line);
  model.flush();
  model.timeline.publish();
  return model;
}

test("a blocked member of any session is told what it waits for: exactly its upstreams that have not completed", () => {
  let told = 0;
  fc.assert(
    fc.property(choices(80), (numbers) => {
      const { timeline } = opened(recordSession(numbers).lines);
      const { facts } = timeline.kernel.steppers;
      for (const member of membersInOrder(timeline.head)) {
        const why = whyBlocked(timeline.head, member, facts);
        const isBlocked = facts.member(member.snapshot).work === "blocked";
        expect(why !== null).toBe(isBlocked);
        if (why === null) continue;
        const unmet = member.dependsOn
          .flatMap((token) => timeline.head.members.get(token) ?? [])
          .filter((each) => facts.member(each.snapshot).work !== "completed");
        expect(why.unmet.map(({ name }) => name).toSorted()).toEqual(unmet.map(({ name }) => name).toSorted());
        for (const root of why.roots) expect(root.state).not.toBe("blocked");
        told++;
      }
    }),
    { numRuns: 60 },
  );
  expect(told).toBeGreaterThan(20);
});

test("every copy of a message is unread, read or dead, as many of each as the session counts", () => {
  fc.assert(
    fc.property(choices(100), (numbers) => {
      const model = opened(recordSession(numbers).lines);
      const { delivered, deadLettered, unread, refused } = messageCounts(model.timeline.head);
      const sent = model.messages.all.filter(({ kind }) => kind !== "notice");
      const copies = sent.flatMap((message) => message.copies);
      const toHost =
        model.timeline.head.config?.lead === "none" ? copies.filter(({ token }) => token === "lead").length : 0;
      expect(copies.filter(({ deadSeq }) => deadSeq !== null)).toHaveLength(deadLettered);
      expect(copies.filter(({ readSeq }) => readSeq !== null).length + toHost).toBe(delivered);
      expect(copies.filter(({ readSeq, deadSeq }) => readSeq === null && deadSeq === null).length - toHost).toBe(
        unread,
      );
      expect(sent.filter((message) => message.refused !== null).length).toBeGreaterThanOrEqual(refused);
    }),
    { numRuns: 80 },
  );
});

test("a trace that was copied passes as it is, and fails as soon as another state is expected", async () => {
  const model = opened(await stuckTeam());
  const made = traceCase(model.timeline, "night watch");
  if ("problem" in made) throw new Error(made.problem);
  const folder = mkdtempSync(join(ROOT, "test/inspector/copied-"));
  try {
    writeFileSync(join(folder, "right.test.ts"), made.text);
    writeFileSync(join(folder, "wrong.test.ts"), made.text.replace('["Ann","failed"]', '["Ann","completed"]'));
    const vitest = (name: string) =>
      run(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", join(folder, name)], { cwd: ROOT });
    await vitest("right.test.ts");
    await expect(vitest("wrong.test.ts")).rejects.toThrow(/Command failed/);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test("a plan is judged as the session will judge it, and the session that is shown stays as it is", async () => {
  const { timeline } = opened(await stuckTeam());
  const before = JSON.stringify(membersInOrder(timeline.head));
  const preview = (operations: readonly Operation[]) =>
    previewReplan(timeline.kernel, timeline.head, replanSpec(operations, timeline.head.revision, ""));
  const add = {
    kind: "add",
    name: "Ann 2",
    agentType: "general",
    prompt: "Instead.",
    dependsOn: [],
    replaces: "Ann",
  } as const;
  const good = preview([add]);
  expect("members" in good && good.started).toEqual(["Ann 2"]);
  expect("members" in good && good.members.map(({ name, after }) => [name, after])).toEqual([
    ["Ann", "cancelled"],
    ["Bob", "completed"],
    ["Reporter", "blocked"],
    ["Editor", "blocked"],
    ["Ann 2", "in_progress"],
  ]);
  const bad = preview([{ kind: "rewire", name: "Reporter", dependsOn: ["Editor"] }]);
  expect("problems" in bad && bad.problems.join()).toMatch(/Reporter.*Editor.*Reporter|Editor.*Reporter.*Editor/);
  expect(JSON.stringify(membersInOrder(timeline.head))).toBe(before);
});

test("in any graph every member stands right of what it waits for, and no two on one another", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(1_000), { maxLength: 4 }), { minLength: 1, maxLength: 200 }), (graph) => {
      const nodes = graph.map((each, index) => ({
        id: `n${index}`,
        name: `n${index}`,
        dependsOn: index === 0 ? [] : [...new Set(each.map((to) => `n${to % index}`))],
      }));
      const { x, y, edges, nodeWidth, nodeHeight } = layOutDag(nodes);
      for (let at = 0; at < edges.length; at += 2)
        expect((x[edges[at] ?? 0] ?? 0) + nodeWidth).toBeLessThan(x[edges[at + 1] ?? 0] ?? 0);
      const places = nodes.map((_node, index) => `${x[index]} ${Math.round((y[index] ?? 0) / nodeHeight)}`);
      expect(new Set(places).size).toBe(nodes.length);
    }),
  );
});

test("a difference names every value that changed, and nothing else", () => {
  const before = { a: 1, b: { c: [1, 2], d: "x" }, gone: true, same: { e: null } };
  const after = { a: 1, b: { c: [1, 2, 3], d: "x", f: 5 }, same: { e: null } };
  expect(differences(before, after)).toEqual([
    { path: "b.c", before: [1, 2], after: [1, 2, 3] },
    { path: "b.f", before: undefined, after: 5 },
    { path: "gone", before: true, after: undefined },
  ]);
});
