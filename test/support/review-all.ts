import { combineFindings, type ReviewedFinding } from "../../src/cli/demo/report/combine-findings.ts";
import { renderReview } from "../../src/cli/demo/report/render-review.ts";
import { reviewPerformance } from "../../src/cli/demo/performance/review-performance.ts";
import { reviewSecurity } from "../../src/cli/demo/security/review-security.ts";
import { reviewTests } from "../../src/cli/demo/coverage/review-tests.ts";
import type { Hint } from "../../src/cli/demo/hint.ts";
import type { Project } from "../../src/cli/demo/project.ts";

/** What all reviewers say about a project, told what the others found out or not, and the report of it. */
export const reviewAll = (project: Project, { tell }: { tell: boolean }) => {
  const first = [reviewSecurity(project), reviewPerformance(project), reviewTests(project)];
  const hints: readonly Hint[] = tell ? first.flatMap((review) => review.hints) : [];
  const tests = reviewTests(project, { hints });
  const reviewers = [
    { name: "SecurityReviewer", findings: reviewSecurity(project, { hints }).findings },
    { name: "PerfAnalyzer", findings: reviewPerformance(project, { hints }).findings },
    { name: "TestReviewer", findings: tests.findings },
  ];
  const findings: ReviewedFinding[] = combineFindings(reviewers);
  return {
    findings,
    hints,
    tests,
    markdown: renderReview({ title: "shop", project, findings, stats: tests, hints, reviewers }),
  };
};
