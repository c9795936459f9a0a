import { errorCatalogue, type ErrorCode, type ErrorData, type Refusal } from "./catalogue.ts";

/** The catalogue entry for a code, with its data widened: callers pair code and data through `Refusal`. */
const entryOf = (code: ErrorCode) =>
  errorCatalogue[code] as { status: number; what: (data: unknown) => string; next: (data: unknown) => string };

/** What was wrong, without a full stop of its own: a name or a foreign text may end in one. */
const whatOf = ({ code, data }: Refusal): string =>
  entryOf(code)
    .what(data)
    .replace(/(?<!\.)\.$/, "");

/** Builds a refusal; the data is checked against the code. */
export const refusal = <Code extends ErrorCode>(code: Code, data: ErrorData<Code>): Refusal =>
  // The pair is right by the signature; TypeScript cannot distribute a generic code over the union.
  ({ code, data }) as unknown as Refusal;

/** What was wrong and what to do, as one text: `what. next.` */
export const describeRefusal = (told: Refusal): string => `${whatOf(told)}. ${entryOf(told.code).next(told.data)}.`;

/** The text that a model reads when a tool is refused: `CODE: what. Do: next step.` */
export const toolRefusalText = (told: Refusal): string =>
  `${told.code.toUpperCase()}: ${whatOf(told)}. Do: ${entryOf(told.code).next(told.data)}.`;

/** The HTTP status of a code. */
export const httpStatus = (code: ErrorCode): number => entryOf(code).status;

/**
 * The one error class of Teamchart. `code` is stable, `data` holds the facts as fields, `message` says what was wrong
 * and what to do. `problems` lists every fault found when more than one was (the first is the error itself).
 */
export class TeamError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly data: ErrorData<Code>;
  readonly problems: readonly Refusal[];

  constructor(code: Code, data: ErrorData<Code>, options: { cause?: unknown; problems?: readonly Refusal[] } = {}) {
    const problems = options.problems ?? [refusal(code, data)];
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    super(describeRefusal(refusal(code, data)) + more, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "TeamError";
    this.code = code;
    this.data = data;
    this.problems = problems;
  }

  /** The error of a refusal, or of the first of several. */
  static from(refusals: Refusal | readonly Refusal[]): TeamError {
    const problems = "code" in refusals ? [refusals] : refusals;
    const [first] = problems;
    if (first === undefined) return new TeamError("kernel_error", { problem: "refused without a reason" });
    return new TeamError(first.code, first.data, { problems });
  }

  /** The error as data, for a log, an HTTP body or `--json`. */
  toJSON(): { type: "error"; code: Code; message: string; data: ErrorData<Code> } {
    return { type: "error", code: this.code, message: this.message, data: this.data };
  }
}

/** Whether `error` is a TeamError, of this code if one is given. */
export const isTeamError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is TeamError<Code> => error instanceof TeamError && (code === undefined || error.code === code);
