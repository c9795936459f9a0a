import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const caseFile = (name: string) => join(import.meta.dirname, "../cases", `${name}.team.yaml`);

/** Writes a team file into a new folder. */
function teamFile(content: object): { folder: string; path: string } {
  const folder = temporaryFolder();
  const path = join(folder, "x.team.json");
  writeFileSync(path, JSON.stringify(content));
  return { folder, path };
}

const complete = (summary: string) => ({ calls: [{ tool: "complete", input: { summary } }] });

test("without a terminal a run is told in plain lines, one for each notable change", async () => {
  const { stdout } = await teamchart(["run", caseFile("failure-replan"), "--session", "s"]);
  const lines = stdout.replace(/\d+\.\d s$/m, "N s").replaceAll(/^(.*) blocked -> in_progress$/gm, "$1 starts");
  expect(lines).toMatchSnapshot();
});

test("--json is one object a line: every event from the first input on, and the result last", async () => {
  const { stdout, stderr } = await teamchart(["run", caseFile("unknown-recipient"), "--json", "--session", "s"]);
  const lines = jsonLines(stdout);
  expect(lines.map(({ type }) => type)).toEqual([...lines.slice(1).map(() => "event"), "result"]);
  expect(lines[0]).toMatchObject({ seq: 1, step: 0, actor: "session", event: { type: "session.opened" } });
  expect(Object.keys(lines.at(-1) ?? {})).toEqual(
    "type outcome answer members messages revision durationMs".split(" "),
  );
  expect(stderr).toBe("session s: scripted model, no LLM\n");
});

test("names, prompts, messages and answers reach the terminal without their control characters", async () => {
  const evil = "\u001B[2J\u009B31m\u0007\u202E";
  const { path } = teamFile({
    lead: { prompt: "go" },
    script: {
      Lead: [
        { calls: [{ tool: "team_create", input: { name: "T", members: [{ name: "A", prompt: evil }] } }] },
        { waitFor: { A: "completed" } },
        { text: `answer ${evil}` },
      ],
      A: [{ calls: [{ tool: "team_send_message", input: { to: `Bb${evil}`, content: evil } }] }, complete(evil)],
    },
  });
  for (const args of [["--no-color"], ["--json"]]) {
    const { code, stdout, stderr } = await teamchart(["run", path, ...args]);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  }
});

test("the workspace of a file is relative to the file", async () => {
  const call = { tool: "write_file", input: { path: "made.txt", text: "hello\n" } };
  const { folder, path } = teamFile({
    workspace: ".",
    team: { name: "W", members: [{ name: "A", prompt: "a" }] },
    script: { A: [{ calls: [call] }, complete("done")] },
  });
  const elsewhere = temporaryFolder();
  expect((await teamchart(["run", path], { cwd: elsewhere })).code).toBe(0);
  expect(readFileSync(join(folder, "made.txt"), "utf8")).toBe("hello\n");
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("--out keeps the result and the answer", async () => {
  const out = join(temporaryFolder(), "a/b");
  await teamchart(["run", caseFile("failure-replan"), "--out", out]);
  expect(readFileSync(join(out, "answer.md"), "utf8")).toBe("done\n");
  expect(JSON.parse(readFileSync(join(out, "result.json"), "utf8"))).toMatchObject({ type: "result", answer: "done" });
});

test("a folder or recording that cannot be written is refused before anything starts", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const args of [
    ["--out", join(file, "x")],
    ["--record", join(file, "x")],
  ]) {
    const { code, stdout } = await teamchart(["run", caseFile("diamond"), "--json", ...args]);
    expect(code).toBe(2);
    expect(jsonLines(stdout)).toEqual([expect.objectContaining({ type: "error", code: "bad_file" })]);
  }
});

test.skipIf(process.platform !== "linux")(
  "a recording that cannot be written to its end is told and makes a completed run exit 1; the result is told all the same",
  async () => {
    const { code, stdout, stderr } = await teamchart(["run", caseFile("diamond"), "--json", "--record", "/dev/full"]);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", outcome: "completed" });
    expect(stderr).toMatch(/^\/dev\/full: the recording ended before the session: ENOSPC/mu);
    expect(stderr.match(/the recording ended/gu)).toHaveLength(1);
    expect(code).toBe(1);
  },
);

test("a file without script and model is refused with the variables that were looked at, and nothing starts", async () => {
  const { path } = teamFile({ team: { name: "M", members: [{ name: "A", prompt: "a" }] } });
  const { code, stdout } = await teamchart(["run", path, "--json"]);
  expect(code).toBe(2);
  const [error, ...more] = jsonLines(stdout);
  expect(more).toEqual([]);
  expect(error).toMatchObject({
    code: "no_model_key",
    data: { looked: expect.arrayContaining(["ANTHROPIC_API_KEY"]) },
  });
});

test("--print-config says where every value came from, and starts nothing", async () => {
  const { path } = teamFile({
    workspace: "shared",
    agents: { reviewer: { model: "scripted" }, other: {} },
    limits: { membersMax: 3 },
    lead: { prompt: "go" },
  });
  const args = ["run", path, "--print-config", "--session", "s", "--record", "never.ndjson"];
  const env = { TEAMCHART_MODEL: "ollama/qwen3", NO_COLOR: "1", TEAMCHART_OUT: "never" };
  const { code, stdout } = await teamchart(args, { env });
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\S*teamchart-test-\w+/g, "FOLDER")).toMatchSnapshot();
  const json = await teamchart([...args, "--json"], { env });
  expect(jsonLines(json.stdout)[0]).toMatchObject({
    type: "config",
    settings: {
      model: { value: "ollama/qwen3", source: "TEAMCHART_MODEL" },
      "limits.membersMax": { value: 3, source: "file" },
    },
  });
});

