import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Addressing } from "../../../src/tools/workspace/open-folder.ts";
import type { WorkspaceLimits } from "../../../src/tools/workspace/workspace-limits.ts";
import { openWorkspace } from "../../../src/tools/workspace/workspace.ts";

/** The text of one file and the name of another one outside the workspace, which no tool may ever show. */
export const canary = "canary-7f3a91";

/** Both ways to reach files; everything about confinement holds for each. */
export const addressings: readonly Addressing[] = ["handle", "path"];

/**
 * A workspace in a new folder with a secret beside it, removed again when disposed:
 * `outside/secret.txt` holds the canary and another file is called so; in the root are `link-out` (to outside), `link-file` (to the secret),
 * `link-up` (..), `link-dangling` (to outside/new.txt), `link-in` (to folder), `link-circle` and `folder/a.txt`.
 */
export const openTestWorkspace = async (
  options: { readonly limits?: Partial<WorkspaceLimits>; readonly addressing?: Addressing } = {},
) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "workspace-test-")));
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  await mkdir(join(root, "folder"), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), canary);
  await writeFile(join(outside, `${canary}.txt`), "");
  await writeFile(join(root, "folder/a.txt"), "alpha\n");
  const links = {
    "link-out": outside,
    "link-file": "../outside/secret.txt",
    "link-up": "..",
    "link-dangling": "../outside/new.txt",
    "link-lost": "folder/not-there.txt",
    "link-in": "folder",
    "link-circle": "link-circle",
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
  const workspace = await openWorkspace({ root, ...options });
  return {
    workspace,
    root,
    outside,
    /** All that is outside, with content and identity. */
    async outsideState() {
      const entries = [];
      for (const folder of [base, outside]) {
        for (const name of (await readdir(folder)).toSorted()) {
          const { ino, mode, mtimeMs, size } = await stat(join(folder, name));
          // The root itself changes with every write.
          entries.push(name === "root" ? [folder, name, ino] : [folder, name, ino, mode, mtimeMs, size]);
        }
      }
      return { entries, secret: await readFile(join(outside, "secret.txt"), "utf8") };
    },
    async links() {
      return Promise.all(Object.keys(links).map((name) => readlink(join(root, name))));
    },
    async [Symbol.asyncDispose]() {
      await rm(base, { recursive: true, force: true });
    },
  };
};
