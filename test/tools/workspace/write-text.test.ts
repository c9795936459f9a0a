import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestWorkspace } from "./test-workspace.ts";

const open = async () => {
  const at = await openTestWorkspace();
  return Object.assign(at, {
    ann: at.workspace.for("Ann"),
    bob: at.workspace.for("Bob"),
    content: (path: string) => readFile(join(at.root, path), "utf8"),
  });
};

test("a new file is written with its folders", async () => {
  await using at = await open();
  expect(await at.ann.write("new/deep/é.md", "text")).toEqual({ path: "new/deep/é.md", bytes: 4, created: true });
  expect(await at.content("new/deep/é.md")).toBe("text");
});

test("an existing file keeps its mode, and nothing else stays in its folder", async () => {
  await using at = await open();
  await chmod(join(at.root, "folder/a.txt"), 0o751);
  await at.ann.write("folder/a.txt", "beta");
  expect((await stat(join(at.root, "folder/a.txt"))).mode & 0o777).toBe(0o751);
  expect(await readdir(join(at.root, "folder"))).toEqual(["a.txt"]);
});

test("a read-only file is refused", async () => {
  await using at = await open();
  await chmod(join(at.root, "folder/a.txt"), 0o444);
  await expect(at.ann.write("folder/a.txt", "x")).rejects.toThrow(/read-only/u);
  expect(await at.content("folder/a.txt")).toBe("alpha\n");
});

test("a folder, and a path through a file, are refused", async () => {
  await using at = await open();
  await expect(at.ann.write("folder", "x")).rejects.toMatchObject({ code: "bad_input" });
  await expect(at.ann.write("folder/a.txt/x", "x")).rejects.toMatchObject({ code: "bad_input" });
});

test("a text of exactly writeBytesMax is written; one byte more is refused and makes no folder (S21)", async () => {
  await using at = await openTestWorkspace({ limits: { writeBytesMax: 4 } });
  const ann = at.workspace.for("Ann");
  expect(await ann.write("four", "éé")).toMatchObject({ bytes: 4 });
  await expect(ann.write("more/five", "ééx")).rejects.toMatchObject({
    code: "payload_too_large",
    data: { bytes: 5, bytesMax: 4 },
  });
  expect(await readdir(at.root)).not.toContain("more");
});

test("half a character is refused instead of being replaced", async () => {
  await using at = await open();
  await expect(at.ann.write("x", "a\ud800")).rejects.toMatchObject({ code: "bad_input" });
});

test("an abort at any point of a write leaves the old file and no other", async () => {
  await using at = await open();
  const stopAt = (point: number) => {
    let looks = 0;
    const throwIfAborted = () => {
      looks += 1;
      if (looks === point) throw new Error("stop");
    };
    return { throwIfAborted } as AbortSignal;
  };
  let points = 0;
  for (;;) {
    const signal = stopAt(points + 1);
    const end = await at.ann.write("folder/a.txt", "beta", { signal }).catch((error: unknown) => error);
    if (!(end instanceof Error)) break;
    points += 1;
    expect(end.message).toBe("stop");
    expect(await at.content("folder/a.txt")).toBe("alpha\n");
    expect(await readdir(join(at.root, "folder"))).toEqual(["a.txt"]);
  }
  expect(points).toBeGreaterThanOrEqual(4);
  expect(await at.content("folder/a.txt")).toBe("beta");
});

test("a file that another member changed since the last read is a conflict that names the member; reading resolves it", async () => {
  await using at = await open();
  await at.ann.read("folder/a.txt");
  await at.bob.write("folder/a.txt", "bob");
  await expect(at.ann.write("folder/a.txt", "ann")).rejects.toMatchObject({
    code: "write_conflict",
    data: { path: "folder/a.txt", member: "Bob" },
  });
  expect(await at.content("folder/a.txt")).toBe("bob");
  await at.ann.read("link-in/a.txt");
  await at.ann.write("folder/a.txt", "ann");
  expect(await at.content("folder/a.txt")).toBe("ann");
});

test("a file that another member wrote and this one never read is a conflict", async () => {
  await using at = await open();
  await at.bob.write("new.txt", "bob");
  await expect(at.ann.write("link-in/../new.txt", "ann")).rejects.toMatchObject({ data: { member: "Bob" } });
});

test("a file changed outside the team is a conflict for who had read it, and for nobody else", async () => {
  await using at = await open();
  await at.ann.read("folder/a.txt");
  await writeFile(join(at.root, "folder/a.txt"), "changed");
  await expect(at.ann.write("folder/a.txt", "ann")).rejects.toMatchObject({
    code: "write_conflict",
    data: { member: "somebody outside the team" },
  });
  await at.bob.write("folder/a.txt", "bob");
});

