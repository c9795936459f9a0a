/** The tools of a workspace, in the order in which every model sees them. */
export type WorkspaceToolName = "list_files" | "read_file" | "write_file" | "search_text" | "execute";

/** What the runtime has to know about a tool, and a model has not. */
export interface ToolTraits {
  /** A call that was started and has no end may simply be made again. */
  readonly idempotent: boolean;
  /** A call can change something. */
  readonly sideEffects: boolean;
  /** A call may run beside the other calls of its step; otherwise those run one after the other, in their order. */
  readonly concurrent: boolean;
}

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
