import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, onTestFinished, test } from "vitest";
import { defineAgent } from "../../src/index.ts";
import { sessionTeam, TeamCard, useTeam, type TeamView } from "../../src/react/index.ts";
import { heldAgents } from "../inspector/support/inspected.ts";
import { one, startSystem } from "../support/sessions.ts";

type Watched = Parameters<typeof useTeam>[0];

const Card = ({ team }: { readonly team: Watched }) => createElement(TeamCard, { team: useTeam(team) });
const rendered = (team: Watched): string => renderToStaticMarkup(createElement(Card, { team }));

test("a server renders a session of its process as it is, one of a service as loading", async () => {
  const held = heldAgents();
  await using given = await startSystem({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await given.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("Ann", { agentType: "held" })] });
  expect(rendered(session)).toContain("0 of 1 completed");
  expect(rendered(sessionTeam(session))).toContain("0 of 1 completed");
  expect(rendered({ url: "/teamchart", session: "s" })).toContain("Loading");
});

test("a session of this process is watched while somebody subscribes; changes of one moment are one view", async () => {
  const held = heldAgents();
  await using given = await startSystem({ agents: { held: defineAgent({ run: held.run }) } });
  const session = await given.open({ id: "s" });
  const source = sessionTeam(session);
  const views: TeamView[] = [];
  const members = Array.from({ length: 50 }, (_, index) => one(`M${index}`, { agentType: "held" }));
  await session.createTeam({ name: "T", members });
  // What came before the subscription is seen by it.
  const unsubscribe = source.subscribe(() => void views.push(source.view));
  onTestFinished(unsubscribe);
  await expect.poll(() => source.view.status?.members.length).toBe(50);
  const before = views.length;
  for (const { name } of members) held.finish(name);
  await expect
    .poll(() => source.view.status?.members.every(({ status }) => status === "completed"), { timeout: 15_000 })
    .toBe(true);
  // 50 members, each with several inputs.
  expect(views.length - before).toBeLessThan(50);
  expect(source.view).toBe(views.at(-1));
  unsubscribe();
  const { view } = source;
  await session.dissolve();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(source.view).toBe(view);
});
