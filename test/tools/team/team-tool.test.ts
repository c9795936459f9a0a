import { expectTypeOf, test } from "vitest";
import { teamToolBlock, teamTools } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

test("tools are typed: members are given as specs, results are objects or texts", () => {
  const block = teamToolBlock({ agentTypes: [{ name: "general" }] });
  const tools = teamTools(new RecordingPort("lead"), block);
  expectTypeOf(tools.complete.execute).returns.resolves.toEqualTypeOf<{ readonly accepted: true } | string>();
  expectTypeOf(tools.team_create.execute).parameter(0).toHaveProperty("members");
});
