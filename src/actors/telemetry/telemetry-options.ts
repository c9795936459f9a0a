import { z } from "zod";

/** What spans hold beside names, counts and times; secrets are hidden as everywhere. */
export const TelemetryOptions = z.strictObject({
  /** Prompts, and arguments of tools. Default false. */
  recordInputs: z.boolean().optional(),
  /** Answers, and results of tools. Default false. */
  recordOutputs: z.boolean().optional(),
});
export type TelemetryOptions = z.infer<typeof TelemetryOptions>;
