import type { Input } from "../../protocol/input.ts";
import type { EventLine } from "../../protocol/recording.ts";

/** An input as it is in the log, with its body or plan. */
export type LogRecord = Omit<Input, "body"> & { readonly seq: number; readonly body?: unknown };

/** What is judged: the log, what was made of each input, and what was seen outside of it. */
export interface Evidence {
  readonly records: readonly LogRecord[];
  readonly lines: readonly EventLine[];
  readonly observations: readonly Observation[];
}

/** Something that was seen from outside of the log; `epoch` is that which the state of the node has. */
export type Observation = { readonly atMs: number; readonly node: string; readonly actor: string } & (
  | {
      readonly type: "tool.executed";
      readonly call: string;
      readonly mayRepeat: boolean;
      readonly afterSeq: number;
      readonly epoch: number;
    }
  | { readonly type: "function.began"; readonly run: number; readonly epoch: number }
  | { readonly type: "function.ended"; readonly run: number }
  /** What somebody was told is done: a message by its content, a plan or dissolve by its reason. */
  | {
      readonly type: "accepted" | "refused";
      readonly command: "message" | "replan" | "dissolve";
      readonly mark: string;
    }
);
