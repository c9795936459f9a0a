import { expect, test } from "vitest";
import { languageOf } from "../../../src/cli/demo/source-file.ts";

test.each([
  ["src/a.ts", "typescript"],
  ["src/A.TSX", "typescript"],
  ["a.mjs", "javascript"],
  ["a.cts", "typescript"],
  ["pkg/a.py", "python"],
  ["main.go", "go"],
  [".env", "env"],
  [".env.local", "env"],
  ["deploy/Dockerfile", "docker"],
  ["Dockerfile.dev", "docker"],
  [".github/workflows/ci.yml", "yaml"],
  ["LICENSE", "other"],
  ["a.constructor", "other"],
])("%s is %s", (path, language) => {
  expect(languageOf(path, "")).toBe(language);
});

test.each([
  ["#!/usr/bin/env node", "javascript"],
  ["#!/usr/bin/python3.12", "python"],
  ["#!/bin/bash", "shell"],
  ["#!/usr/bin/perl", "other"],
])("a file without an extension that begins with %s is %s", (text, language) => {
  expect(languageOf("bin/tool", `${text}\n`)).toBe(language);
});
