// `node scripts/record-release.ts VERSION`: records a team as this version runs it, to be replayed by every later one.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error("usage: node scripts/record-release.ts VERSION, such as 0.1.0");
  process.exit(2);
}
const root = join(import.meta.dirname, "..");
// The recording holds where it was made: a folder that is nobody's.
const folder = mkdtempSync(join(tmpdir(), "teamchart-release-"));
copyFileSync(join(root, "test/cases/failure-replan.team.yaml"), join(folder, "team.yaml"));
const run = ["run", "team.yaml", "--bus", "memory", "--session", "release", "--record", "recording.ndjson"];
const { status } = spawnSync(process.execPath, [join(root, "dist/cli/main.js"), ...run], {
  cwd: folder,
  env: { PATH: process.env["PATH"] ?? "" },
  stdio: "inherit",
});
if (status === 0)
  copyFileSync(join(folder, "recording.ndjson"), join(root, `test/fixtures/recordings/${version}.ndjson`));
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
