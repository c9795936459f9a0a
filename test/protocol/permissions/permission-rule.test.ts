import { expect, test } from "vitest";
import { parsePermissionRule } from "../../../src/protocol/permissions/permission-rule.ts";

test.each([
  ["deploy", { tool: "deploy", pattern: null }],
  ["*", { tool: "*", pattern: null }],
  ["write_file(src/**)", { tool: "write_file", pattern: { kind: "target", text: "src/**" } }],
  ["execute(npm test *)", { tool: "execute", pattern: { kind: "target", text: "npm test *" } }],
  ["fetch(host:API.example.com)", { tool: "fetch", pattern: { kind: "host", text: "api.example.com" } }],
  ["*(host:*.example.com)", { tool: "*", pattern: { kind: "host", text: "*.example.com" } }],
  ["deploy(env=staging)", { tool: "deploy", pattern: { kind: "argument", name: "env", text: "staging" } }],
  ["execute(npm run a(b))", { tool: "execute", pattern: { kind: "target", text: "npm run a(b)" } }],
])("%s is read as what it says", (text, rule) => {
  expect(parsePermissionRule(text)).toEqual({ text, ...rule });
});

test.each([
  ["", "is no rule"],
  ["rm -rf /", "is no rule"],
  ["write_file(src/**", "is no rule"],
  ["write_file()", "leave them out to mean every call"],
  ["write_file(/etc/passwd)", "relative to the workspace"],
  ["write_file(src/../../etc)", "relative to the workspace"],
  ["fetch(host:https://example.com)", "a host is a name"],
  ["fetch(host:example.com:443)", "a host is a name"],
  ["fetch(host:ex*mple.com)", "a host is a name"],
  [`x${"y".repeat(1_000)}`, "at most 1000 characters"],
])("%j is refused, with what would be right", (text, problem) => {
  expect(parsePermissionRule(text)).toContain(problem);
});
