import { expect, test } from "vitest";
import { memoryBus } from "teamchart/memory";
import { gate, one, rejection, until } from "../../support/sessions.ts";
import { echo, httpService, type HttpService } from "../../support/http-service.ts";

/** The value of a metric. */
async function valueOf({ ask }: HttpService, sample: string): Promise<number> {
  const text = await (await ask("/metrics")).text();
  const line = text.split("\n").find((each) => each.startsWith(`${sample} `));
  return line === undefined ? Number.NaN : Number(line.slice(sample.length + 1));
}

test("inputs are counted by what became of them, and appends by how long they took", async () => {
  const on = await httpService();
  const session = await on.system.openSession({ id: "s" });
  await (await session.createTeam({ name: "T", members: [one("A", { agentType: "echo" })] })).finished();
  const refused = await valueOf(on, 'teamchart_inputs_total{verdict="refused"}');
  await rejection(session.sendMessage({ to: "Bob", content: "x" }));
  expect(await valueOf(on, 'teamchart_inputs_total{verdict="refused"}')).toBe(refused + 1);
  const handled = await valueOf(on, 'teamchart_inputs_total{verdict="handled"}');
  expect(handled).toBeGreaterThan(3);
  const count = await valueOf(on, "teamchart_append_seconds_count");
  expect(count).toBe(handled + refused + 1);
  expect(await valueOf(on, 'teamchart_append_seconds_bucket{le="+Inf"}')).toBe(count);
});

test("how full mailboxes are and how old what is in them is, under names of any script", async () => {
  const release = gate();
  const slow = { run: async () => (await release.promise, { summary: "x" }) };
  const on = await httpService({}, { agents: { echo, slow } });
  const session = await on.system.openSession({ id: "s" });
  const names = ["項目管理", 'a"b\\c'];
  await session.createTeam({ name: "T", members: names.map((name) => one(name, { agentType: "slow" })) });
  await session.sendMessage({ to: "項目管理", content: "1" });
  await session.sendMessage({ to: "項目管理", content: "2" });
  await session.sendMessage({ to: 'a"b\\c', content: "3" });
  expect(await valueOf(on, 'teamchart_mailbox_messages{session="s",actor="項目管理"}')).toBe(2);
  expect(await valueOf(on, 'teamchart_mailbox_messages{session="s",actor="a\\"b\\\\c"}')).toBe(1);
  expect(await valueOf(on, 'teamchart_session_unread_messages{session="s"}')).toBe(3);
  expect(await valueOf(on, 'teamchart_session_oldest_seconds{session="s"}')).toBeGreaterThanOrEqual(0);
  await session.dissolve({ mode: "abort" });
  await until(() => session.state.mail.deadLettered === 3);
  expect(await valueOf(on, "teamchart_dead_letters_total")).toBe(3);
  release.resolve();
});

test("sessions of another system in the same process are not counted", async () => {
  const [on, other] = [await httpService(), await httpService()];
  await other.system.openSession({ id: "s" });
  expect(await valueOf(on, "teamchart_append_seconds_count")).toBe(0);
  expect(await valueOf(on, 'teamchart_sessions{state="open"}')).toBe(0);
  expect(await valueOf(other, 'teamchart_sessions{state="open"}')).toBe(1);
});

test("a session that another owner takes over is counted, its first owner is not", async () => {
  const bus = memoryBus();
  const on = await httpService({}, { bus });
  const session = await on.system.openSession({ id: "s" });
  expect(await valueOf(on, "teamchart_takeovers_total")).toBe(0);
  await bus.append({
    subject: { namespace: "default", session: "s", actor: "session", sender: "system" },
    input: {
      id: "other-1",
      at: 0,
      actor: "session",
      from: "system",
      epoch: 99,
      event: { type: "owner.claimed", epoch: 99, node: "other" },
    },
  });
  await until(() => session.state.epoch === 99);
  expect(await valueOf(on, "teamchart_takeovers_total")).toBe(1);
});

test("every metric says what it is, and every line has the form of Prometheus", async () => {
  const on = await httpService();
  await on.system.openSession({ id: "s" });
  const lines = (await (await on.ask("/metrics")).text()).trim().split("\n");
  const named = new Set(lines.flatMap((line) => /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? []));
  for (const line of lines) {
    if (line.startsWith("#")) continue;
    expect(line).toMatch(/^[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*\})? [0-9.e+-]+$/);
    expect(named).toContain(/^([a-z_]+?)(?:_bucket|_sum|_count)?[{ ]/.exec(line)?.[1]);
  }
});
