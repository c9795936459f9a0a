import { expect, test } from "vitest";
import { Driver, memberOf } from "../driver.ts";

/** Whoever calls again by the same id: how it is answered, and who waits for what then. */
const waits = [
  {
    what: "a long poll",
    name: "Lead",
    event: { type: "team.status", since: 1_000, waitMs: 1_000 },
    open: ({ session }: Driver) => session.polls.map(({ call }) => call),
  },
  {
    what: "a question",
    name: "Lead",
    event: { type: "question.ask" },
    open: ({ session }: Driver) => session.lead.questions.map(({ call }) => call),
  },
  {
    what: "a plan",
    name: "P",
    event: { type: "plan.submit" },
    open: (driver: Driver) => [driver.member("P").run.planCall],
  },
] as const;

test.each(
  waits.flatMap(
    (each) =>
      [
        { ...each, by: "lost" },
        { ...each, by: "taken over" },
      ] as const,
  ),
)(
  "$what of a run that is $by is over for that run, and the next one that makes the call again waits again",
  ({ name, event, open, by }) => {
    const driver = new Driver({ lead: "hosted" });
    driver.command({ type: "lead.prompt", bytes: 1 });
    driver.create([memberOf("P", { requirePlan: true })]);
    // What the lead has not read would answer its poll at once.
    driver.inject("Lead");
    driver.run(name, "tool.started", { call: "again", tool: "t" });
    driver.byCall(name, "again", event);
    expect(open(driver)).toEqual(["again"]);
    const ended = by === "lost" ? driver.lose(name) : driver.claim();
    expect(ended.replies).toContainEqual(
      expect.objectContaining({
        to: { from: name === "Lead" ? "lead" : "P-t1", id: "again" },
        reply: { refused: [expect.objectContaining({ code: "fenced" })] },
      }),
    );
    expect(open(driver)).not.toEqual(["again"]);
    const repeated = driver.byCall(name, "again", event);
    expect(repeated).toMatchObject({ verdict: "handled", replies: [] });
    expect(open(driver)).toEqual(["again"]);
  },
);
