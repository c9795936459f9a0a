/** When something is due: `armedAt + ms` of the wall clock. */
export interface Deadline {
  /** Sequence of the input that armed it. */
  readonly generation: number;
  readonly armedAt: number;
  readonly ms: number;
}
