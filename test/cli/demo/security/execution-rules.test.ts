import { expect, test } from "vitest";
import { reviewSecurity } from "../../../../src/cli/demo/security/review-security.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["eval(code);", "high dynamic-code 1"],
  ["globalThis.eval(`a${b}`);", "high dynamic-code 1"],
  ["app.post('/', (req, res) => res.json(new Function(req.body.f)()));", "high dynamic-code 1"],
  ["const f = new Function('a', body);", "medium dynamic-code 1"],
  ["import vm from 'node:vm'; vm.runInNewContext(code);", "medium dynamic-code 1"],
  ["setTimeout(`run(${a})`, 10);", "medium dynamic-code 1"],
  ["import { exec } from 'node:child_process'; exec(`git log ${branch}`);", "high command-injection 1"],
  ["const { execSync: run } = require('child_process'); const c = 'rm ' + f; run(c);", "high command-injection 1"],
  ["import * as cp from 'child_process'; export const f = (c) => cp.exec(c);", "medium command-injection 1"],
  [
    "import { exec } from 'child_process'; import { promisify } from 'util'; promisify(exec)(['git', a].join(' '));",
    "high command-injection 1",
  ],
  [
    "import { promisify } from 'util'; import { exec } from 'child_process'; const run = promisify(exec); run(['git', a].join(' '));",
    "high command-injection 1",
  ],
  ["import { spawn } from 'node:child_process'; spawn('ls', [dir], { shell: true });", "high command-injection 1"],
  [
    "import { spawn } from 'node:child_process'; const o = { shell: '/bin/sh' }; spawn(command, o);",
    "high command-injection 1",
  ],
  ["import { spawn } from 'node:child_process'; spawn('ls', ['-l'], { shell: true });", "low command-injection 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual([expected]);
});

test.each([
  "eval('1 + 1');",
  "const eval2 = (a) => a; eval2(code);",
  "function f(eval1, Function) { return new Function(eval1); }",
  "parser.eval(code); /eval(/;",
  "// eval(code)\nconst s = 'eval(code)';",
  "const probe = new Function('');",
  "setTimeout(() => run(a), 10); setTimeout(run, 10);",
  "/a/.exec(text); db.exec(statement);",
  "import { exec } from 'node:child_process'; exec('git status');",
  "import { exec } from 'node:child_process'; const GIT = 'git'; exec(`${GIT} status --short`);",
  "import { execFile } from 'node:child_process'; execFile('git', ['log', branch]);",
  "import { spawn } from 'node:child_process'; spawn('ls', [dir], { shell: false });",
  "import { exec } from 'node:child_process'; exec(`kill ${Number(pid)}`);",
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual([]);
});

test("a build script's own command line is a smaller fault than a service's", async () => {
  const text = "import { execSync } from 'node:child_process'; execSync(`git tag ${version}`);";
  expect(await saidAbout(reviewSecurity, text, "scripts/release.ts")).toEqual(["medium command-injection 1"]);
});
