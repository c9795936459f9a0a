import fc from "fast-check";
import { expect, test } from "vitest";
import { shellCommand } from "../../../src/protocol/permissions/command-words.ts";
import { isGranted, isRefused } from "../../../src/protocol/permissions/match-rule.ts";
import type { PermissionCall } from "../../../src/protocol/permissions/permission-call.ts";
import { parsePermissionRule } from "../../../src/protocol/permissions/permission-rule.ts";
import { fail } from "../../support/sessions.ts";

const ruleOf = (text: string) => {
  const rule = parsePermissionRule(text);
  return typeof rule === "string" ? fail(rule) : rule;
};
const call = (tool: string, more: Partial<PermissionCall> = {}): PermissionCall => ({
  kind: "tool",
  tool,
  effect: "other",
  input: {},
  ...more,
});
const shell = (command: string) => call("bash", { command: shellCommand(command) });
const program = (...words: string[]) => call("execute", { command: { words } });
const write = (path: string) => call("write_file", { effect: "edit", path });
const reach = (host: string) => call("fetch", { kind: "network", host });

test.each([
  ["write_file(src/**)", write("src/a.ts"), true],
  ["write_file(src/**)", write("src/deep/er/a.ts"), true],
  ["write_file(src/**)", write("src"), true],
  ["write_file(src/**)", write("srcs/a.ts"), false],
  ["write_file(src/*)", write("src/deep/a.ts"), false],
  ["write_file(src)", write("src/a.ts"), false],
  ["write_file(**/*.md)", write("docs/a/b.md"), true],
  ["write_file(**/*.md)", write("b.md"), true],
  ["write_file(src/**)", write("Src/a.ts"), false],
  ["write_*(src/**)", write("src/a.ts"), true],
  ["execute(npm test *)", program("npm", "test"), true],
  ["execute(npm test *)", program("npm", "test", "--", "a b; rm -rf /"), true],
  ["execute(npm test *)", program("npm", "testing"), false],
  ["execute(npm test *)", program("npm test"), false],
  ["execute(npm test *)", program("./npm", "test"), false],
  ["execute(npm test)", program("npm", "test", "-u"), false],
  ["execute(npm run lint:*)", program("npm", "run", "lint:fix"), true],
  ["execute(npm run lint:*)", program("npm", "run", "lint:fix", "more"), false],
  ["execute(git * status)", program("git", "-v", "status"), true],
  ["execute(git * status)", program("git", "status"), false],
  ["execute(*)", program("rm", "-rf"), true],
  ["bash(npm test *)", shell("npm test --watch=false"), true],
  ["bash(npm test *)", shell("npm test; rm -rf /"), false],
  ["bash(npm test *)", shell("npm test && rm -rf /"), false],
  ["bash(npm test *)", shell("npm test\nrm -rf /"), false],
  ["bash(npm test *)", shell("npm test $(rm -rf /)"), false],
  ["bash(npm test *)", shell("npm test `rm`"), false],
  ["bash(npm test *)", shell("npm test > /etc/passwd"), false],
  ["bash(npm test *)", shell("npm test ${IFS}"), false],
  ["bash(npm test *)", shell("npm test 'a'"), false],
  ["bash(npm test *)", shell("npm\u00a0test"), false],
  ["bash(npm test *)", call("bash", { input: { cmd: "npm test" } }), false],
  ["fetch(host:api.example.com)", reach("api.example.com"), true],
  ["fetch(host:api.example.com)", reach("api.example.com.evil.org"), false],
  ["fetch(host:*.example.com)", reach("a.b.example.com"), true],
  ["fetch(host:*.example.com)", reach("example.com"), false],
  ["fetch(host:*.example.com)", reach("evilexample.com"), false],
  ["fetch(host:*)", call("fetch"), false],
  ["fetch(host:*)", reach("any.where"), true],
  ["deploy(env=staging)", call("deploy", { input: { env: "staging" } }), true],
  ["deploy(env=staging)", call("deploy", { input: { env: ["staging"] } }), false],
  ["deploy(env=staging)", call("deploy"), false],
  ["deploy(env=stag*)", call("deploy", { input: { env: "staging; rm" } }), false],
  ["save(path=out/*)", call("save", { input: { path: "out/../src/a.ts" } }), false],
  ["deploy(count=3)", call("deploy", { input: { count: 3 } }), true],
  ["deploy(toString=*)", call("deploy"), false],
])("%s grants exactly what it says: %j is %s", (text, given, granted) => {
  expect(isGranted(ruleOf(text), given)).toBe(granted);
});

