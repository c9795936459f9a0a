import { z } from "zod";
import { LeadMode, ToolVisibility, workOptions } from "../../protocol/agent-fields.ts";
import { GivenModel } from "../agents/check-work-options.ts";
import { TeamHooksShape } from "../hooks/hooks.ts";
import { isObject } from "../is-object.ts";
import { SessionId } from "../commands/session-inputs.ts";

/** The shapes of what a system and a session are made of. Values are checked for being what they must, and used as given. */

/** Any object may be asked for a property by its name. */
const property = (value: object, name: string): unknown => Reflect.get(value, name);

/** An object of somebody else's making that has these methods. */
const withMethods = (methods: readonly string[], problem: string) =>
  z.custom<object>(
    (value) => isObject(value) && methods.every((name) => typeof property(value, name) === "function"),
    problem,
  );

const aFunction = z.custom<(...args: never) => unknown>((value) => typeof value === "function", "expected a function");
const anArray = (problem: string) => z.custom<readonly unknown[]>(Array.isArray, problem);
const anObject = (problem: string) => z.custom<object>(isObject, problem);

/** Keys and types of the options of `createTeamSystem`; agents, limits, permissions and script are parsed one by one where they are used. */
export const SystemOptionsShape = z.strictObject({
  bus: withMethods(
    ["append", "follow", "read", "trim", "purge", "close"],
    "expected a bus, such as memoryBus()",
  ).optional(),
  agents: anObject("expected agents by the names of their types").optional(),
  invitables: anArray("expected a list of agents, as createAgent makes them").optional(),
  hooks: TeamHooksShape.optional(),
  limits: anObject("expected limits by their names").optional(),
  permissions: anObject("expected a policy: mode, directories, rules, approver").optional(),
  board: anObject("expected selfClaim and onOwnerGone").optional(),
  toolVisibility: ToolVisibility.optional(),
  model: GivenModel.optional(),
  prices: anObject("expected prices by the names of models").optional(),
  script: anObject("expected what the scripted model answers, per actor").optional(),
  environment: anObject("expected variables by their names").optional(),
  workspace: z.string().min(1).optional(),
  clock: withMethods(
    ["now", "setTimeout", "clearTimeout"],
    "expected a clock: now, setTimeout, clearTimeout",
  ).optional(),
  namespace: SessionId.optional(),
  telemetry: anObject("expected what spans hold: recordInputs, recordOutputs").optional(),
  onFault: aFunction.optional(),
});

/** Keys and types of the options of `openSession`. */
export const SessionOptionsShape = z.strictObject({
  id: SessionId.optional(),
  lead: z
    .custom<object>((value) => isObject(value) || value === "own", 'expected { model, instructions, tools } or "own"')
    .optional(),
  file: z.json("expected JSON").optional(),
  hooks: TeamHooksShape.optional(),
  board: anObject("expected selfClaim and onOwnerGone").optional(),
  onOpen: aFunction.optional(),
});

/** Keys and types of a lead that we run; its tools are checked with the lead. */
export const HostedLeadShape = z.strictObject({
  ...workOptions,
  compact: aFunction.optional(),
  model: GivenModel.optional(),
  fallbackModel: GivenModel.optional(),
  leadMode: LeadMode.optional(),
  instructions: z.string().optional(),
  tools: anObject("expected tools by their names, or names of the workspace's tools").optional(),
  idempotent: anArray("expected names of tools").optional(),
  permissions: anObject("expected a policy: mode, directories, rules, approver").optional(),
  readOnly: anArray("expected names of own tools").optional(),
});
