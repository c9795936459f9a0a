/** What the command's exit says. */
export const exitCodes = {
  /** The job is done: the team completed, the recording is true. */
  done: 0,
  /** A team that failed or was dissolved, a recording that differs, a machine that lacks something. */
  failed: 1,
  /** Wrong usage or refused input. */
  refused: 2,
  /** Interrupted by the user. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
