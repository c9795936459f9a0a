import { expect, test } from "vitest";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { codesOf, Driver } from "../driver.ts";

const canonical = (driver: Driver): string =>
  JSON.stringify({ ...driver.session, members: [...driver.session.members] });

test("R25: mail is acknowledged after it was delivered, and not before", () => {
  const driver = new Driver();
  driver.create(["A", "B"]);
  driver.call("B", { type: "message.send", to: "A", kind: "text", bytes: 1 });
  const [mail] = driver.member("A").unread;
  const acknowledge: InputEvent = { type: "mail.acknowledge", mail: [mail?.id ?? ""] };
  const early = driver.call("A", acknowledge);
  expect([codesOf(early), early.mail]).toEqual([["mail_unread"], []]);
  driver.inject("A");
  const done = driver.call("A", acknowledge);
  expect(codesOf(done)).toBe("ok");
  expect(done.mail).toEqual([{ type: "acknowledged", to: "A-t1", ids: [mail?.id] }]);
});

test("R25, R27: what was delivered and acknowledged leaves nothing behind in the session's state", () => {
  const driver = new Driver();
  driver.create(["A"]);
  const before = canonical(driver).length;
  for (let n = 0; n < 50; n++) {
    driver.send("A");
    const ids = driver.member("A").unread.map(({ id }) => id);
    driver.inject("A");
    driver.call("A", { type: "mail.acknowledge", mail: ids });
    for (const call of driver.member("A").run.calls) driver.run("A", "tool.ended", { call, verdict: "ok" });
  }
  // Counters, numbers of commands and the last sixteen replies.
  expect(canonical(driver).length - before).toBeLessThan(3_000);
  expect(driver.member("A").unread).toEqual([]);
});

test("the user has no mailbox to acknowledge anything in", () => {
  const driver = new Driver();
  driver.create(["A"]);
  expect(codesOf(driver.command({ type: "mail.acknowledge", mail: ["i1"] }))).toEqual(["fenced"]);
});
