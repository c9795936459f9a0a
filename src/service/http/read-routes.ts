import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import { eventStream } from "./event-stream.ts";
import { messagesPage } from "./messages-page.ts";
import { ndjson } from "./ndjson.ts";
import { route, type Route } from "./route.ts";
import { LogStart, ServiceInfo } from "../../protocol/service-api.ts";
import { MessagesAnswer, PermissionsAnswer, SessionsAnswer, StatusAnswer, TasksAnswer } from "./schemas.ts";
import { waitForChange } from "./wait-for-change.ts";

const sequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const page = z.coerce.number().int().min(1).max(10_000);

const info = route({
  method: "get",
  path: "/api/info",
  summary: "What this service is and allows",
  answer: ServiceInfo,
  handle: ({ service: { version, control, directory, machines, clock } }) => ({
    version,
    control,
    readOnly: !control,
    bus: directory.bus,
    machines,
    now: clock.now(),
  }),
});

const sessions = route({
  method: "get",
  path: "/api/sessions",
  summary: "The sessions that you may see",
  answer: SessionsAnswer,
  handle: async ({ visible }) => ({ sessions: (await visible()).map((session) => session.summary()) }),
});

const status = route({
  method: "get",
  path: "/api/sessions/:id/status",
  summary: "How a session stands; with `since` it waits for the next change",
  query: z.strictObject({
    since: sequence.optional().describe("A `version` that you have"),
    waitMs: z.coerce.number().min(0).optional().describe("How long to wait at most, in ms"),
  }),
  answer: StatusAnswer,
  handle: async ({ service, session, query: { since, waitMs = service.waitMsMax }, request }) => {
    if (since === undefined) return session.status();
    const changed = await waitForChange(session, {
      since,
      waitMs: Math.min(waitMs, service.waitMsMax),
      clock: service.clock,
      signals: [request.signal, service.closed],
    });
    return { ...session.status(), changed };
  },
});

const log = route({
  method: "get",
  path: "/api/sessions/:id/log",
  past: true,
  summary: "Where the log of a session begins, and the state to fold it on from",
  answer: LogStart,
  handle: ({ session }) => {
    const { first, last, violation } = session;
    return { first, last, checkpoint: session.checkpoint(), violation };
  },
});

const events = route({
  method: "get",
  path: "/api/sessions/:id/events",
  past: true,
  summary: "Stored records from a sequence on, then live: `record`, `token`, `gap`, `heartbeat`, `closed`",
  query: z.strictObject({
    from: sequence.optional().describe("The first sequence that you want; left out = the next"),
  }),
  answer: "text/event-stream",
  errors: ["too_many_streams"],
  handle: ({ service, session, query: { from = session.last + 1 }, request }) => {
    const release = service.openStream();
    const body = eventStream(session, {
      from,
      heartbeatMs: service.heartbeatMs,
      textsMax: service.textsMax,
      signals: [request.signal, service.closed],
      onEnd: release,
    });
    // Proxies that gather an answer before they pass it on are told not to.
    return new Response(body, { headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" } });
  },
});

const records = route({
  method: "get",
  path: "/api/sessions/:id/records",
  past: true,
  summary: "Stored records, a page of lines; the header `x-next` names the sequence that goes on, if there are more",
  query: z.strictObject({
    from: sequence.optional(),
    to: sequence.optional(),
    max: page.default(1_000).describe("Records of a page"),
  }),
  answer: "application/x-ndjson",
  errors: ["log_trimmed"],
  handle: async ({ session, query: { from = session.first, to = Infinity, max } }) => {
    const lines: string[] = [];
    let at = from;
    for (;;) {
      const held = session.read(at, max - lines.length);
      if (held.type === "gap") throw new TeamError("log_trimmed", { from, first: held.first });
      if (held.type === "end") return ndjson([lines], {});
      if (held.lines.length === 0) await nextTurn();
      for (const { seq, text } of held.lines) {
        if (seq > to) return ndjson([lines], {});
        lines.push(text);
        at = seq + 1;
      }
      if (lines.length >= max) return ndjson([lines], at > session.last || at > to ? {} : { "x-next": String(at) });
    }
  },
});

const bodies = route({
  method: "get",
  path: "/api/sessions/:id/bodies/:digest",
  past: true,
  summary: "What an input refers to: a message, a prompt, an answer, a result",
  answer: z.unknown(),
  errors: ["unknown_resource"],
  handle: ({ session, params: { digest = "" } }) => {
    const value = session.body(digest);
    if (value === undefined) throw new TeamError("unknown_resource", { what: `body "${digest.slice(0, 80)}"` });
    return Response.json(value);
  },
});

const recording = route({
  method: "get",
  path: "/api/sessions/:id/recording",
  past: true,
  summary: "All that is held, as a recording that `teamchart replay` and `teamchart inspect` read",
  answer: "application/x-ndjson",
  handle: ({ session }) => {
    const name = session.id.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    return ndjson(session.recording(), { "content-disposition": `attachment; filename="${name}.ndjson"` });
  },
});

const messages = route({
  method: "get",
  path: "/api/sessions/:id/messages",
  past: true,
  summary: "What was said to whom, in order, and what each mailbox holds now",
  query: z.strictObject({ from: sequence.optional(), max: page.default(1_000) }),
  answer: MessagesAnswer,
  errors: ["log_trimmed"],
  handle: ({ session, query: { from = session.first, max } }) => messagesPage(session, from, max),
});

const permissions = route({
  method: "get",
  path: "/api/sessions/:id/permissions",
  summary: "What waits for a permission, the oldest first",
  answer: PermissionsAnswer,
  handle: ({ session }) => ({ permissions: session.permissions() }),
});

const tasks = route({
  method: "get",
  path: "/api/sessions/:id/tasks",
  summary: "The team's task board, by the numbers of the tasks",
  answer: TasksAnswer,
  errors: ["no_team", "disabled"],
  handle: ({ session }) => ({ tasks: session.tasks() }),
});

/** Routes that look and change nothing. */
export const readRoutes: readonly Route[] = [
  info,
  sessions,
  status,
  log,
  events,
  records,
  bodies,
  recording,
  messages,
  permissions,
  tasks,
];
