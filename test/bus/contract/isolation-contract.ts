import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTeamError } from "../../../src/errors/index.ts";
import { nameToken } from "../../../src/protocol/names.ts";
import type { MakeBus } from "./bus-maker.ts";
import { appendOf, Collector, home, idsOf, useBus } from "./test-bus.ts";

/** Names of CASES U10, which mean something to a server, a path, an object or a terminal. */
const hostileNames = [
  "a.b",
  "a*",
  "*",
  ">",
  "a>b",
  "A B",
  "",
  "..",
  "a/b",
  "a\\b",
  "a\tb",
  "a\r\nb",
  "x".repeat(300),
  "$SYS",
  "_INBOX",
  "_INBOX.>",
  "__proto__",
  "constructor",
  "a\0b",
  "日本",
  "é",
  "e\u0301",
  "👩‍👩‍👧",
  "\u202Eevil",
];

/** Who must not see whose inputs. */
export const isolationContract = (makeBus: MakeBus): void => {
  describe("sessions, namespaces and mailboxes", () => {
    const on = useBus(makeBus);

    /** Appends, unless the bus refuses the name. Whether it was stored. */
    const isStored = async (...[id, where]: Parameters<typeof appendOf>): Promise<boolean> => {
      try {
        await on.bus.append(appendOf(id, where));
        return true;
      } catch (error) {
        if (isTeamError(error, "bad_name")) return false;
        throw error;
      }
    };

    test("two leads with equal names in two sessions and two namespaces see nothing of each other (U22)", async () => {
      const keys = ["n1", "n2"].flatMap((namespace) => ["s1", "s2"].map((session) => ({ namespace, session })));
      const followers = keys.map((key) => new Collector(on.bus, key, 1));
      const mailboxes = keys.map((key) => new Collector(on.bus, { ...key, actor: "dev-t1" }, 1));
      for (const round of ["a", "b"]) {
        await Promise.all(
          keys.map((key) => on.bus.append(appendOf(round, { ...key, actor: "dev-t1", body: { ...key, round } }))),
        );
      }
      await Promise.all([...followers, ...mailboxes].map((each) => each.untilId("b")));
      const expected = keys.map((key) => ["a", "b"].map((round) => ({ ...key, round })));
      expect(followers.map(({ records }) => records.map(({ body }) => body))).toEqual(expected);
      expect(mailboxes.map(({ records }) => records.map(({ body }) => body))).toEqual(expected);
      for (const [index, key] of keys.entries()) {
        expect((await on.bus.read(key, { fromSeq: 1 })).map(({ body }) => body)).toEqual(expected[index]);
      }
    });

    test("namespace and session never run into each other", async () => {
      const keys = [
        { namespace: "a", session: "b.c" },
        { namespace: "a.b", session: "c" },
        { namespace: "a/b", session: "c" },
        { namespace: "a", session: "b/c" },
      ];
      await Promise.all(keys.map((key, index) => on.bus.append(appendOf(`${index}`, key))));
      for (const [index, key] of keys.entries()) {
        expect(idsOf(await on.bus.read(key, { fromSeq: 1 }))).toEqual([`${index}`]);
      }
    });

    test.each(hostileNames)("a session named %j is refused as bad_name, or its own (U10)", async (session) => {
      const others = new Collector(on.bus, { ...home, session: "plain" }, 1);
      const stored = await isStored("hostile", { session });
      await on.bus.append(appendOf("plain", { session: "plain" }));
      await others.untilId("plain");
      expect(others.ids).toEqual(["plain"]);
      if (stored) expect(idsOf(await on.bus.read({ ...home, session }, { fromSeq: 1 }))).toEqual(["hostile"]);
    });

    test.each(hostileNames)("a namespace named %j is refused as bad_name, or its own (U10)", async (namespace) => {
      const others = new Collector(on.bus, { ...home, namespace: "plain" }, 1);
      const stored = await isStored("hostile", { namespace });
      await on.bus.append(appendOf("plain", { namespace: "plain" }));
      await others.untilId("plain");
      expect(others.ids).toEqual(["plain"]);
      if (stored) expect(idsOf(await on.bus.read({ ...home, namespace }, { fromSeq: 1 }))).toEqual(["hostile"]);
    });

    test("a mailbox sees only its own mail, whatever its member is called (U10)", async () => {
      const actors = hostileNames.map((name) => `${nameToken(name)}-t1`);
      const followers = actors.map((actor) => new Collector(on.bus, { ...home, actor }, 1));
      const stored = await Promise.all(actors.map((actor) => isStored(actor, { actor })));
      const kept = followers.filter((_, index) => stored[index]);
      await Promise.all(kept.map((each) => each.until(() => each.ids.length > 0)));
      expect(kept.map(({ ids }) => ids)).toEqual(actors.filter((_, index) => stored[index]).map((actor) => [actor]));
      expect(kept.length).toBeGreaterThan(hostileNames.length / 2);
    });

    test.each(["*", ">", "lead*", ""])("the mailbox %j of a filter is no pattern", async (actor) => {
      await on.bus.append(appendOf("a"));
      const read = await on.bus.read({ ...home, actor }, { fromSeq: 1 }).catch((error: unknown) => error);
      expect(isTeamError(read, "bad_name") ? [] : read).toEqual([]);
    });

    test("any two sessions keep apart", async () => {
      const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
      let round = 0;
      const property = fc.asyncProperty(fc.uniqueArray(name, { minLength: 2, maxLength: 2 }), async (sessions) => {
        const namespace = `any${++round}`;
        const stored = await Promise.all(sessions.map((session) => isStored(session, { namespace, session })));
        for (const [index, session] of sessions.entries()) {
          if (!stored[index]) continue;
          expect(idsOf(await on.bus.read({ namespace, session }, { fromSeq: 1 }))).toEqual([session]);
        }
      });
      await fc.assert(property, { numRuns: 50 });
    });
  });
};
