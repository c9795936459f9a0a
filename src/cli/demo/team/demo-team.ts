import type { AgentSource } from "../../../index.ts";
import type { ScriptEntryInput, ScriptInput } from "../../../protocol/script.ts";
import { reviewTests } from "../coverage/review-tests.ts";
import { reviewPerformance } from "../performance/review-performance.ts";
import type { Project } from "../project.ts";
import type { ReviewedFinding } from "../report/combine-findings.ts";
import { reviewSecurity } from "../security/review-security.ts";
import type { HintExchange } from "./hint-exchange.ts";
import { reporter } from "./reporter.ts";
import { reviewer } from "./reviewer.ts";

/** The demo's members that review, in the order of their declaration. */
const reviewerNames = ["SecurityReviewer", "PerfAnalyzer", "TestReviewer"] as const;

const waitMs = 10_000;

/** What the demo's team is made of. */
export interface DemoTeamOptions {
  readonly title: string;
  /** The project, read and parsed once for all. */
  readonly project: () => Promise<Project>;
  /** Whether the reviewers tell each other what they find; true but in a test of what that is worth. */
  readonly exchange?: boolean;
  readonly onReport: (findings: readonly ReviewedFinding[]) => void;
}

/** A team as a session runs it. */
export interface DemoTeam {
  readonly agents: Readonly<Record<string, AgentSource>>;
  /** What the scripted lead does. */
  readonly script: ScriptInput;
  readonly prompt: string;
}

/** The demo's team: three reviewers side by side, then a Reporter, under a scripted lead. */
export function demoTeam({ title, project, exchange = true, onReport }: DemoTeamOptions): DemoTeam {
  const others = (name: string): HintExchange => ({
    peers: reviewerNames.filter((each) => each !== name),
    waitMs,
    isOn: exchange,
  });
  const [security, performance, tests] = reviewerNames;
  return {
    agents: {
      "security-reviewer": reviewer({
        name: security,
        description: "Looks for secrets and dangerous calls.",
        review: reviewSecurity,
        project,
        exchange: others(security),
      }),
      "perf-analyzer": reviewer({
        name: performance,
        description: "Looks for what blocks, grows or repeats.",
        review: reviewPerformance,
        project,
        exchange: others(performance),
      }),
      "test-reviewer": reviewer({
        name: tests,
        description: "Looks for what no test would notice.",
        review: reviewTests,
        project,
        exchange: others(tests),
      }),
      reporter: reporter({ title, project, onReport }),
    },
    script: { Lead: leadScript(title) },
    prompt: `Review ${title} for security, performance and test coverage.`,
  };
}

const leadScript = (title: string): ScriptEntryInput[] => [
  {
    calls: [
      {
        tool: "team_create",
        input: {
          name: "Code review",
          description: `A review of ${title}.`,
          members: [
            { name: "SecurityReviewer", agentType: "security-reviewer", prompt: "Find security faults." },
            { name: "PerfAnalyzer", agentType: "perf-analyzer", prompt: "Find slow and blocking code." },
            { name: "TestReviewer", agentType: "test-reviewer", prompt: "Find what no test would notice." },
            { name: "Reporter", agentType: "reporter", prompt: "Write the report.", dependsOn: [...reviewerNames] },
          ],
        },
      },
    ],
  },
  { waitFor: { Reporter: "completed" } },
  { calls: [{ tool: "team_dissolve", input: {} }] },
  { text: "The review is done; REVIEW.md has every finding with its file and line." },
];