test("a file that was deleted since is written anew", async () => {
  await using at = await open();
  await at.ann.read("folder/a.txt");
  await rm(join(at.root, "folder/a.txt"));
  expect(await at.ann.write("folder/a.txt", "x")).toMatchObject({ created: true });
});

test("own writes never conflict, in a row or at once", async () => {
  await using at = await open();
  await at.ann.write("own.txt", "1");
  await at.ann.write("own.txt", "2");
  await Promise.all(["3", "4", "5"].map((text) => at.ann.write("own.txt", text)));
  expect(["3", "4", "5"]).toContain(await at.content("own.txt"));
});

test("views of one name share what they have read; another name does not", async () => {
  await using at = await open();
  await at.bob.write("x.txt", "1");
  await at.workspace.for("Ann").read("x.txt");
  await at.workspace.for("Ann").write("x.txt", "2");
  await expect(at.workspace.for("Cem").write("x.txt", "3")).rejects.toMatchObject({ data: { member: "Ann" } });
});

test("of twenty members that write one path at once exactly one wins, and the file is whole", async () => {
  await using at = await open();
  const text = (n: number) => `${n}\n`.repeat(20_000);
  const ends = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => at.workspace.for(`Member ${n}`).write("folder/a.txt", text(n))),
  );
  const winners = ends.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
  expect(winners).toHaveLength(1);
  expect(await at.content("folder/a.txt")).toBe(text(winners[0]!));
  for (const end of ends) if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "write_conflict" });
  expect(await readdir(join(at.root, "folder"))).toEqual(["a.txt"]);
});

test("a reader beside many writes always sees one whole version", async () => {
  await using at = await open();
  const versions = Array.from({ length: 20 }, (_, n) => `${n}\n`.repeat(10_000));
  await at.bob.write("big.txt", versions[0]!);
  const writes = (async () => {
    for (const version of versions) await at.bob.write("big.txt", version);
  })();
  for (let round = 0; round < 20; round += 1) {
    const read = await at.ann.read("big.txt");
    expect(versions).toContain(read.kind === "text" ? read.text : "");
  }
  await writes;
});

test("only the most recent filesRememberedMax files are remembered per member (S21)", async () => {
  await using at = await openTestWorkspace({ limits: { filesRememberedMax: 1 } });
  const ann = at.workspace.for("Ann");
  await mkdir(join(at.root, "two"));
  for (const name of ["two/a", "two/b"]) await writeFile(join(at.root, name), "1");
  await ann.read("two/a");
  await ann.read("two/b");
  for (const name of ["two/a", "two/b"]) await writeFile(join(at.root, name), "2");
  await expect(ann.write("two/b", "3")).rejects.toMatchObject({ code: "write_conflict" });
  await ann.write("two/a", "3");
});

test("no write ever replaces a version of somebody else that the writer has not seen, except one that only outsiders made", async () => {
  const step = fc.record({
    who: fc.constantFrom("Ann", "Bob", "outsider"),
    verb: fc.constantFrom("read", "write"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await using at = await open();
      const seen = new Map<string, string>();
      let [current, author, teamWrote] = ["alpha\n", "outsider", false];
      for (const [n, { who, verb }] of steps.entries()) {
        const text = `version ${n}`;
        if (who === "outsider") {
          if (verb === "read") continue;
          await writeFile(join(at.root, "folder/a.txt"), text);
          [current, author] = [text, who];
        } else if (verb === "read") {
          await at.workspace.for(who).read("folder/a.txt");
          seen.set(who, current);
        } else {
          const refused = await at.workspace
            .for(who)
            .write("folder/a.txt", text)
            .then(
              () => null,
              (error: unknown) => error,
            );
          const isOwnOrSeen = author === who || seen.get(who) === current;
          const isFirstTouch = !seen.has(who) && !teamWrote;
          if (refused === null) {
            expect(isOwnOrSeen || isFirstTouch).toBe(true);
            [current, author, teamWrote] = [text, who, true];
            seen.set(who, text);
          } else {
            expect(isOwnOrSeen || isFirstTouch).toBe(false);
            const member = author === "outsider" ? "somebody outside the team" : author;
            expect(refused).toMatchObject({ code: "write_conflict", data: { path: "folder/a.txt", member } });
          }
          expect(await at.content("folder/a.txt")).toBe(current);
        }
      }
    }),
    { numRuns: 100 },
  );
});
