import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { chromium, type BrowserContext } from "playwright-core";

const run = promisify(execFile);

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of a Chromium: what `TEAMCHART_CHROMIUM` names, else one in PATH; null for none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  const named = environment["TEAMCHART_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  for (const folder of (environment["PATH"] ?? "").split(delimiter))
    for (const name of names) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  return null;
}

/** What a person has to do where there is no Chromium. */
export const noChromium =
  "The tests of the inspector need a Chromium, and none is in PATH. Install one (Debian: apt-get install chromium), or set TEAMCHART_CHROMIUM to the path of a Chromium or Chrome.";

const packages = ["chromium", "fonts-dejavu-core", "fonts-noto-cjk", "fonts-noto-color-emoji"];

/** Gets a Chromium with apt, where there is none and apt may be used. Says on stderr why it couldn't; the tests then fail. */
export async function ensureChromium(): Promise<void> {
  if (findChromium() !== null) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const lock = ["-o", "DPkg::Lock::Timeout=120"];
  try {
    await run("apt-get", ["update"], { env, timeout: 180_000 });
    const command = ["install", "-y", "--no-install-recommends", ...lock, ...packages];
    await run("apt-get", command, { env, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 });
  } catch (fault) {
    console.error(
      `${noChromium}\napt-get could not: ${fault instanceof Error ? fault.message.slice(0, 500) : String(fault)}`,
    );
  }
}

/** A browser with a profile of its own; `await using` closes it and removes the profile. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
}

/** How a browser is started. */
export interface BrowserOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** Starts a browser; without one the test fails with the sentence that says how to get it. */
export async function startBrowser({
  width = 1280,
  height = 800,
  dark = false,
}: BrowserOptions = {}): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(noChromium);
  const profile = mkdtempSync(join(tmpdir(), "teamchart-browser-"));
  const quiet = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: ["--no-sandbox", ...quiet],
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    acceptDownloads: true,
  });
  context.setDefaultTimeout(30_000);
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
