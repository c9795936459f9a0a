import type { ErrorCode } from "../../errors/index.ts";
import type { Mail } from "./state.ts";

/** What became of mail in one input. `to` and `from` are actor tokens; `to` of a refused one is as its sender wrote it. */
export type MailFact =
  | { readonly type: "accepted"; readonly to: string; readonly mail: Mail }
  /** It stands in a step that is journalled; a notice also where a status has shown what it tells. */
  | { readonly type: "delivered"; readonly to: string; readonly ids: readonly string[] }
  /** A newer notice tells all that these told. */
  | { readonly type: "replaced"; readonly to: string; readonly ids: readonly string[] }
  | { readonly type: "acknowledged"; readonly to: string; readonly ids: readonly string[] }
  | { readonly type: "dead_lettered"; readonly to: string; readonly ids: readonly string[]; readonly reason: string }
  | {
      readonly type: "refused";
      readonly from: string;
      readonly to: string;
      readonly kind: "text" | "instruction" | "schedule" | "tool_result";
      readonly bytes: number;
      readonly code: ErrorCode;
    };
