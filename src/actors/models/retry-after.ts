import { safeReadText } from "./safe-read.ts";

/** No wait is longer than a day, whatever a server says. */
const retryAfterMsMax = 86_400_000;

const isNumber = /^\s*\d+(?:\.\d+)?\s*$/;

/** A date is a point on the server's clock, so it is held against the server's own `date` where there is one. */
const untilDate = (date: string, headers: unknown, nowMs: number): number | null => {
  const serverNow = Date.parse(safeReadText(headers, "date") ?? "");
  const wait = Date.parse(date) - (Number.isNaN(serverNow) ? nowMs : serverNow);
  return Number.isNaN(wait) ? null : wait;
};

/**
 * How long the headers of a response ask to wait, or null: `retry-after-ms`, else `retry-after` in seconds or as a date.
 * Names are lower case, as the AI SDK keeps them.
 */
export const readRetryAfter = (headers: unknown, nowMs: number): number | null => {
  const precise = safeReadText(headers, "retry-after-ms");
  const standard = safeReadText(headers, "retry-after");
  let waitMs: number | null = null;
  if (precise !== undefined && isNumber.test(precise)) waitMs = Number(precise);
  else if (standard !== undefined && isNumber.test(standard)) waitMs = Number(standard) * 1000;
  else if (standard !== undefined) waitMs = untilDate(standard, headers, nowMs);
  return waitMs === null ? null : Math.min(Math.max(Math.ceil(waitMs), 0), retryAfterMsMax);
};
