import { membersInOrder, type FactReader, type SessionState } from "../../src/machines/index.ts";
import type { InputEvent } from "../../src/protocol/input.ts";
import { ReplanSpec, TeamSpec } from "../../src/protocol/index.ts";
import type { Given } from "./driver.ts";

/** What only the lead, the user or an owner may do. */
function commandsOfOthers(session: SessionState, name: string): (Pick<Given, "plan"> & { event: InputEvent })[] {
  const [request] = session.requests;
  return [
    { event: { type: "team.create", plan: "d", byModel: false }, plan: TeamSpec.parse({ name: "Mine", members: [] }) },
    { event: { type: "team.replan", plan: "d", byModel: false }, plan: ReplanSpec.parse({ cancel: [name] }) },
    { event: { type: "team.dissolve", mode: "abort" } },
    { event: { type: "team.status" } },
    { event: { type: "permission.answer", request: request?.id ?? "r", approve: true } },
    { event: { type: "plan.answer", member: name, approve: true } },
    { event: { type: "question.answer", call: session.lead.questions[0]?.call ?? "q" } },
    { event: { type: "lead.prompt", bytes: 1 } },
    { event: { type: "lead.injected", mail: session.lead.unread.map((mail) => mail.id) } },
    { event: { type: "poll.ended", call: session.polls[0]?.call ?? "p" } },
    { event: { type: "owner.claimed", epoch: session.epoch + 1, node: "mine" } },
    { event: { type: "session.closed" } },
  ];
}

/** Everything that the members of a session may not do, by their live runs: others' commands, and others' runs. */
export function forbiddenTo(session: SessionState, facts: FactReader): Given[] {
  const members = membersInOrder(session);
  return members.flatMap((member) => {
    const { token, name, snapshot } = member;
    if (facts.member(snapshot).activity === null) return [];
    const command = { call: "forbidden", run: snapshot.context.run };
    const commands = commandsOfOthers(session, name).map(({ event, ...plan }): Given => {
      const own = event.type === "owner.claimed" || event.type === "session.closed" ? {} : { command };
      return { actor: "session", from: token, event, ...own, ...plan };
    });
    const runs = members
      .filter((other) => other !== member)
      .map((other): Given => {
        const { run } = other.snapshot.context;
        return { actor: other.token, from: token, event: { type: "run.completed", run, k: other.run.k + 1 } };
      });
    return [...commands, ...runs];
  });
}
