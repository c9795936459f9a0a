import { z } from "zod";
import { MemberSpec } from "../../protocol/spec.ts";
import { parseInput } from "../../actors/parse-input.ts";
import { SeedTask } from "../../protocol/task.ts";
import { badInput, isFields, kindOf, knownKeys, parseFields } from "../fields.ts";
import { parseMachine } from "../machine/parse-machine-options.ts";
import type { AnyModelOptions } from "./team-model.ts";

const optionKeys = [
  "members",
  "lifetimes",
  "lead",
  "upstreamFailure",
  "comms",
  "board",
  "tasks",
  "agentTypes",
  "limits",
  "callsMax",
  "journals",
  "invitable",
  "hooks",
  "replans",
  "world",
  "protocol",
  "kernel",
] as const satisfies readonly (keyof AnyModelOptions)[];
const protocolKeys = ["machine", "input", "on", "moves"];
const ModelAgentTypeShape = z.strictObject({
  name: z.string().min(1),
  tasks: z.array(SeedTask.omit({ subject: true, description: true })).optional(),
});

/** The members of a team file are taken as they are: what steers nothing is left out. */
const memberKeys = Object.keys(MemberSpec.shape);

/**
 * Refuses what no model can be made of, with `bad_input`. What is misspelt would otherwise be left out, and the model would
 * be one of another team. Values that a team file has too are judged by its schemas, names and graphs by the kernel.
 */
export function assertModelOptions(value: unknown): void {
  const options = parseFields(value, "model");
  knownKeys(options, optionKeys, "model");
  const { members, tasks, lead, callsMax, journals, replans, world, protocol, kernel, invitable, hooks } = options;
  if (!Array.isArray(members)) throw badInput("model.members", `give a list, not ${kindOf(members)}`);
  // Array.isArray makes `any[]` of it.
  for (const [index, member] of (members as readonly unknown[]).entries())
    knownKeys(parseFields(member, `model.members.${index}`), memberKeys, `model.members.${index}`);
  if (tasks !== undefined && !Array.isArray(tasks))
    throw badInput("model.tasks", `give a list of tasks, not ${kindOf(tasks)}`);
  if (options["agentTypes"] !== undefined)
    parseInput(z.array(ModelAgentTypeShape), options["agentTypes"], "model.agentTypes");
  if (lead !== undefined && lead !== "none" && lead !== "hosted")
    throw badInput("model.lead", `give "none" or "hosted", not ${kindOf(lead)}`);
  if (callsMax !== undefined && callsMax !== Infinity && !(Number.isSafeInteger(callsMax) && Number(callsMax) >= 0))
    throw badInput("model.callsMax", `give a whole number from 0 on, not ${kindOf(callsMax)}`);
  if (journals !== undefined && typeof journals !== "boolean")
    throw badInput("model.journals", `give true or false, not ${kindOf(journals)}`);
  if (hooks !== undefined && typeof hooks !== "boolean")
    throw badInput("model.hooks", `give true or false, not ${kindOf(hooks)}`);
  if (invitable !== undefined && !isNames(invitable))
    throw badInput("model.invitable", `give a list of names, not ${kindOf(invitable)}`);
  if (replans !== undefined && !Array.isArray(replans))
    throw badInput("model.replans", `give a list of plans, not ${kindOf(replans)}`);
  if (world !== undefined && typeof world !== "function")
    throw badInput("model.world", `give a function that gives moves, not ${kindOf(world)}`);
  if (kernel !== undefined && !(isFields(kernel) && typeof kernel["apply"] === "function"))
    throw badInput("model.kernel", "give what `createKernel` makes, or leave it out");
  if (protocol !== undefined) assertProtocol(protocol);
}

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name: unknown) => typeof name === "string" && name !== "");

function assertProtocol(value: unknown): void {
  const protocol = parseFields(value, "protocol");
  knownKeys(protocol, protocolKeys, "protocol");
  const { machine, on, moves } = protocol;
  parseMachine(machine, "protocol.machine");
  if (typeof on !== "function")
    throw badInput("protocol.on", `give a function from a line to a list of events, not ${kindOf(on)}`);
  if (moves !== undefined && typeof moves !== "function")
    throw badInput("protocol.moves", `give a function that gives moves, not ${kindOf(moves)}`);
}
