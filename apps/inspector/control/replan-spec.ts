import { ReplanSpec } from "teamchart/protocol";

/** One change of a plan, as the form has it. */
export type Operation =
  | { readonly kind: "cancel"; readonly name: string }
  | { readonly kind: "shutdown"; readonly name: string }
  | { readonly kind: "retry"; readonly name: string; readonly prompt: string }
  | { readonly kind: "rewire"; readonly name: string; readonly dependsOn: readonly string[] }
  | {
      readonly kind: "add";
      readonly name: string;
      readonly agentType: string;
      readonly prompt: string;
      readonly dependsOn: readonly string[];
      readonly replaces: string;
    };

/** What an operation is called. */
export const operationText: Readonly<Record<Operation["kind"], string>> = {
  add: "Add a member",
  cancel: "Cancel",
  retry: "Retry",
  rewire: "Change what it waits for",
  shutdown: "Shut down",
};

/** An operation of a kind, before anything was filled in. */
export function emptyOperation(kind: Operation["kind"], name: string, agentType: string): Operation {
  if (kind === "add") return { kind, name: "", agentType, prompt: "", dependsOn: [], replaces: "" };
  if (kind === "retry") return { kind, name, prompt: "" };
  return kind === "rewire" ? { kind, name, dependsOn: [] } : { kind, name };
}

/** Whether everything that must be filled in is. */
export const isFilled = (operation: Operation): boolean =>
  operation.name.trim() !== "" && (operation.kind !== "add" || operation.prompt.trim() !== "");

/** The plan that some operations make, for the revision that they were made on. */
export function replanSpec(operations: readonly Operation[], revision: number, reason: string): ReplanSpec {
  const of = <Kind extends Operation["kind"]>(kind: Kind) =>
    operations.filter((each): each is Extract<Operation, { readonly kind: Kind }> => each.kind === kind);
  return ReplanSpec.parse({
    revision,
    cancel: of("cancel").map(({ name }) => name),
    shutdown: of("shutdown").map(({ name }) => name),
    retry: of("retry").map(({ name, prompt }) => ({ name, ...(prompt.trim() === "" ? {} : { prompt }) })),
    rewire: of("rewire").map(({ name, dependsOn }) => ({ name, dependsOn: [...dependsOn] })),
    add: of("add").map(({ name, agentType, prompt, dependsOn, replaces }) => ({
      name: name.trim(),
      agentType,
      prompt,
      // Left out beside `replaces`, it is inherited from the one replaced.
      ...(replaces !== "" && dependsOn.length === 0 ? {} : { dependsOn: [...dependsOn] }),
      ...(replaces === "" ? {} : { replaces }),
    })),
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  });
}
