/** A span of time in at most two units: `320 ms`, `3 s`, `2 min 5 s`, `4 h 10 min`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 > 0 ? ` ${seconds % 60} s` : ""}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ""}`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

/** A time of the day with milliseconds: `14:03:07.120`. */
export const timeText = (at: number): string => `${clock.format(at)}.${String(Math.floor(at) % 1000).padStart(3, "0")}`;

const numbers = new Intl.NumberFormat("en-GB");

/** A count with its thousands apart. */
export const countText = (count: number): string => numbers.format(count);

/** A size: `812 B`, `3.4 KiB`. */
export const bytesText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1_048_576
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1_048_576).toFixed(1)} MiB`;

/** Where a member works, or has left changes, that has a git worktree of its own. */
export const placeText = ({ branch, path, state }: { branch: string; path: string; state: "open" | "kept" }): string =>
  `${state === "kept" ? "left changes" : "works"} on ${branch} in ${path}`;
