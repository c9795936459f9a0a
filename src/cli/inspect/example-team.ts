import { TeamFile } from "../../protocol/team-file.ts";

const call = (tool: string, input: object, delayMs = 1_500) => ({ calls: [{ tool, input }], delayMs });
const say = (to: string, content: string) => call("team_send_message", { to, content });
const deliver = (summary: string, delayMs?: number) => call("complete", { summary, paths: [] }, delayMs);
const member = (name: string, prompt: string, dependsOn: readonly string[] = []) => ({ name, prompt, dependsOn });

/** What the members answer, one entry per model call. */
const members = {
  Tests: [
    say("Risks", "1,204 tests pass; the slowest suite has become slower by a fifth."),
    deliver("All 1,204 tests of the release branch pass.", 2_500),
  ],
  Security: [
    say("Lead", "There are 214 open reports. I am reading all of them."),
    { error: "context_length", delayMs: 2_000 },
  ],
  "Security 2": [
    say("broadcast", "None of the ten newest reports concerns version 2."),
    deliver("No open report concerns version 2.", 2_500),
  ],
  Docs: [
    say("Report", "The pages on sign-in and on limits still describe version 1."),
    deliver("Two pages are out of date: sign-in and limits.", 3_500),
  ],
  Risks: [
    say("Docs", "Can the two pages be done by Friday?"),
    deliver("The only risk is the slower suite; it does not touch the release.", 3_000),
  ],
  Report: [deliver("Version 2 can be released on Friday once two pages of the manual are done.", 3_000)],
};

/** What `teamchart dev` shows without a file: a team that writes to each other, a failure, a replan and a result. */
export const exampleTeam = (): TeamFile =>
  TeamFile.parse({
    agents: { general: { model: "scripted", tools: [] } },
    lead: {
      model: "scripted",
      instructions: "You plan releases.",
      tools: [],
      prompt: "Can we release version 2 on Friday?",
    },
    script: {
      Lead: [
        call("team_create", {
          name: "Release check",
          description: "Says whether version 2 can be released on Friday.",
          members: [
            member("Tests", "Say whether the tests of the release branch pass."),
            member("Security", "Look through the open security reports."),
            member("Docs", "Say which pages of the manual are out of date."),
            member("Risks", "Weigh what the others have found.", ["Tests", "Security"]),
            member("Report", "Write the answer for the team's channel.", ["Risks", "Docs"]),
          ],
        }),
        { waitFor: { Security: "failed" } },
        call("team_replan", {
          add: [
            {
              name: "Security 2",
              prompt: "Look through the open security reports, the newest ten only.",
              replaces: "Security",
            },
          ],
          reason: "The reports were too long to be read at once.",
        }),
        { waitFor: { Report: "completed" } },
        call("team_dissolve", {}),
        {
          text: "Yes: the tests pass and no open report concerns version 2. Two pages of the manual are to be brought up to date first.",
          delayMs: 800,
        },
      ],
      ...members,
    },
  });
