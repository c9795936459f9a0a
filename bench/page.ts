// node bench/page.ts [MEMBERS] [EVENTS_PER_SECOND] [SECONDS]: the frames of the inspector's page while it folds what a busy
// team does, beside those of the same page while nothing happens. Needs a built page and a Chromium.
import { createKernel, type SessionState } from "../src/machines/index.ts";
import { resolveLimits } from "../src/protocol/limits.ts";
import type { Input, InputEvent } from "../src/protocol/input.ts";
import { TeamSpec } from "../src/protocol/spec.ts";
import { startBrowser } from "../test/support/chromium.ts";
import { servePage } from "../test/support/page-server.ts";

const [members = 1_000, perSecond = 2_000, seconds = 10] = process.argv.slice(2).map(Number);
const tickMs = 20;

/** Writes the log of a busy team: each member answers, calls a tool and goes on, for ever. */
class BusyTeam {
  readonly #kernel = createKernel();
  readonly session: SessionState = this.#kernel.create();
  readonly #at = new Map<string, number>();
  #seq = 0;
  #next = 0;

  line(actor: string, from: string, event: InputEvent, plan?: TeamSpec): string {
    const seq = ++this.#seq;
    const { epoch } = this.session;
    const input: Input = { id: `i${seq}`, at: Date.now(), actor, from, epoch, event };
    const { verdict } = this.#kernel.apply(this.session, { seq, input, ...(plan && { plan }) });
    const line = {
      type: "event",
      seq,
      step: 0,
      at: input.at,
      team: "T",
      actor,
      from,
      event,
      verdict,
      input: { id: input.id, epoch, actor, from },
      ...(plan && { plan }),
    };
    return JSON.stringify(line);
  }

  /** The next thing that the next member does. */
  step(): string {
    const token = [`M${this.#next++ % members}-t1`].join("");
    const k = (this.#at.get(token) ?? 0) + 1;
    this.#at.set(token, k);
    const own = { run: 1, k };
    const call = `c${k - (k % 4)}`;
    const events: readonly InputEvent[] = [
      { type: "run.answered", ...own, calls: 1, usage: { input: 30, output: 20 }, finish: "tool-calls" },
      { type: "tool.started", ...own, call, tool: "read_file" },
      { type: "tool.ended", ...own, call, verdict: "ok" },
      { type: "step.ended", ...own },
    ];
    return this.line(token, token, events[(k - 1) % 4] as InputEvent);
  }
}

const team = new BusyTeam();
const config = {
  session: "bench",
  lead: "none",
  agentTypes: [{ name: "general", kind: "model" }],
  limits: resolveLimits({}),
} as const;
const spec = TeamSpec.parse({
  name: "T",
  members: Array.from({ length: members }, (_, index) => ({ name: `M${index}`, prompt: "work" })),
});
const log = [
  team.line("session", "system", { type: "session.opened", config: { ...config, agentTypes: [...config.agentTypes] } }),
  team.line("session", "system", { type: "owner.claimed", epoch: 1, node: "bench" }),
  team.line("session", "lead", { type: "team.create", plan: "p", byModel: false }, spec),
];
let emit: (line: string) => void = () => {};

await using server = await servePage((request, response) => {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const json = (value: unknown): boolean => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    return true;
  };
  if (path === "/api/info")
    return json({ version: "bench", control: false, readOnly: true, bus: "memory", machines: {}, now: Date.now() });
  if (path.endsWith("/log")) return json({ first: 1, last: team.session.seq, checkpoint: null });
  if (!path.endsWith("/events")) return false;
  response.writeHead(200, { "content-type": "text/event-stream" });
  emit = (line) => void response.write(`event: record\ndata: ${line}\n\n`);
  log.forEach(emit);
  return true;
});
await using browser = await startBrowser();
const page = await browser.context.newPage();
await page.goto(`${server.url}#session=bench&actor=M1&view=log`);
await page.locator(".roster-row").first().waitFor();

/** Times between frames in the page, ms, sorted. */
const frames = (ms: number): Promise<readonly number[]> =>
  page.evaluate(`new Promise((resolve) => {
    const times = [];
    const end = performance.now() + ${ms};
    let last = performance.now();
    const next = (now) => {
      times.push(now - last);
      last = now;
      if (performance.now() < end) requestAnimationFrame(next);
      else resolve(times.sort((a, b) => a - b));
    };
    requestAnimationFrame(next);
  })`);
const at = (times: readonly number[], share: number): string =>
  (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
const tell = (name: string, times: readonly number[]): void =>
  void process.stdout.write(
    `${name}: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, p99 ${at(times, 0.99)} ms, longest ${at(times, 1)} ms, ${times.length} frames\n`,
  );

for (const view of ["log", "map", "chart"]) {
  await page.locator(`[data-tab="${view}"]`).click();
  await page.waitForTimeout(2_000);
  const still = await frames(3_000);
  let due = 0;
  let sent = 0;
  const from = performance.now();
  const timer = setInterval(() => {
    due = ((performance.now() - from) / 1000) * perSecond;
    for (; sent < due; sent++) emit(team.step());
  }, tickMs);
  const busy = await frames(seconds * 1000);
  clearInterval(timer);
  const rate = sent / ((performance.now() - from) / 1000);
  const behind = (await page.locator(".mode").textContent()) ?? "";
  tell(`${view}, nothing happens`, still);
  tell(`${view}, ${members} members, ${rate.toFixed(0)} events/s (${behind.trim()})`, busy);
}
