import { tool, type Tool, type ToolSet } from "ai";
import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import { refusing } from "../refusing.ts";
import { runCommand } from "./run-command.ts";
import type { WorkspaceToolName } from "./workspace-tool-traits.ts";
import type { WorkspaceView } from "./workspace.ts";

/** Whose workspace the tools work on, and whether `execute` does anything. */
export interface WorkspaceToolsOptions {
  readonly workspace: WorkspaceView;
  readonly allowExecute: boolean;
}

const filePath = z.string().describe("Path of the file, relative to the workspace root, e.g. src/main.ts");

const listFiles = ({ workspace }: WorkspaceToolsOptions) =>
  tool({
    description:
      "List files and folders of the workspace. `depth` 1 (default) shows one folder, 2 also what is in its folders, " +
      "and so on. Links are named, not followed. `note` says what is not shown.",
    inputSchema: z.strictObject({
      path: z.string().optional().describe("Folder, relative to the workspace root; omit it for the root"),
      depth: z.number().optional(),
    }),
    execute: refusing(({ path, depth }, { abortSignal }) => workspace.list({ path, depth, signal: abortSignal })),
  });

const readFile = ({ workspace }: WorkspaceToolsOptions) =>
  tool({
    description:
      "Read a text file of the workspace. A large file comes in parts: `note` says what is left out and how to read on " +
      "with `fromLine` (from 1) and `lines`. Read a file before you overwrite it.",
    inputSchema: z.strictObject({ path: filePath, fromLine: z.number().optional(), lines: z.number().optional() }),
    execute: refusing(({ path, fromLine, lines }, { abortSignal }) =>
      workspace.read(path, { fromLine, lines, signal: abortSignal }),
    ),
  });

const writeFile = ({ workspace }: WorkspaceToolsOptions) =>
  tool({
    description:
      "Write a whole text file of the workspace; `text` replaces all of it. Missing folders are made. The file is " +
      "shared with the team: if another member changed it since you read it, nothing is written (WRITE_CONFLICT); " +
      "read it again, merge, and write.",
    inputSchema: z.strictObject({ path: filePath, text: z.string() }),
    execute: refusing(({ path, text }, { abortSignal }) => workspace.write(path, text, { signal: abortSignal })),
  });

const searchText = ({ workspace }: WorkspaceToolsOptions) =>
  tool({
    description:
      "Find lines in the text files of the workspace. `pattern` is taken literally, upper and lower case differ; with " +
      "`isRegex` it is a JavaScript regular expression, matched line by line. `note` says what was not searched.",
    inputSchema: z.strictObject({
      pattern: z.string(),
      path: z.string().optional().describe("File or folder to search; omit it for the whole workspace"),
      isRegex: z.boolean().optional(),
    }),
    execute: refusing(({ pattern, path, isRegex }, { abortSignal }) =>
      workspace.search({ pattern, path, isRegex, signal: abortSignal }),
    ),
  });

const execute = ({ workspace, allowExecute }: WorkspaceToolsOptions) =>
  tool({
    description:
      "Run a program in the workspace root and wait for its end. There is no shell: give the program in `command` and " +
      "each argument in `args`; pipes, redirections and variables do not work. Only the end of a long output is kept. " +
      "Background processes are ended with the call. May be switched off for you.",
    inputSchema: z.strictObject({
      command: z.string().describe("The program alone, e.g. npm"),
      args: z.array(z.string()).optional().describe('Its arguments, e.g. ["test"]'),
      timeoutMs: z.number().optional(),
    }),
    execute: refusing(async ({ command, args = [], timeoutMs = null }, { abortSignal = null }) => {
      if (!allowExecute) {
        const how = "Do without it; only the user can allow it, by allowExecute: true on your agent type";
        throw new TeamError("disabled", { what: "execute", how });
      }
      const { root, limits } = workspace;
      return runCommand({ command, args, timeoutMs }, { root, limits, signal: abortSignal });
    }),
  });

/** One tool a name, each with its `execute`. */
export type WorkspaceTools = Readonly<Record<WorkspaceToolName, Tool & Required<Pick<Tool, "execute">>>>;

/**
 * The workspace tools of one member as AI SDK tools: one frozen block in one order, the same for every member, so that
 * prompts stay cacheable. Results are JSON objects; refusals are texts, `CODE: what. Do: next step.`
 */
export const createWorkspaceTools = (options: WorkspaceToolsOptions): WorkspaceTools => {
  const tools = {
    list_files: listFiles(options),
    read_file: readFile(options),
    write_file: writeFile(options),
    search_text: searchText(options),
    execute: execute(options),
  } satisfies ToolSet & Record<WorkspaceToolName, unknown>;
  for (const each of Object.values(tools)) Object.freeze(each);
  return Object.freeze(tools);
};
