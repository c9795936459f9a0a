import { TeamError } from "../../errors/index.ts";
import { plainCommand, shellCommand, type Command } from "../../protocol/permissions/command-words.ts";
import type { ToolEffect } from "../../protocol/permissions/permission-call.ts";

/** What is known of the tools of an actor: which are the workspace's, and which of its own only read. */
export interface KnownTools {
  readonly workspace: ReadonlySet<string>;
  readonly readOnly: ReadonlySet<string>;
}

const fileReads: ReadonlySet<string> = new Set(["list_files", "read_file", "search_text"]);

/** Whether a call works on a path of the workspace. */
export const worksOnPath = ({ workspace }: KnownTools, tool: string): boolean =>
  workspace.has(tool) && (fileReads.has(tool) || tool === "write_file");

/** What a call can change. An own tool may do anything unless its owner says otherwise. */
export function effectOf(known: KnownTools, tool: string): ToolEffect {
  if (!known.workspace.has(tool)) return known.readOnly.has(tool) ? "read" : "other";
  if (fileReads.has(tool)) return "read";
  return tool === "write_file" ? "edit" : "other";
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const argument = (input: unknown, name: string): unknown =>
  typeof input === "object" && input !== null && Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;

/** The command of a call that has one. The workspace's `execute` has no shell; what an own tool does with its is unknown. */
export function commandOf(known: KnownTools, tool: string, input: unknown): Command | undefined {
  const [command, args = []] = [argument(input, "command"), argument(input, "args")];
  if (typeof command !== "string") return undefined;
  if (!isTexts(args)) return { words: null };
  if (known.workspace.has(tool)) return { words: [command, ...args] };
  return args.length === 0 ? shellCommand(command) : plainCommand([command, ...args]);
}

/** The path that a call of a file tool names; without one it means the root. */
export function pathArgument(input: unknown): string {
  const path = argument(input, "path") ?? ".";
  if (typeof path === "string") return path;
  throw new TeamError("bad_input", { what: "path", problem: "expected a text" });
}
