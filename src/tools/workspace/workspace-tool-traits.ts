import type { ToolTraits } from "../tool-traits.ts";

/** The tools of a workspace, in the order in which every model sees them. */
export type WorkspaceToolName = "list_files" | "read_file" | "write_file" | "search_text" | "execute";

const reads: ToolTraits = Object.freeze({ idempotent: true, sideEffects: false, concurrent: true });
// Written again after a crash, a file could undo what another member wrote meanwhile.
const changes: ToolTraits = Object.freeze({ idempotent: false, sideEffects: true, concurrent: false });

/** The traits of every workspace tool. */
export const workspaceToolTraits: Readonly<Record<WorkspaceToolName, ToolTraits>> = Object.freeze({
  list_files: reads,
  read_file: reads,
  write_file: changes,
  search_text: reads,
  execute: changes,
});
