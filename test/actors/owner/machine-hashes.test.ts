import { expect, test } from "vitest";
import { machineHashes } from "../../../src/actors/owner/machine-hashes.ts";

test("each machine has a sha-256 of its own, the same in every call", () => {
  const hashes = machineHashes();
  expect(Object.keys(hashes)).toEqual(["session", "team", "member", "lead"]);
  expect(new Set(Object.values(hashes)).size).toBe(4);
  expect(hashes["member"]).toMatch(/^[0-9a-f]{64}$/);
  expect(machineHashes()).toEqual(hashes);
});
