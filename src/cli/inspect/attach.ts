import type { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import { ServiceInfo } from "../../protocol/service-api.ts";
import { ErrorAnswer, SessionsAnswer } from "../../service/http/schemas.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { jsonLine } from "../json-line.ts";
import { printable } from "../printable.ts";
import type { SessionStage } from "../run/host-session.ts";
import { openBrowser } from "./open-browser.ts";

/** A service that doesn't answer for this long is as good as away. */
const answerMs = 10_000;

/** Where a service is, and the token that it needs. */
interface Place {
  readonly base: URL;
  readonly token: string | null;
}

/** Asks a running service what it shows, and opens its page if that is wanted. */
export async function attach(address: string, { host, output, settings }: SessionStage): Promise<ExitCode> {
  const place = placeOf(address, settings.token);
  const info = await ask(place, "api/info", ServiceInfo);
  const { sessions } = await ask(place, "api/sessions", SessionsAnswer);
  const page = new URL(place.base);
  if (place.token !== null) page.hash = `token=${encodeURIComponent(place.token)}`;
  if (settings.json) output.print(jsonLine({ type: "service", url: place.base.href, ...info, sessions }));
  else {
    const rights = info.control ? "with control" : "read-only";
    output.print(
      `teamchart ${printable(info.version)} at ${place.base.href}, ${rights}: ${sessions.length} sessions\n`,
    );
    for (const { id, state, team, pendingRequests } of sessions) {
      const shown = team === null ? "no team" : `${team.name}: ${team.state}, ${team.members} members`;
      const waits = pendingRequests === 0 ? "" : `, ${pendingRequests} requests wait`;
      output.print(`${state.padEnd(6)}  ${printable(id)}  ${printable(shown)}${waits}\n`);
    }
    output.print(`The page: ${page.href}\n`);
  }
  if (settings.open && !(await openBrowser(page.href, { env: host.env }))) {
    output.tell("No browser could be opened; open the address yourself.");
  }
  return exitCodes.done;
}

function placeOf(address: string, given: string | null): Place {
  const url = URL.parse(address);
  if (url === null) throw new TeamError("bad_input", { what: "URL", problem: `${printable(address)} is no address` });
  const token = given ?? new URLSearchParams(url.hash.slice(1)).get("token");
  const base = new URL(url);
  base.hash = "";
  base.search = "";
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return { base, token };
}

async function ask<Schema extends z.ZodType>({ base, token }: Place, path: string, schema: Schema) {
  const response = await fetch(new URL(path, base), {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(answerMs),
    redirect: "error",
  }).catch((cause: unknown) => {
    const problem = `nothing answers at ${base.href}; is it the address that the service printed, and does it still run?`;
    throw new TeamError("bad_input", { what: "URL", problem }, { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  const failure = ErrorAnswer.safeParse(body);
  if (response.status === 401) throw new TeamError("unauthorized", {});
  if (failure.success) throw new TeamError("bad_input", { what: "URL", problem: failure.data.message.slice(0, 300) });
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new TeamError("bad_input", { what: "URL", problem: `${base.href} is no Teamchart service` });
  return parsed.data;
}
