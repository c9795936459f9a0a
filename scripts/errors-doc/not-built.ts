import type { ErrorCode } from "../../src/errors/index.ts";

/** Codes that nothing throws yet, each with the feature that it is reserved for. */
export const notBuilt: { readonly [Code in ErrorCode]?: string } = {
  unauthorized: "the HTTP service",
  forbidden_origin: "the HTTP service",
  not_invitable: "invitations",
  task_blocked: "the shared task board",
  task_taken: "the shared task board",
};