test.each([
  ["read_file(secrets/**)", call("read_file", { path: "secrets/key" }), true],
  ["read_file(secrets)", call("read_file", { path: "secrets/deep/key" }), true],
  ["read_file(secrets/**)", call("read_file", { path: "SECRETS/Key" }), true],
  ["read_file(caf\u00e9/**)", call("read_file", { path: "cafe\u0301/a" }), true],
  ["read_file(secrets/**)", call("search_text", { path: "secrets" }), true],
  ["read_file(secrets/**)", call("search_text", { path: "." }), false],
  ["read_file(secrets/**)", call("list_files", { path: "secrets" }), false],
  ["execute(rm *)", program("rm", "-rf", "/"), true],
  ["execute(rm *)", program("/bin/RM", "-rf", "/"), true],
  ["execute(rm *)", program("npm", "test"), false],
  ["bash(rm *)", shell("npm test"), false],
  ["bash(rm *)", shell("npm test; rm -rf /"), true],
  ["bash(rm *)", shell("r\\m -rf /"), true],
  ["bash(rm *)", call("bash", { input: { cmd: "rm" } }), true],
  ["deploy(env=prod)", call("deploy", { input: { env: "PROD" } }), true],
  ["deploy(env=prod)", call("deploy", { input: { env: ["prod"] } }), true],
  ["deploy(env=prod)", call("deploy", { input: { env: "staging" } }), false],
  ["fetch(host:evil.org)", reach("evil.org"), true],
  ["fetch", reach("evil.org"), true],
])("%s refuses whatever may be what it names: %j is %s", (text, given, refused) => {
  expect(isRefused(ruleOf(text), given)).toBe(refused);
});

test("a rule that grants never covers more than the same rule refuses", () => {
  const name = fc.constantFrom("src", "Src", "a.ts", "..", ".", "**", "*", "secrets", "b*");
  const path = fc
    .array(fc.constantFrom("src", "SRC", "a.ts", "secrets", "b1"), { maxLength: 4 })
    .map((all) => all.join("/"));
  const pattern = fc.array(name, { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));
  fc.assert(
    fc.property(pattern, path, (wanted, given) => {
      const rule = parsePermissionRule(`write_file(${wanted})`);
      fc.pre(typeof rule !== "string");
      expect(isGranted(rule, write(given)) && !isRefused(rule, write(given))).toBe(false);
    }),
  );
});

test("no text with anything but plain words is granted by a pattern of a command, whatever it begins with", () => {
  const special = fc.constantFrom(
    ";",
    "|",
    "&",
    "$x",
    "`",
    "(",
    ")",
    "<",
    ">",
    "\n",
    "\r",
    "\\",
    "'",
    '"',
    "*",
    "?",
    "#",
    "~",
    "!",
    "{",
    "[",
    "\u2028",
    "^",
    "%0",
  );
  fc.assert(
    fc.property(special, fc.string(), fc.string(), (bad, before, after) => {
      const text = `npm test ${before}${bad}${after}`;
      fc.pre(bad !== "%0" || !/^[\p{L}\p{N}_@+=:,./ -]*$/u.test(text));
      expect(isGranted(ruleOf("bash(npm test *)"), shell(text))).toBe(false);
    }),
  );
});

test("a pattern of many stars is matched in no time", () => {
  const from = performance.now();
  expect(
    isGranted(ruleOf(`save(name=${"a*".repeat(400)}b)`), call("save", { input: { name: "a".repeat(20_000) } })),
  ).toBe(false);
  expect(performance.now() - from).toBeLessThan(2_000);
});
