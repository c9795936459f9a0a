/** What the command's exit says. */
export const exitCodes = {
  /** The job is done: the team completed, the properties hold, the recording is true. */
  done: 0,
  /** A team that failed or was dissolved, a violated property, a recording that differs, a machine that lacks something. */
  failed: 1,
  /** Wrong usage or refused input. */
  refused: 2,
  /** A check that was cut short: nothing wrong was found, and nothing is proved. */
  inconclusive: 3,
  /** Interrupted by the user. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
