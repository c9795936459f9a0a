/** What the command uses of its process. */
export type Host = Pick<
  NodeJS.Process,
  "cwd" | "env" | "exit" | "off" | "on" | "stderr" | "stdin" | "stdout" | "versions"
>;
