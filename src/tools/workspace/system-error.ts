import { isTeamError, TeamError } from "../../errors/index.ts";

/** The code of an error of the operating system, such as ENOENT, or null for any other value. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/**
 * What a failed file operation on `path` means to the caller: a TeamError for what the caller can mend, otherwise an
 * error that names the code and the path of the workspace, never a path of the host.
 */
export const fileError = (error: unknown, path: string): Error => {
  if (isTeamError(error)) return error;
  const code = systemCode(error);
  const bad = (problem: string) =>
    new TeamError("bad_input", { what: `the path "${path}"`, problem }, { cause: error });
  switch (code) {
    case "ENOENT":
      return new TeamError("missing_path", { path }, { cause: error });
    case "ELOOP":
      // Links are resolved before a file is opened, so this one was put there in between.
      return new TeamError("workspace_escape", { path }, { cause: error });
    case "ENOTDIR":
      return bad("a name in its middle is no folder");
    case "EISDIR":
      return bad("it is a folder");
    case "ENAMETOOLONG":
      return bad("it is too long for the file system");
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return bad("the system does not allow this");
    case "ENXIO":
    case "ENODEV":
      return bad("it is no regular file");
    case null:
      return error instanceof Error ? error : new Error(String(error));
    default:
      return new Error(`${code} at "${path}"`, { cause: error });
  }
};