test("the first SIGINT dissolves the team and ends with an interrupted result and 130", async () => {
  const { path } = teamFile({
    team: { name: "H", members: [{ name: "A", prompt: "a" }] },
    script: { A: [{ hang: true }] },
  });
  const ended = await teamchart(["run", path, "--json"], {
    onStdout: (text, child) => void (text.includes("run.injected") && child.kill("SIGINT")),
  });
  expect(ended.code).toBe(130);
  expect(ended.stderr).toContain("Interrupted: dissolving the team.");
  expect(jsonLines(ended.stdout).at(-1)).toMatchObject({
    outcome: "interrupted",
    members: [{ name: "A", status: "cancelled" }],
  });
});

test("an interrupt does not wait for the grace period of a dissolve that is under way", async () => {
  const { path } = teamFile({
    limits: { graceMs: 600_000 },
    lead: { prompt: "go" },
    script: {
      Lead: [
        { calls: [{ tool: "team_create", input: { name: "H", members: [{ name: "A", prompt: "a" }] } }] },
        { waitFor: { A: "in_progress" } },
        { calls: [{ tool: "team_dissolve", input: {} }] },
      ],
      A: [{ hang: true }],
    },
  });
  const ended = await teamchart(["run", path, "--json"], {
    onStdout: (text, child) => void (text.includes("shutdown.request") && child.kill("SIGINT")),
  });
  expect(ended.code).toBe(130);
  expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ outcome: "interrupted" });
});

test("a stdout that nobody reads any more ends the run quietly", async () => {
  const { path } = teamFile({
    team: {
      name: "H",
      members: [
        { name: "A", prompt: "a" },
        { name: "B", prompt: "b" },
      ],
    },
    script: { A: [{ delayMs: 300, text: "x" }, { delayMs: 300, text: "x" }, { hang: true }], B: [{ hang: true }] },
  });
  const ended = await teamchart(["run", path, "--json"], { onStdout: (_text, child) => void child.stdout?.destroy() });
  expect(ended.code).toBe(130);
  expect(ended.stderr).toMatch(/^session \S+: scripted model, no LLM\n$/);
});

test("without anybody to ask, a question is answered so and a permission is left to its time limit", async () => {
  const { path } = teamFile({
    limits: { permissionMs: 50 },
    agents: { runner: { tools: ["execute"] } },
    lead: { prompt: "go" },
    script: {
      Lead: [
        { calls: [{ tool: "ask_user_question", input: { question: "Which colour?" } }] },
        {
          calls: [
            { tool: "team_create", input: { name: "P", members: [{ name: "A", prompt: "a", agentType: "runner" }] } },
          ],
        },
        { waitFor: { A: "completed" } },
        { text: "done" },
      ],
      A: [{ calls: [{ tool: "execute", input: { command: "true" } }] }, complete("not run")],
    },
  });
  const { code, stderr } = await teamchart(["run", path]);
  expect(code).toBe(0);
  expect(stderr.split("\n").filter((line) => line.startsWith("Nobody can answer"))).toEqual([
    expect.stringContaining("it is told that nobody is here: Which colour?"),
    expect.stringContaining(
      'it is denied when limits.permissionMs is over: May A use execute with {"command":"true"}?',
    ),
  ]);
});

test("the policy of a file holds: what it allows runs, what it denies does not, and the rest asks", async () => {
  const allow = ["execute(true)", "write_file(out/**)"];
  const { path, folder } = teamFile({
    limits: { permissionMs: 10 },
    workspace: ".",
    permissions: { rules: { allow, deny: ["write_file(out/keep/**)"] } },
    agents: { runner: { tools: ["execute", "write_file"], permissions: { rules: { allow: ["execute"] } } } },
    team: { name: "P", members: [{ name: "A", prompt: "a", agentType: "runner" }] },
    script: {
      A: [
        {
          calls: [
            { tool: "execute", input: { command: "true" } },
            { tool: "execute", input: { command: "false" } },
            { tool: "write_file", input: { path: "out/a", text: "a" } },
            { tool: "write_file", input: { path: "out/keep/a", text: "a" } },
          ],
        },
        complete("done"),
      ],
    },
  });
  const { code, stderr } = await teamchart(["run", path]);
  expect(code).toBe(0);
  expect([existsSync(join(folder, "out/a")), existsSync(join(folder, "out/keep"))]).toEqual([true, false]);
  expect(stderr.match(/May A use [^?]*\?/gu)).toEqual(['May A use execute with {"command":"false"}?']);
});

test("a lead that fails is told, and makes the run fail", async () => {
  const { path } = teamFile({ lead: { prompt: "go" }, script: { Lead: [{ error: "context_length" }] } });
  const { code, stdout } = await teamchart(["run", path]);
  expect(code).toBe(1);
  expect(stdout).toContain("The lead failed: model_error: context_length");
});

test("--log-level debug logs every event on stderr as an object a line, and warn logs none", async () => {
  const run = (level: string) => teamchart(["run", caseFile("names"), "--session", "s", "--log-level", level]);
  const [debug, warn] = [await run("debug"), await run("warn")];
  expect(jsonLines(debug.stderr)[0]).toMatchObject({ type: "log", level: "debug", session: "s", seq: 1 });
  expect(warn.stderr).toBe("");
});

test("a recording is its owner's alone", async () => {
  const path = join(temporaryFolder(), "r.ndjson");
  writeFileSync(path, "older");
  chmodSync(path, 0o644);
  await teamchart(["run", caseFile("diamond"), "--record", path]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
