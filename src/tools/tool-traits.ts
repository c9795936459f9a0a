/** What the runtime has to know about a tool, and a model has not. */
export interface ToolTraits {
  /** A call that was started and has no end may simply be made again. */
  readonly idempotent: boolean;
  /** A call can change something. */
  readonly sideEffects: boolean;
  /** A call may run beside the other calls of its step; otherwise those run one after the other, in their order. */
  readonly concurrent: boolean;
}
