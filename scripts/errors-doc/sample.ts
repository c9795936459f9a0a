import type { ErrorCode, ErrorData } from "../../src/errors/index.ts";

/** What docs/errors.md says of a code beside its texts: when it comes, and data for an example. */
export interface Sample<Code extends ErrorCode> {
  readonly when: string;
  readonly data: ErrorData<Code>;
}
