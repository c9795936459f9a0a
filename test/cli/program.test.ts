import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";

const file = (name: string) => join(import.meta.dirname, "../cases", `${name}.team.yaml`);

test.each([
  [["--help"]],
  [["run", "--help"]],
  [["replay", "--help"]],
  [["check", "--help"]],
  [["status", "--help"]],
  [["doctor", "--help"]],
])("%j prints its help on stdout", async (args) => {
  const { code, stdout, stderr } = await teamchart(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatchSnapshot();
});

test("every flag of every command names its variable", async () => {
  for (const command of ["run", "demo", "check", "replay", "status", "doctor"]) {
    const { stdout } = await teamchart([command, "--help"]);
    const options = stdout
      .slice(stdout.indexOf("Options:"))
      .split(/\n {2}(?=-)/)
      .slice(1);
    for (const option of options.filter((each) => !each.startsWith("-h"))) {
      expect(option.replaceAll(/\s+/g, " ")).toMatch(/\(TEAMCHART_[A-Z_]+/);
    }
  }
});

test.each<[string, readonly string[], number, RegExp]>([
  ["a team that completes", ["run", file("unknown-recipient")], 0, /^$/],
  ["a team that fails", ["run", file("silent-member")], 1, /^$/],
  ["a file that is refused", ["run", file("cycle")], 2, /the dependencies form a cycle: A -> B -> C -> A/],
  ["a file that is not there", ["run", "nowhere.yaml"], 2, /nowhere\.yaml: there is no such file/],
  ["no command", [], 2, /Usage: teamchart/],
  ["an unknown command", ["rnu", "x"], 2, /unknown command 'rnu' \(Did you mean run\?\)/],
  ["an unknown flag", ["run", "--jsno", "x"], 2, /unknown option '--jsno' \(Did you mean --json\?\)/],
  ["a missing argument", ["run"], 2, /missing required argument 'file'/],
  ["too many arguments", ["status", "a", "b"], 2, /too many arguments/],
  ["a bus of no kind", ["run", file("cycle"), "--bus", "nats:x"], 2, /expected nats or nats:\/\/HOST:PORT/],
  ["a session in memory", ["resume", "s"], 2, /a session in memory ended with its process/],
  ["a session that is not there", ["resume", "s", "--bus", "sqlite:/nowhere/x.db"], 2, /there is no session "s"/],
  ["status", ["status"], 0, /^$/],
  ["a replay of what is no recording", ["replay", file("cycle")], 1, /record 0: it is no JSON object/],
])("%s: %j ends with exit code %d", async (_what, args, code, stderr) => {
  const ended = await teamchart(args);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(stderr);
  expect(ended.stderr).not.toMatch(/\n\s+at /);
});

test("with --json an error is one object on stdout, also when the command line itself is wrong", async () => {
  for (const args of [
    ["run", "nowhere.yaml", "--json"],
    ["run", "--json", "--nonsense"],
  ]) {
    const { code, stdout, stderr } = await teamchart(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    const [error, ...more] = jsonLines(stdout);
    expect(more).toEqual([]);
    expect(Object.keys(error ?? {})).toEqual(["type", "code", "message", "data"]);
  }
});

test("what a caller writes reaches the terminal without its control characters", async () => {
  const { stderr } = await teamchart(["run", "\u001B[31mred\u009B2J.yaml"]);
  expect(stderr).toContain("\\u{1b}[31mred\\u{9b}2J.yaml");
  expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
});
