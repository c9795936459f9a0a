import type { Host } from "./host.ts";

/** The way out of the command: stdout for what was asked for, stderr for the rest. */
export interface Output {
  /** Writes to stdout; nothing once its reader is gone. */
  print(text: string): void;
  /** Writes a sentence to stderr. */
  tell(sentence: string): void;
  /** Keeps sentences back while something is drawn on the terminal; what it returns lets them out. */
  hold(): () => void;
  /** Aborted when nobody reads stdout any more, as behind `| head`. */
  readonly closed: AbortSignal;
  /** Resolves when everything is out. */
  flush(): Promise<void>;
}

const drain = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) resolve();
    else stream.write("", () => resolve());
  });

/** Opens the way out. From here on a closed pipe ends nothing but the writing to it. */
export function openOutput({ stdout, stderr }: Pick<Host, "stdout" | "stderr">): Output {
  const closed = new AbortController();
  let isMute = false;
  // There is nobody left to tell of it.
  stderr.on("error", () => (isMute = true));
  let held: string[] | null = null;
  const tell = (sentence: string): void => {
    if (held !== null) held.push(sentence);
    else if (!isMute) stderr.write(`${sentence}\n`);
  };
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (closed.signal.aborted) return;
    closed.abort(error);
    if (error.code !== "EPIPE") tell(`stdout cannot be written: ${error.message}`);
  });
  return {
    print(text) {
      if (!closed.signal.aborted) stdout.write(text);
    },
    tell,
    hold() {
      held ??= [];
      return () => {
        const sentences = held ?? [];
        held = null;
        for (const sentence of sentences) tell(sentence);
      };
    },
    closed: closed.signal,
    async flush() {
      await Promise.all([drain(stdout), drain(stderr)]);
    },
  };
}
