import { httpStatus, isTeamError, TeamError } from "../../errors/index.ts";

/** Nothing may be loaded from elsewhere, nothing may frame the page, and nothing in it may be run that isn't a file of ours. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers that every answer has. */
const headers: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The answer with the headers that every answer has; nothing of it is kept by a cache unless it says so itself. */
export function secured(response: Response): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
}

/** A failure as an answer: its code, status and sentence. What was no refusal of ours tells nothing of its inside. */
export function errorAnswer(error: unknown, onFault: (fault: unknown) => void): Response {
  if (isTeamError(error)) {
    const response = Response.json(error.toJSON(), { status: httpStatus(error.code) });
    if (error.code === "unauthorized") response.headers.set("www-authenticate", 'Bearer realm="teamchart"');
    return response;
  }
  onFault(error);
  const told = new TeamError("kernel_error", { problem: "the service has failed" });
  return Response.json(told.toJSON(), { status: 500 });
}
