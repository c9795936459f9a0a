import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("tests can collect garbage, so that leaks can be measured", () => {
  expect(globalThis.gc).toBeTypeOf("function");
});

test("an unhandled rejection is an uncaught exception here, whoever listens for rejections", () => {
  const listens = `process.on("unhandledRejection", () => {}); Promise.reject(new Error("nobody caught this"));`;
  const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, "--eval", listens], {
    encoding: "utf8",
  });
  expect(stderr).toContain("nobody caught this");
  expect(status).toBe(1);
});
