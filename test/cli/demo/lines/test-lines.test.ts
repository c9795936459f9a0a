import { expect, test } from "vitest";
import { reviewTests } from "../../../../src/cli/demo/coverage/review-tests.ts";
import { projectOf } from "../../../support/project-of.ts";
import { shortly } from "../../../support/review-of.ts";

const saidOf = async (files: Record<string, string>): Promise<string[]> =>
  reviewTests(await projectOf(files)).findings.map((one) => `${shortly(one)} ${one.path}`);

test("a Python module without a test of its name, and named by no import of a test, is told", async () => {
  const files = {
    "app/auth.py": "import os\n\ndef login():\n    pass\n",
    "app/db.py": "def connect():\n    pass\n",
    "app/mail.py": "class Mail:\n    pass\n",
    "app/names.py": "A = 1\n",
    "app/__init__.py": "def a():\n    pass\n",
    "tests/test_db.py": "from app import mail\n",
  };
  expect(await saidOf(files)).toEqual(["low untested-module 3 app/auth.py"]);
});

test("a Go package without any test in its folder is told once", async () => {
  const files = {
    "a/a.go": "package a\n\nfunc Run() {}\n",
    "b/b.go": "package b\nfunc Run() {}\n",
    "b/c.go": "package b\nfunc Walk() {}\n",
    "a/a_test.go": "package a\n",
    "c/c.go": "package c\nfunc hidden() {}\n",
  };
  expect(await saidOf(files)).toEqual(["low untested-module 2 b/b.go"]);
});
