import { expect, test } from "vitest";
import { resolveAgentOptions, type AgentOptions, type GivenOptions } from "../../../src/actors/agents/agent-options.ts";
import { resolveLimits } from "../../../src/protocol/limits.ts";

const limits = resolveLimits({ stepsMax: 40, toolResultBytesMax: 9_000 });
const compact = () => "short";

/** Of each option: what a type without it gets from this lead, from a lead that says nothing, and what its own word does. */
const lead: GivenOptions = {
  model: "a/lead",
  fallbackModel: "b/lead",
  effort: "high",
  contextTokens: 1_000,
  compactAt: 0.5,
  compact,
  toolResultBytesMax: 10,
  stepsMax: 3,
};
const cases: {
  readonly [Name in keyof AgentOptions]: {
    readonly inherited: AgentOptions[Name];
    readonly without: AgentOptions[Name];
    readonly own: AgentOptions[Name] & NonNullable<GivenOptions[Name]>;
  };
} = {
  model: { inherited: "a/lead", without: undefined, own: "c/own" },
  fallbackModel: { inherited: "b/lead", without: null, own: "d/own" },
  effort: { inherited: "high", without: "provider-default", own: "low" },
  contextTokens: { inherited: 1_000, without: null, own: 7 },
  compactAt: { inherited: 0.8, without: 0.8, own: 0.3 },
  compact: { inherited: null, without: null, own: () => "own" },
  toolResultBytesMax: { inherited: 9_000, without: 9_000, own: 5 },
  stepsMax: { inherited: 40, without: 40, own: 2 },
};

test("every option has its line here", () => {
  expect(Object.keys(cases)).toEqual(Object.keys(resolveAgentOptions(null, {}, limits)));
});

// The table's keys are those of the options, by its type.
const names = Object.keys(cases) as (keyof AgentOptions)[];

test.each(names)("%s: the lead's where it is inherited, else the default; the type's own word wins", (name) => {
  const { inherited, without, own } = cases[name];
  expect(resolveAgentOptions(lead, {}, limits)[name]).toBe(inherited);
  expect(resolveAgentOptions(null, {}, limits)[name]).toBe(without);
  expect(resolveAgentOptions({}, {}, limits)[name]).toBe(without);
  expect(resolveAgentOptions(lead, { [name]: own }, limits)[name]).toBe(own);
  expect(resolveAgentOptions(null, { [name]: own }, limits)[name]).toBe(own);
});

test("a lead is its own type: what it says of itself holds for it", () => {
  expect(resolveAgentOptions(lead, lead, limits)).toEqual(lead);
});

test("the size of the lead's model says nothing of another model", () => {
  expect(resolveAgentOptions(lead, { model: "c/own" }, limits).contextTokens).toBeNull();
  expect(resolveAgentOptions(lead, { model: "a/lead" }, limits).contextTokens).toBe(1_000);
  expect(resolveAgentOptions(lead, { model: "c/own" }, resolveLimits({ contextTokens: 5 })).contextTokens).toBe(5);
});

test("a fallback is given up by null, and is none where it is the model itself", () => {
  expect(resolveAgentOptions(lead, { fallbackModel: null }, limits).fallbackModel).toBeNull();
  expect(resolveAgentOptions(lead, { model: "b/lead" }, limits).fallbackModel).toBeNull();
});
