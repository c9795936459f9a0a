import { spawn } from "node:child_process";

/** The command that opens an address, and what it is called with. No shell ever reads the address. */
function opener(platform: NodeJS.Platform, url: string): readonly [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}

/** Opens an address in the user's browser; resolves with whether that could be begun. */
export function openBrowser(
  url: string,
  { env, platform = process.platform }: { readonly env: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform },
): Promise<boolean> {
  const [command, ...args] = opener(platform, url);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", detached: true, shell: false, env });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
