import { z } from "zod";
import { describeRefusal } from "../../errors/index.ts";
import { DissolveSpec, ReplanSpec } from "../../protocol/spec.ts";
import { commandsOf } from "./commands-of.ts";
import { route, type Route } from "./route.ts";
import { AcceptedAnswer, DissolveAnswer, PreviewAnswer, ReplanAnswer, SentAnswer } from "./schemas.ts";

/** What every change of a team may be refused for. */
const planErrors = [
  "no_team",
  "team_dissolved",
  "stale_revision",
  "unknown_member",
  "not_cancellable",
  "not_retryable",
  "not_rewirable",
  "cycle",
] as const;

const reason = z.string().max(600).optional().describe("Why; shown with the change");

const send = route({
  method: "post",
  path: "/api/sessions/:id/messages",
  control: true,
  summary: "Says something as the user: to a member, to `Lead`, or to `broadcast`",
  body: z.strictObject({ to: z.string(), content: z.string().min(1) }),
  answer: SentAnswer,
  errors: ["unknown_recipient", "recipient_closed", "mailbox_full", "message_too_large"],
  handle: async ({ session, body }) => (await commandsOf(session)).sendMessage(body),
});

const spec = z.strictObject({ spec: ReplanSpec });

const replan = route({
  method: "post",
  path: "/api/sessions/:id/replan",
  control: true,
  summary: "Changes the running team in one step, or not at all",
  body: spec,
  answer: ReplanAnswer,
  errors: planErrors,
  handle: async ({ session, body }) => (await commandsOf(session)).replan(body.spec),
});

const preview = route({
  method: "post",
  path: "/api/sessions/:id/replan/preview",
  control: true,
  summary: "What a change would make of the team, and what is wrong with it; nothing is changed",
  body: spec,
  answer: PreviewAnswer,
  handle: async ({ session, body }) => {
    const { ok, members, problems } = (await commandsOf(session)).previewReplan(body.spec);
    return { ok, members, problems: problems.map((each) => ({ ...each, message: describeRefusal(each) })) };
  },
});

const dissolve = route({
  method: "post",
  path: "/api/sessions/:id/dissolve",
  control: true,
  summary: "Ends the team; answers when it is dissolved",
  body: DissolveSpec,
  answer: DissolveAnswer,
  errors: ["no_team"],
  handle: async ({ session, body: { mode, graceMs, reason: why } }) =>
    (await commandsOf(session)).dissolve({
      mode,
      ...(graceMs === undefined ? {} : { graceMs }),
      ...(why === undefined ? {} : { reason: why }),
    }),
});

const cancel = route({
  method: "post",
  path: "/api/sessions/:id/members/:name/cancel",
  control: true,
  summary: "Cancels a member, a running one too",
  body: z.strictObject({ reason }),
  answer: ReplanAnswer,
  errors: planErrors,
  handle: async ({ session, params: { name = "" }, body }) =>
    (await commandsOf(session)).replan({ cancel: [name], ...said(body.reason) }),
});

const retry = route({
  method: "post",
  path: "/api/sessions/:id/members/:name/retry",
  control: true,
  summary: "Starts a failed member again, with another prompt if there is one",
  body: z.strictObject({ prompt: z.string().min(1).optional(), reason }),
  answer: ReplanAnswer,
  errors: planErrors,
  handle: async ({ session, params: { name = "" }, body: { prompt, reason: why } }) =>
    (await commandsOf(session)).replan({ retry: [prompt === undefined ? { name } : { name, prompt }], ...said(why) }),
});

const shutdown = route({
  method: "post",
  path: "/api/sessions/:id/members/:name/shutdown",
  control: true,
  summary: "Shuts an idle member down",
  body: z.strictObject({ reason }),
  answer: ReplanAnswer,
  errors: planErrors,
  handle: async ({ session, params: { name = "" }, body }) =>
    (await commandsOf(session)).replan({ shutdown: [name], ...said(body.reason) }),
});

const answer = route({
  method: "post",
  path: "/api/sessions/:id/permissions/:request",
  control: true,
  summary: "Answers a permission request, once",
  body: z.strictObject({ approve: z.boolean(), note: z.string().max(600).optional() }),
  answer: AcceptedAnswer,
  errors: ["unknown_permission", "already_answered"],
  handle: async ({ session, params: { request = "" }, body: { approve, note } }) => {
    await (await commandsOf(session)).answerPermission({ request, approve, ...(note === undefined ? {} : { note }) });
    return { accepted: true };
  },
});

const said = (why: string | undefined): { readonly reason?: string } => (why === undefined ? {} : { reason: why });

/** Routes that change something. */
export const controlRoutes: readonly Route[] = [send, replan, preview, dissolve, cancel, retry, shutdown, answer];
