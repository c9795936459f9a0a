import { test } from "vitest";
import { createStepper } from "../../src/machines/transition-once.ts";
import { memberMachine } from "../../src/machines/member-machine.ts";
import { memberContext } from "../../src/machines/member-events.ts";
test("x", () => {
  const s = createStepper(memberMachine);
  let m = s.initial(memberContext("oneshot", false));
  for (const e of [{ type: "member.start" }, { type: "tool.started", rest: "tool" }, { type: "work.complete" }, { type: "tool.ended", rest: "thinking" }, { type: "step.ended", mail: false }, { type: "member.cancel", mail: false }, { type: "nonsense" }] as never[]) {
    const r = s.step(m, e);
    console.log(JSON.stringify(r.next.value), JSON.stringify(r.next.context), r.effects, r.handled, r.transitions);
    m = r.next;
  }
});
