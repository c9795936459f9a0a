import { callGuarded } from "../../protocol/call-guarded.ts";
import { failureText } from "../model-run/tool-calls.ts";

/**
 * A fault handler that can't become a fault: when it fails itself there is nobody left to tell. Without one faults are
 * warnings of the process.
 */
export const guardedFault = (onFault: ((fault: unknown) => unknown) | undefined): ((fault: unknown) => void) =>
  callGuarded(
    onFault ??
      ((fault: unknown) => process.emitWarning(fault instanceof Error ? fault : new Error(failureText(fault)))),
    () => {},
  );
