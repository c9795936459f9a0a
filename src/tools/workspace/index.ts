export type { CommandResult } from "./run-command.ts";
export type { ListedEntry, Listing } from "./list-entries.ts";
export type { BinaryRead, TextRead } from "./read-text.ts";
export type { SearchMatch, SearchResult } from "./search-files.ts";
export type { TextWritten } from "./write-text.ts";
export { defaultWorkspaceLimits, type WorkspaceLimits } from "./workspace-limits.ts";
export { workspaceToolTraits, type WorkspaceToolName } from "./workspace-tool-traits.ts";
export { createWorkspaceTools, type WorkspaceToolsOptions } from "./workspace-tools.ts";
export { openWorkspace, type Workspace, type WorkspaceOptions, type WorkspaceView } from "./workspace.ts";
