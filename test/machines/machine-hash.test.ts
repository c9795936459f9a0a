import { expect, test } from "vitest";
import { createMachine } from "xstate";
import { describeMachine } from "../../src/machines/describe-machine.ts";
import { describeAll, machineText } from "../../src/machines/machine-hash.ts";

const textOf = (config: object) => machineText(describeMachine(createMachine(config as never)));
const door = { id: "door", initial: "a", states: { a: { on: { go: "b" } }, b: {} } };

test("the four machines of a session are described", () => {
  const all = describeAll();
  expect(Object.entries(all).map(([name, { id }]) => [name, id])).toEqual([
    ["session", "session"],
    ["team", "team"],
    ["member", "member"],
    ["lead", "lead"],
  ]);
});

test("the text of a machine is the same each time, and after a trip through JSON with its keys turned round", () => {
  const { member } = describeAll();
  const reversed = JSON.parse(JSON.stringify(member), (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  );
  expect(Object.keys(reversed)).not.toEqual(Object.keys(member));
  expect(machineText(reversed)).toBe(machineText(member));
  expect(machineText(describeAll().member)).toBe(machineText(member));
});

test("a reworded description is the same machine", () => {
  expect(textOf({ ...door, states: { a: { description: "new", on: { go: "b" } }, b: {} } })).toBe(textOf(door));
});

test.each([
  ["a state", { ...door, states: { ...door.states, c: {} } }],
  ["a start", { ...door, initial: "b" }],
  ["a target", { ...door, states: { a: { on: { go: "a" } }, b: {} } }],
  ["a guard", { ...door, states: { a: { on: { go: { target: "b", guard: "may" } } }, b: {} } }],
  ["an always", { ...door, states: { a: { always: "b", on: { go: "b" } }, b: {} } }],
  ["an action", { ...door, states: { a: { exit: "bye", on: { go: "b" } }, b: {} } }],
  ["a re-entry", { ...door, states: { a: { on: { go: { target: "b", reenter: true } } }, b: {} } }],
  ["a tag", { ...door, states: { a: { tags: "t", on: { go: "b" } }, b: {} } }],
])("another text stands for a machine with %s changed", (_what, changed) => {
  expect(textOf(changed)).not.toBe(textOf(door));
});
