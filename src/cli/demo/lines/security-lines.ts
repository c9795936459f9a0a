import type { FileRole } from "../file-role.ts";
import { lowered, type Finding } from "../finding.ts";
import type { SourceFile } from "../source-file.ts";
import { runLineRules, scrubbedLines } from "./line-rule.ts";
import { secretInLine } from "./secret-lines.ts";
import { securityLineRules } from "./security-line-rules.ts";

/** Files that are there to be copied and filled in. */
const TEMPLATE_NAMES = /(^|[._/-])(example|sample|template|dist|defaults?)([._-]|$)/i;

/** The security findings of a file that no parser reads: secrets and a few dangerous calls, line by line. */
export const securityLineFindings = (file: SourceFile, role: FileRole): Finding[] => {
  const lines = scrubbedLines(file);
  if (role === "test") {
    // As in parsed tests: only keys that an issuer gave out.
    const plain: SourceFile = { ...file, language: "other" };
    return lines.flatMap((line, i) => secretInLine(plain, line, lines[i + 1]) ?? []).map(lowered);
  }
  const secrets = TEMPLATE_NAMES.test(file.path)
    ? []
    : lines.flatMap((line, i) => secretInLine(file, line, lines[i + 1]) ?? []);
  const findings = [...secrets, ...runLineRules(securityLineRules, file, lines)];
  return role === "example" ? findings.map(lowered) : findings;
};
