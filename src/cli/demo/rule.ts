import { evidenceOf } from "./evidence.ts";
import type { Finding, Severity } from "./finding.ts";
import type { NodeOf, NodeType } from "./syntax/node.ts";
import type { SourceModule } from "./syntax/source-module.ts";

/** What a rule says about one place; path, line and evidence are added by `runRules`. */
export interface Remark {
  readonly at: { readonly start: number };
  readonly severity: Severity;
  readonly message: string;
  /** Texts that must not appear in the evidence. */
  readonly secrets?: readonly string[];
}

/** One thing to look for in a parsed module. */
export interface Rule {
  readonly name: string;
  readonly check: (module: SourceModule) => readonly Remark[];
}

/** A rule that looks at every node of some types by itself. */
export const ruleOn = <T extends NodeType>(
  name: string,
  types: readonly T[],
  check: (node: NodeOf<T>, module: SourceModule) => Remark | null,
): Rule => ({
  name,
  check: (module) => types.flatMap((type) => module.nodes(type).flatMap((node) => check(node, module) ?? [])),
});

/** Runs rules over one module. Several remarks of a rule on one line are one finding: the worst. */
export const runRules = (rules: readonly Rule[], module: SourceModule): Finding[] =>
  rules.flatMap(({ name, check }) => {
    const byLine = new Map<number, Remark>();
    for (const remark of check(module)) {
      const line = module.lineAt(remark.at.start);
      const known = byLine.get(line);
      if (known === undefined || isWorse(remark.severity, known.severity)) byLine.set(line, remark);
    }
    return [...byLine].map(([line, { severity, message, secrets }]) => ({
      rule: name,
      severity,
      path: module.file.path,
      line,
      message,
      evidence: evidenceOf(module.lineText(line), secrets ?? []),
    }));
  });

const isWorse = (a: Severity, b: Severity): boolean => a !== b && (a === "high" || b === "low");
