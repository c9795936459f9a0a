import type { ErrorCode } from "../../src/errors/index.ts";

/** Codes that nothing throws yet, each with the feature that it is reserved for. */
export const notBuilt: { readonly [Code in ErrorCode]?: string } = {
  unauthorized: "the HTTP service",
  forbidden_origin: "the HTTP service",
  unknown_session: "the HTTP service",
  not_invitable: "invitations",
};
