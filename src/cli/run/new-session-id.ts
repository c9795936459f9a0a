import { randomBytes } from "node:crypto";

/** A name for a session that sorts by time, is unlike every other, and is fit for a folder. */
export function newSessionId(nowMs: number): string {
  const [day, time] = new Date(nowMs).toISOString().replaceAll(/[-:]/g, "").split(/[T.]/);
  return `${day}-${time}-${randomBytes(3).toString("hex")}`;
}
