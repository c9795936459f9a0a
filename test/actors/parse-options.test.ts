import { expect, test } from "vitest";
import { createTeamSystem } from "../../src/index.ts";
import { rejection, startSystem } from "../support/sessions.ts";

const refused = (options: object): Promise<unknown> => rejection(createTeamSystem(options));

test.each([
  [
    { agent: {} },
    /createTeamSystem\.agent: there is no such option \(did you mean "agents"\?\); known are bus, agents/u,
  ],
  [{ limits: { memberMax: 3 } }, /limits\.memberMax: there is no such option \(did you mean "membersMax"\?\)/u],
  [{ permissions: 7 }, /createTeamSystem\.permissions: expected a policy/u],
  [{ permissions: { mode: "ask" } }, /permissions\.mode: Invalid option: expected one of "default"\|"accept_edits"/u],
  [
    { permissions: { rules: { allows: [] } } },
    /permissions\.rules\.allows: there is no such option \(did you mean "allow"\?\); known are allow, deny, ask/u,
  ],
  [
    { permissions: { rules: { deny: ["rm -rf /"] } } },
    /permissions\.rules\.deny\[0\]: "rm -rf \/" is no rule; write tool/u,
  ],
  [
    { permissions: { directories: ["../other"] } },
    /permissions\.directories\[0\]: expected a folder of the workspace/u,
  ],
  [
    { agents: { a: { permissions: { mode: "explore" } } } },
    /agents\.a\.permissions\.mode: .* add `overrideLeadMode: true`/u,
  ],
  [{ agents: { a: { readOnly: ["look"] } } }, /agents\.a\.readOnly: there is no tool "look" .* no tools of its own/u],
  [{ bus: {} }, /createTeamSystem\.bus: expected a bus/u],
  [{ agents: 7 }, /createTeamSystem\.agents: expected agents/u],
  [{ clock: Date }, /createTeamSystem\.clock: expected a clock/u],
  [{ environment: "KEY=1" }, /createTeamSystem\.environment: expected variables/u],
  [{ workspace: 7 }, /createTeamSystem\.workspace: /u],
  [{ namespace: "" }, /createTeamSystem\.namespace: /u],
  [{ model: 7 }, /createTeamSystem\.model: expected provider\/model/u],
  [{ onFault: "log" }, /createTeamSystem\.onFault: expected a function/u],
  [{ script: "hello" }, /createTeamSystem\.script: expected what/u],
])("a system's options are refused by their path: %j", async (options, text) => {
  const error = await refused(options);
  expect(error).toMatchObject({ code: "bad_input" });
  expect(String(error)).toMatch(text);
});

test("every fault of the options is in the error", async () => {
  const error = await refused({ bsu: 1, modle: 2, workspace: 3 });
  expect(error).toMatchObject({ problems: [{}, {}, {}] });
});

test.each([
  [{ leed: {} }, /openSession\.leed: there is no such option \(did you mean "lead"\?\)/u],
  [{ lead: "mine" }, /openSession\.lead: expected \{ model, instructions, tools \} or "own"/u],
  [
    { lead: { instruction: "Be kind." } },
    /lead\.instruction: there is no such option \(did you mean "instructions"\?\)/u,
  ],
  [{ lead: { instructions: 7 } }, /lead\.instructions: /u],
  [{ permissions: {} }, /openSession\.permissions: there is no such option/u],
  [{ lead: { permissions: { approver: "anybody" } } }, /lead\.permissions\.approver: /u],
  [{ lead: { readOnly: ["look"] } }, /lead\.readOnly: there is no tool "look"/u],
  [{ onOpen: true }, /openSession\.onOpen: expected a function/u],
  [null, /openSession: /u],
])("a session's options are refused by their path, and nothing is opened: %j", async (options, text) => {
  await using tests = await startSystem();
  const error = await rejection(tests.open(options as never));
  expect(error).toMatchObject({ code: "bad_input" });
  expect(String(error)).toMatch(text);
  expect(tests.system.sessions()).toEqual([]);
});
