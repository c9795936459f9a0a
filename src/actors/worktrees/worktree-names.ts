import { createHash } from "node:crypto";
import { nameToken } from "../../protocol/names.ts";
import { ownFolder } from "../../tools/workspace/own-folder.ts";

/** Long enough for people to know it by, short enough for every file system. */
const charactersMax = 60;

/** A name as one part of a branch and of a path: letters, digits, `-` and `_`; a long one is cut and told apart by a digest. */
function part(name: string): string {
  const token = nameToken(name);
  if (token.length <= charactersMax) return token;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return `${token.slice(0, charactersMax - digest.length - 1)}-${digest}`;
}

/** What a member's branch and folder are called. */
export interface WorktreeNames {
  readonly branch: string;
  /** The folder of all worktrees of the session, relative to the workspace. */
  readonly sessionFolder: string;
  /** Relative to the workspace. */
  readonly folder: string;
}

/** Where worktrees lie, relative to the workspace. */
export const worktreesFolder = `${ownFolder}/worktrees`;

/** The `nth` choice of names for a member of a session; the first one has no number. */
export function worktreeNames(session: string, member: string, nth: number): WorktreeNames {
  const own = nth === 1 ? part(member) : `${part(member)}-${nth}`;
  const sessionFolder = `${worktreesFolder}/${part(session)}`;
  return { branch: `teamchart/${part(session)}/${own}`, sessionFolder, folder: `${sessionFolder}/${own}` };
}
