import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The first team file of a guide, in a folder of its own. */
function fileOf(guide: string): string {
  const text = readFileSync(new URL(`../../docs/${guide}`, import.meta.url), "utf8");
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const path = join(temporaryFolder(), "x.team.yaml");
  writeFileSync(path, yaml);
  return path;
}

const eventsOf = (lines: readonly Record<string, unknown>[]) =>
  lines.flatMap(({ type, actor, from, event, verdict }) =>
    type === "event" ? [{ actor, from, event: event as { type: string; reason?: string }, verdict }] : [],
  );

test("R10, R12, R42: the guide's member is woken, tried again with a new task, and asked to shut down", async () => {
  const { code, stdout, stderr } = await teamchart(["run", fileOf("lifetimes.md"), "--json"]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const lines = jsonLines(stdout) as Record<string, unknown>[];
  const writer = eventsOf(lines).filter(({ actor }) => actor === "Writer");
  expect(writer.map(({ event }) => event.type)).toEqual(
    expect.arrayContaining(["mail.arrived", "member.retry", "notice.shutdown_requested", "shutdown.replied"]),
  );
  expect(lines.at(-1)).toMatchObject({
    outcome: "completed",
    answer: "The notes are done.",
    members: [{ name: "Writer", status: "completed", attempt: 2, summary: "2.0 drops the old API." }],
  });
});

test("R25: the guide's members answer each other, and one acknowledges", async () => {
  const { code, stdout } = await teamchart(["run", fileOf("mail.md"), "--json"]);
  const lines = jsonLines(stdout) as Record<string, unknown>[];
  expect(code).toBe(0);
  const done = eventsOf(lines).filter(({ event }) => event.type === "mail.acknowledge");
  expect(done.map(({ from, verdict }) => [from, verdict])).toEqual([["Ann", "handled"]]);
  expect(lines.at(-1)).toMatchObject({ outcome: "completed", messages: { accepted: 2, delivered: 2 } });
});
