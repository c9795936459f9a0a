import { expect, test } from "vitest";
import type { InputOf } from "../../../src/protocol/input.ts";
import { allLive } from "../../../src/testing/check/live-data.ts";
import { StateEncoder } from "../../../src/testing/check/state-encoder.ts";
import { Symmetry } from "../../../src/testing/check/symmetry.ts";
import { teamModel } from "../../../src/testing/index.ts";

type Kind = InputOf<"permission.ask">["kind"];

test("whose request is of which kind is told apart, in whatever order they ask", () => {
  const model = teamModel({ members: [{ name: "A" }, { name: "B" }] });
  const encoder = new StateEncoder(new Symmetry(false));
  const keyOf = (asked: readonly (readonly [name: string, kind: Kind])[]): string => {
    const session = model.initial();
    for (const name of ["A", "B"]) {
      const move = model.moves(session).find((each) => each.name === `${name} calls a tool`);
      if (move === undefined) throw new Error(`${name} calls nothing`);
      model.step(session, move);
    }
    for (const [name, kind] of asked) {
      const { token } = [...session.members.values()].find((member) => member.name === name) ?? { token: "" };
      const event = { type: "permission.ask", kind, tool: "t", subject: "s", approver: "user" } as const;
      const input = { actor: token, from: token, event, command: { call: `${token}:1`, run: 1 } };
      model.step(session, { name: `${name} asks`, budget: null, input });
    }
    expect(session.requests).toHaveLength(2);
    encoder.encode(session, allLive);
    return encoder.cells.subarray(0, encoder.length).join();
  };
  const networkOfA = keyOf([
    ["B", "tool"],
    ["A", "network"],
  ]);
  expect(
    keyOf([
      ["A", "network"],
      ["B", "tool"],
    ]),
  ).toBe(networkOfA);
  expect(
    keyOf([
      ["A", "tool"],
      ["B", "network"],
    ]),
  ).not.toBe(networkOfA);
});
