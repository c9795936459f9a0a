import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { httpService } from "../support/http-service.ts";
import { one } from "../support/sessions.ts";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const file = `
team: { name: Small, members: [ { name: A, prompt: "Say yes." } ] }
agents: { general: { model: scripted, tools: [] } }
script: { A: [ { calls: [ { tool: complete, input: { summary: "yes", paths: [] } } ] } ] }
`;

function smallTeam(): string {
  const path = join(temporaryFolder(), "team.yaml");
  writeFileSync(path, file);
  return path;
}

/** Runs a command that serves, asks `look` at the address that it prints, and interrupts it then. */
async function served(args: readonly string[], look: (address: URL) => Promise<void>, env = {}, cwd = process.cwd()) {
  const looked = Promise.withResolvers<void>();
  let isServed = false;
  const ended = await teamchart(args, {
    cwd,
    env,
    timeoutMs: 60_000,
    onStdout: (_text, child) => {
      seen += _text;
      const address = /inspector[^\n]*: (http\S+)\n/.exec(seen)?.[1];
      if (address === undefined || isServed) return;
      isServed = true;
      look(new URL(address))
        .finally(() => child.kill("SIGINT"))
        .then(looked.resolve, looked.reject);
    },
  });
  if (isServed) await looked.promise;
  return ended;
}
let seen = "";

/** Asks the service at an address that was printed, with the token in it. */
async function ask(address: URL, path: string): Promise<Record<string, unknown>> {
  const token = new URLSearchParams(address.hash.slice(1)).get("token");
  const answer = await fetch(new URL(path, address), { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as Record<string, unknown>;
}

test("dev serves the team of a file until it is interrupted, read-only, at the address that it prints", async () => {
  seen = "";
  const { code, stdout } = await served(["dev", smallTeam(), "--port", "0", "--session", "s"], async (address) => {
    expect(address.hostname).toBe("127.0.0.1");
    expect(await ask(address, "api/info")).toMatchObject({ readOnly: true, bus: "memory" });
    for (;;) {
      const { sessions } = (await ask(address, "api/sessions")) as { sessions: { id: string; state: string }[] };
      if (sessions[0]?.state === "closed" && seen.includes("The inspector stays")) break;
    }
    expect(await ask(address, "api/sessions/s/status")).toMatchObject({ members: [{ name: "A", summary: "yes" }] });
  });
  expect(stdout).toContain("The inspector stays at http://127.0.0.1:");
  expect(code).toBe(0);
});

test("dev without a file shows an example, and --control lets the page act", async () => {
  seen = "";
  const { stdout } = await served(["dev", "--port", "0", "--control"], async (address) => {
    expect(await ask(address, "api/info")).toMatchObject({ control: true });
    const { sessions } = await ask(address, "api/sessions");
    expect(sessions).toHaveLength(1);
  });
  expect(stdout).toContain("an example; scripted model, no LLM");
});

test("run --inspect serves while it runs, and ends with the run where nobody sits at a terminal", async () => {
  const { code, stdout } = await teamchart(["run", smallTeam(), "--inspect", "--port", "0"]);
  expect(stdout).toMatch(/^inspector \(read-only\): http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n/m);
  expect(code).toBe(0);
  const json = await teamchart(["run", smallTeam(), "--inspect", "--port", "0", "--json"]);
  expect(jsonLines(json.stdout).at(-1)).toMatchObject({ type: "result", outcome: "completed" });
  expect(json.stderr).toContain("inspector (read-only): http://");
});

test("inspect FILE serves a recording as it was, and refuses one that was changed", async () => {
  seen = "";
  const path = join(temporaryFolder(), "run.ndjson");
  await teamchart(["run", smallTeam(), "--record", path, "--session", "s"]);
  const { code } = await served(["inspect", path, "--port", "0"], async (address) => {
    expect(await ask(address, "api/info")).toMatchObject({ bus: "recording", control: false });
    expect(await ask(address, "api/sessions")).toMatchObject({ sessions: [{ id: "s", state: "closed" }] });
    expect(await ask(address, "api/sessions/s/status")).toMatchObject({ members: [{ name: "A", summary: "yes" }] });
    const token = new URLSearchParams(address.hash.slice(1)).get("token");
    const headers = { authorization: `Bearer ${token}` };
    const recording = await fetch(new URL("api/sessions/s/recording", address), { headers });
    expect(await recording.text()).toBe(readFileSync(path, "utf8"));
    const events = await fetch(new URL("api/sessions/s/events?from=1", address), { headers });
    expect((await events.text()).match(/^event: \w+/gm)?.at(-1)).toBe("event: closed");
  });
  expect(code).toBe(0);
  writeFileSync(path, readFileSync(path, "utf8").replace('"yes"', '"no!"'));
  expect((await teamchart(["inspect", path])).code).toBe(1);
});

// It interrupts dev at the very end of the run: a signal that comes there must not be lost.
test("dev keeps its session on the sqlite bus, and inspect shows what the bus has stored without running any of it", async () => {
  const cwd = temporaryFolder();
  const env = { TEAMCHART_BUS: "sqlite" };
  seen = "";
  const dev = await served(
    ["dev", smallTeam(), "--port", "0", "--session", "s"],
    async (address) => {
      expect(await ask(address, "api/info")).toMatchObject({ bus: "sqlite" });
      for (;;) {
        const { sessions } = (await ask(address, "api/sessions")) as { sessions: { id: string; state: string }[] };
        if (sessions[0]?.state === "closed") break;
      }
    },
    env,
    cwd,
  );
  expect(dev.code).toBe(0);
  seen = "";
  const { code, stdout } = await served(
    ["inspect", "--port", "0"],
    async (address) => {
      expect(await ask(address, "api/sessions")).toMatchObject({ sessions: [{ id: "s", state: "closed" }] });
      expect(await ask(address, "api/sessions/s/log")).toMatchObject({ first: 1, checkpoint: null });
      expect(await ask(address, "api/sessions/s/status")).toMatchObject({ members: [{ name: "A", summary: "yes" }] });
    },
    env,
    cwd,
  );
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 stored sessions")]);
  const again = await teamchart(["dev", smallTeam(), "--session", "s", "--port", "0"], { cwd, env });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("there is such a session already") });
});

