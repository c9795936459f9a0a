import { escapeBody, frame } from "./frame-text.ts";

/** What came with the approval of a call, for the model that made it: escaped, so that it stays inside its frame. */
export const permissionNote = (tool: string, note: string): string =>
  frame("permission-note", { tool, verdict: "approved" }, escapeBody(note));
