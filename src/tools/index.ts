export type { CallContext, StatusAnswer, StatusQuery, TeamCommand, TeamPort } from "./port.ts";
export {
  completeAccepted,
  teamToolBlock,
  teamTools,
  teamToolTraits,
  type AgentTypeListing,
  type MemberResult,
  type StatusResult,
  type TeamToolBlock,
  type TeamToolName,
} from "./team/index.ts";
export type { ToolTraits } from "./tool-traits.ts";
export {
  createWorkspaceTools,
  defaultWorkspaceLimits,
  openWorkspace,
  workspaceToolTraits,
  type BinaryRead,
  type CommandResult,
  type ListedEntry,
  type Listing,
  type SearchMatch,
  type SearchResult,
  type TextRead,
  type TextWritten,
  type Workspace,
  type WorkspaceLimits,
  type WorkspaceOptions,
  type WorkspaceToolName,
  type WorkspaceToolsOptions,
  type WorkspaceView,
} from "./workspace/index.ts";
