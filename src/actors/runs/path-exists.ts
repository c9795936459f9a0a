import { isTeamError } from "../../errors/index.ts";
import type { WorkspaceView } from "../../tools/workspace/index.ts";

/** Whether there is a file or folder. It isn't read: that would count as the caller's knowing what is in it. */
export async function pathExists(view: WorkspaceView, path: string): Promise<boolean> {
  try {
    await view.list({ path, depth: 1 });
    return true;
  } catch (error) {
    if (isTeamError(error, "missing_path")) return false;
    throw error;
  }
}
