import { expect, test } from "vitest";
import { oneAfterAnother } from "../../../src/actors/model-run/one-after-another.ts";
import { gate, rejection, settle } from "../../support/sessions.ts";

test("the next one begins when the one before has ended, or waits for somebody outside", async () => {
  const begun: string[] = [];
  const gates = { a: gate<string>(), b: gate<string>(), c: gate<string>() };
  const all = oneAfterAnother(["a", "b", "c"] as const, (name, waits) => {
    begun.push(name);
    if (name === "b") waits();
    return gates[name].promise;
  });
  await settle();
  expect(begun).toEqual(["a"]);
  gates.a.resolve("A");
  await settle();
  expect(begun).toEqual(["a", "b", "c"]);
  gates.c.resolve("C");
  gates.b.resolve("B");
  expect(await all).toEqual(["A", "B", "C"]);
});

test("one that fails while it waits is heard of, once the others are under way", async () => {
  const late = gate<string>();
  const all = oneAfterAnother(["a", "b"], (name, waits) => {
    if (name === "a") waits();
    return name === "a" ? late.promise : Promise.resolve("B");
  });
  late.reject(new Error("aborted"));
  expect(await rejection(all)).toMatchObject({ message: "aborted" });
});