test("inspect FILE serves a counterexample of the checker", async () => {
  seen = "";
  const { checkModel, teamModel } = await import("teamchart/testing");
  const { violation } = checkModel(teamModel({ members: [{ name: "A" }] }), {
    always: { "nobody fails": (state) => state.members.every((member) => !member.is("failed")) },
    budgets: { outcomes: 1 },
  });
  const path = join(temporaryFolder(), "counterexample.ndjson");
  writeFileSync(
    path,
    violation!
      .toRecording()
      .map((line) => `${line}\n`)
      .join(""),
  );
  const { stdout } = await served(["inspect", path, "--port", "0"], async (address) => {
    const { sessions } = (await ask(address, "api/sessions")) as { sessions: { state: string }[] };
    expect(sessions[0]?.state).toBe("closed");
  });
  expect(stdout).toContain('recording of a counterexample to "nobody fails": 4 inputs, team Team\n');
});

test("inspect URL says what a running service shows; the token comes from the address or --token", async () => {
  const on = await httpService();
  const session = await on.system.openSession({ id: "s" });
  await session.createTeam({ name: "T", members: [one("A", { agentType: "echo" })] });
  const told = await teamchart(["inspect", on.listening.urlWithToken]);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("open    s  T: ") });
  const json = await teamchart(["inspect", on.listening.url, "--json"], {
    env: { TEAMCHART_TOKEN: on.service.token! },
  });
  expect(jsonLines(json.stdout)[0]).toMatchObject({ type: "service", readOnly: true, sessions: [{ id: "s" }] });
  const without = await teamchart(["inspect", on.listening.url]);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("token is missing or wrong") });
});

test.each([
  [["inspect", "http://127.0.0.1:9/"], "nothing answers at http://127.0.0.1:9/"],
  [["inspect", "nothing.ndjson"], "it cannot be read"],
  [["inspect"], "there are no stored sessions here"],
  [["dev", "--host", "0.0.0.0"], "give a token of your own by --token"],
  [["dev", "--token", "short"], "--token: expected 22 to 500 random characters"],
  [["dev", "--port", "70000"], "--port: expected a port from 0 to 65535"],
])("%j is refused with exit code 2", async (args, text) => {
  expect(await teamchart(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
});

test("a port that is taken is refused before anything runs", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const { code, stdout, stderr } = await teamchart(["dev", "--port", String(port)]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`port ${port} of 127.0.0.1 is taken`);
});

test("--print-config shows that there is a token, and not which", async () => {
  const env = { TEAMCHART_TOKEN: "a-token-of-my-own-0123456789" };
  const { stdout } = await teamchart(["dev", smallTeam(), "--print-config"], { env });
  expect(stdout).toMatch(/token\s+\[redacted\]\s+\(TEAMCHART_TOKEN\)/);
  expect(stdout).not.toContain(env.TEAMCHART_TOKEN);
});
