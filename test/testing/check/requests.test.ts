import { expect, test } from "vitest";
import { checkModel, teamModel, type Move } from "../../../src/testing/index.ts";

/** A request by a first call: of its own accord the model asks for tools alone. */
const asks = (name: string, kind: "tool" | "network"): Move => ({
  name: `${name} asks for the ${kind}`,
  budget: "permission",
  input: {
    actor: name,
    from: name,
    event: { type: "permission.ask", kind, tool: "tool", subject: "s", approver: "user" },
    command: { call: `${name}:1`, run: 1 },
  },
});

const world = (): Move[] => ["A", "B"].flatMap((name) => [asks(name, "network"), asks(name, "tool")]);

test.each([
  ["A", "B"],
  ["B", "A"],
])("who asks for what is a part of the state: %s for the network, then %s for a tool", (first, second) => {
  const { violation } = checkModel(teamModel({ members: [{ name: "A" }, { name: "B" }], world }), {
    budgets: { permission: 2 },
    always: {
      // Who asked first is no part of a state: requests are shown in the order of members.
      "never so": ({ requests }) =>
        !requests.some(({ kind, member }) => kind === "network" && member.name === first) ||
        !requests.some(({ kind, member }) => kind === "tool" && member.name === second),
    },
  });
  expect(new Set(violation?.moves)).toEqual(new Set([`${first} asks for the network`, `${second} asks for the tool`]));
});
