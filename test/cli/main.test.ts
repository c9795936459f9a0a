import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { MAIN } from "../support/teamchart.ts";

/** Runs the command with a Node that says it is `version`. */
const runOn = (version: string) => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  const loader = `data:text/javascript,${encodeURIComponent(pretend)}`;
  return spawnSync(process.execPath, ["--import", loader, MAIN, "--version"], { encoding: "utf8" });
};

test.each(["18.20.4", "20.19.0", "22.12.0"])("Node %s is refused with one sentence and exit 2", (version) => {
  const { status, stdout, stderr } = runOn(version);
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toBe(`teamchart needs Node 22.13 or newer and this is ${version}.\n`);
});

test.each(["22.13.0", "23.0.0", "24.21.0"])("Node %s is new enough", (version) => {
  const { status, stdout } = runOn(version);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
