import { applyHints, type HintEffects } from "../apply-hints.ts";
import { evidenceOf } from "../evidence.ts";
import { compareFindings, lowered, type Finding } from "../finding.ts";
import type { Hint } from "../hint.ts";
import type { Project, UnparsableFile } from "../project.ts";
import type { Review, ReviewOptions } from "../review.ts";
import { runRules, type Rule } from "../rule.ts";
import { securityLineFindings } from "../lines/security-lines.ts";
import { isRequestInput } from "../syntax/requests.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { cryptoRules } from "./crypto-rules.ts";
import { executionRules } from "./execution-rules.ts";
import { injectionRules } from "./injection-rules.ts";
import { credentialHandling, issuedKeyRule, secretRules } from "./secret-rules.ts";
import { webRules } from "./web-rules.ts";

const RULES: readonly Rule[] = [...secretRules, ...executionRules, ...injectionRules, ...cryptoRules, ...webRules];

/** Faults that are as bad in a build script as anywhere: what they leak is leaked. */
const AS_BAD_IN_SCRIPTS: ReadonlySet<string> = new Set(["hardcoded-secret", "secret-logged"]);

/** Tests invent passwords and break rules on purpose; only keys that an issuer gave out are worth a word there. */
const findingsIn = (module: SourceModule): Finding[] => {
  if (module.role === "test") return runRules([issuedKeyRule], module).map(lowered);
  const findings = runRules(RULES, module);
  if (module.role === "source") return findings;
  const isExample = module.role === "example";
  return findings.map((finding) => (AS_BAD_IN_SCRIPTS.has(finding.rule) && !isExample ? finding : lowered(finding)));
};

/** The finding for a file that the parser refused: the parser's words and its line. */
const unparsableFinding = ({ file, line, message }: UnparsableFile): Finding => ({
  rule: "unparsable",
  severity: "medium",
  path: file.path,
  line,
  message: `The parser gave up here: ${message.replace(/\.$/, "")}. Only the smaller, line-based analysis looked at this file.`,
  evidence: evidenceOf(file.text.split(/\r\n|\n|\r/)[line - 1] ?? "", []),
});

const hintsOf = (module: SourceModule, findings: readonly Finding[], from: string): Hint[] => {
  if (module.role === "test") return [];
  const { path } = module.file;
  const credentials = credentialHandling(module);
  const secret = findings.find(
    ({ rule, severity, path: place }) => place === path && rule === "hardcoded-secret" && severity === "high",
  );
  const entry = module.nodes("MemberExpression").find((node) => isRequestInput(node, module));
  return [
    ...(credentials === null
      ? []
      : [{ from, topic: "auth", path, line: module.lineAt(credentials.node.start), text: credentials.what } as const]),
    ...(secret === undefined
      ? []
      : [{ from, topic: "secret", path, line: secret.line, text: "has a secret written into it" } as const]),
    ...(entry === undefined
      ? []
      : [
          {
            from,
            topic: "entry_point",
            path,
            line: module.lineAt(entry.start),
            text: "reads what a client sent",
          } as const,
        ]),
  ];
};

const parsedFindings = (project: Project): Finding[] => project.modules.flatMap(findingsIn);

const otherFindings = (project: Project): Finding[] =>
  project.smaller.flatMap(({ file, role }) => securityLineFindings(file, role));

const EFFECTS: HintEffects = { untested: "raises", hot_path: "relates" };

/**
 * Looks for what an attacker could use: secrets in the source, injection, unchecked certificates and tokens, weak
 * randomness. Told by others, it judges findings in untested code worse and says which are on the way of requests.
 */
export const reviewSecurity = (project: Project, options: ReviewOptions = {}): Review => {
  const { hints = [], from = "SecurityReviewer" } = options;
  const parsed = project.once(parsedFindings);
  const unparsable = project.unparsable.filter(({ role }) => role !== "test").map(unparsableFinding);
  const others = project.once(otherFindings);
  const judged = applyHints(parsed, hints, () => EFFECTS);
  return {
    findings: [...judged, ...unparsable, ...others].toSorted(compareFindings),
    hints: project.modules.flatMap((module) => hintsOf(module, parsed, from)),
    smaller: project.smaller.map(({ file }) => file.path),
  };
};
