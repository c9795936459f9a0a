import type { Bus } from "../../bus/bus.ts";
import { failureText } from "../model-run/tool-calls.ts";

/** Why a system can't work, or that it can. */
export interface SystemHealth {
  readonly ready: boolean;
  /** What stands in its way, a sentence each; none when it is ready. */
  readonly reasons: readonly string[];
}

/** A bus that has not answered by then is as good as away. */
const answerMs = 2_000;

/** Asks the bus for something that costs it nothing, and says whether it answered. */
export async function busHealth(bus: Bus): Promise<SystemHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it has not answered for ${answerMs} ms`)), answerMs);
  });
  try {
    await Promise.race([bus.checkpoints.get("teamchart.health"), late]);
    return { ready: true, reasons: [] };
  } catch (error) {
    return {
      ready: false,
      reasons: [`the ${bus.kind} bus is not available: ${failureText(error).replace("tool_error: ", "")}`],
    };
  } finally {
    clearTimeout(timer);
  }
}
