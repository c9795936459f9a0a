import { TeamError } from "../../errors/index.ts";
import type { ServiceOptions, TeamService } from "../../service/index.ts";
import { hostsOf, isLoopback, listen } from "../../service/listen.ts";
import { keysOf } from "../keys-of.ts";
import { printable } from "../printable.ts";
import type { SessionStage } from "../run/host-session.ts";
import { watchInterrupts } from "../run/interrupts.ts";
import { openBrowser } from "./open-browser.ts";
import { warnInto } from "../log.ts";

/** An inspector that is served. */
export interface Inspector extends AsyncDisposable {
  /** Where it is, with the token. */
  readonly url: string;
  /** Waits until the user wants it to end, where there is a user: at a terminal. */
  stay(): Promise<void>;
  /**
   * Resolves when the user, or whoever started this process, wants it to end. A wish that came while something else was
   * waited for counts: a signal between two listeners would be heard by neither.
   */
  untilInterrupted(): Promise<unknown>;
  /** Whether it is wanted to end. */
  readonly isInterrupted: boolean;
}

/** What is served and shown by a command that serves nothing. */
const noInspector: Inspector = {
  url: "",
  stay: async () => {},
  untilInterrupted: async () => {},
  isInterrupted: false,
  [Symbol.asyncDispose]: async () => {},
};

/** Serves the inspector if the command was asked to. */
export const inspectorIfAsked = (
  make: (options: ServiceOptions) => TeamService,
  stage: SessionStage,
): Promise<Inspector> => (stage.settings.inspect ? serveInspector(make, stage) : Promise.resolve(noInspector));

/**
 * Serves a service at the address of the settings and says where. Everything that can be refused is refused before anything
 * is started: an address that others can reach without a token of the user's, a port that is taken.
 */
export async function serveInspector(
  make: (options: ServiceOptions) => TeamService,
  stage: SessionStage,
): Promise<Inspector> {
  const { host: process, output, log, settings } = stage;
  const { host, port, token, control, open, json } = settings;
  if (!isLoopback(host) && token === null) {
    const problem = `other machines can reach ${printable(host)}; give a token of your own by --token or TEAMCHART_TOKEN`;
    throw new TeamError("bad_input", { what: "--host", problem });
  }
  const onFault = warnInto(log);
  const service = make({
    control,
    hosts: hostsOf(host),
    redact: { secrets: [...keysOf(process.env), ...(token === null ? [] : [token])] },
    onFault,
    ...(token === null ? {} : { auth: { token } }),
  });
  const listening = await listen(service, { host, port }).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  const { urlWithToken: url } = listening;
  const sentence = `inspector${control ? "" : " (read-only)"}: ${url}`;
  if (json) output.tell(sentence);
  else output.print(`${sentence}\n`);
  if (open && !(await openBrowser(url, { env: process.env })))
    output.tell("No browser could be opened; open the address yourself.");
  const interrupts = watchInterrupts(process, output);
  return {
    url,
    async stay() {
      // Without a terminal nobody looks, so nobody is waited for.
      if (interrupts.isRaised || json || !process.stdout.isTTY) return;
      output.print(`The inspector stays at ${url} until Ctrl-C.\n`);
      await interrupts.first;
    },
    untilInterrupted: () => interrupts.first,
    get isInterrupted() {
      return interrupts.isRaised;
    },
    async [Symbol.asyncDispose]() {
      interrupts.close();
      await service.close();
      await listening.close();
    },
  };
}

/** Resolves when the user, or whoever started this process, wants it to end. */
export async function untilInterrupted({ host, output }: Pick<SessionStage, "host" | "output">): Promise<void> {
  const interrupts = watchInterrupts(host, output);
  try {
    await interrupts.first;
  } finally {
    interrupts.close();
  }
}
