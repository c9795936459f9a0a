export { batchMail } from "./batch-mail.ts";
export { compactedText, compactionPrompt } from "./compacted-text.ts";
export { completeAccepted } from "./complete-accepted.ts";
export { deliveryLimits } from "./complete-work.ts";
export { leadTools, type SubAgentTask } from "./lead-tools.ts";
export { formatMail } from "./mail-text.ts";
export { memberInstructions, memberProtocolText } from "./member-instructions.ts";
export { mailTools } from "./mail-tools.ts";
export { memberToolNames } from "./member-tool-names.ts";
export { exploreTools, type AskToLeave } from "./explore-tools.ts";
export { permissionTools } from "./permission-tools.ts";
export { permissionNote } from "./permission-note.ts";
export { planTools } from "./plan-tools.ts";
export { shutdownTools } from "./shutdown-tools.ts";
export type { ReadableMail } from "./readable-mail.ts";
export type { MemberResult, StatusResult } from "./status-result.ts";
export { teamInputs, type AgentTypeListing } from "./team-inputs.ts";
export { toolBlocks, toolsOfTeam, type ToolBlocks } from "./tool-blocks.ts";
export { countTasks } from "./task-list.ts";
export {
  boardToolNames,
  leadToolNames,
  memberOnlyToolNames,
  teamToolNames,
  teamToolTraits,
  type TeamToolName,
} from "./team-tool-traits.ts";
export { rosterText } from "./roster-text.ts";
export { teamToolBlock, teamTools, type TeamToolBlock } from "./team-tools.ts";
export { upstreamText, type UpstreamResult } from "./upstream-text.ts";
