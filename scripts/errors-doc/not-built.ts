import type { ErrorCode } from "../../src/errors/index.ts";

/** Codes that nothing throws yet, each with the feature that it is reserved for. */
export const notBuilt: { readonly [Code in ErrorCode]?: string } = {};
