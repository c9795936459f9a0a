/** The part of a step that tells how its calls ended. */
interface EndedStep {
  readonly toolResults: readonly { readonly toolName: string; readonly output: unknown }[];
}

const isAccepted = (output: unknown): boolean =>
  typeof output === "object" && output !== null && "accepted" in output && output.accepted === true;

/**
 * For `stopWhen`: true once a `complete` was accepted. A refused or failed one doesn't stop the loop, unlike with the
 * SDK's `hasToolCall`, so that the model can correct it.
 */
export const completeAccepted = ({ steps }: { readonly steps: readonly EndedStep[] }): boolean =>
  steps.some(({ toolResults }) =>
    toolResults.some(({ toolName, output }) => toolName === "complete" && isAccepted(output)),
  );
