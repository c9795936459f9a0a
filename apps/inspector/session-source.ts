import type { ServiceInfo } from "teamchart/protocol";
import type { Api } from "./feed/api.ts";
import type { SessionModel } from "./fold/session-model.ts";

/** Where a session's log comes from. */
export type SessionSource =
  | {
      readonly key: string;
      readonly kind: "live";
      readonly api: Api;
      readonly info: ServiceInfo;
      readonly askedAt: number;
      readonly session: string;
    }
  | {
      readonly key: string;
      readonly kind: "file";
      readonly name: string;
      readonly text: string;
      readonly session: { readonly model: SessionModel; readonly broken: string | null };
    };
