import type { Command } from "./command-words.ts";

/** What a call can change: nothing; a file of the workspace; or anything. */
export type ToolEffect = "read" | "edit" | "other";

/** Something that an actor is about to do, as rules and modes judge it. */
export interface PermissionCall {
  readonly kind: "tool" | "network";
  readonly tool: string;
  readonly effect: ToolEffect;
  /** The real path in the workspace, after all links, of a tool of the workspace that works on files. */
  readonly path?: string;
  /** The command of a tool that runs one. */
  readonly command?: Command;
  /** The host that is to be reached, as lower-case ASCII. */
  readonly host?: string;
  /** Of own tools: the arguments. */
  readonly input: unknown;
}
