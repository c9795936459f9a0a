/** What an entry says: the HTTP status, the fault in one sentence without a full stop, and the next step. */
export interface Entry<Data> {
  readonly status: number;
  readonly what: (data: Data) => string;
  readonly next: (data: Data) => string;
}

/** An entry; naming `Data` fixes what the error carries. */
export const entry = <Data>(
  status: number,
  what: (data: Data) => string,
  next: (data: Data) => string,
): Entry<Data> => ({
  status,
  what,
  next,
});

/** Names for a sentence. */
export const list = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

/** The question that follows a name nobody knows; nothing when no known name is near. */
export const didYouMean = (name: string | null): string => (name === null ? "" : ` (did you mean "${name}"?)`);

/** Name, known names and the nearest of them: the data of every "there is no such ..." error. */
export interface Unknown {
  readonly known: readonly string[];
  readonly nearest: string | null;
}
