/** Takes a fault of somebody else's code and never throws. */
export type FaultReporter = (fault: unknown) => void;

/** A fault as an Error, so that a process warning keeps its stack. */
const asError = (fault: unknown): Error =>
  fault instanceof Error ? fault : new Error("an observer of the bus threw what is no Error", { cause: fault });

/**
 * A reporter that hands faults to `onError`. Without one, or when it throws itself, a fault becomes a process warning:
 * seen on stderr, and never the end of the process.
 */
export const faultReporter =
  (onError: ((error: unknown) => void) | undefined): FaultReporter =>
  (fault) => {
    if (onError === undefined) {
      process.emitWarning(asError(fault));
      return;
    }
    try {
      onError(fault);
    } catch (error) {
      process.emitWarning(asError(fault));
      process.emitWarning(asError(error));
    }
  };
