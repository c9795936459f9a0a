import type { Finding } from "../../src/cli/demo/finding.ts";
import type { Project } from "../../src/cli/demo/project.ts";
import type { Review } from "../../src/cli/demo/review.ts";
import { projectOf } from "./project-of.ts";

/** `severity rule line` of every finding that a reviewer has about one file. */
export const saidAbout = async (
  review: (project: Project) => Review,
  text: string,
  path = "src/a.ts",
): Promise<string[]> => review(await projectOf({ [path]: text })).findings.map(shortly);

/** A finding as `severity rule line`. */
export const shortly = ({ severity, rule, line }: Finding): string => `${severity} ${rule} ${line}`;
