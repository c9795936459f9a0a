import type { ToolSet } from "ai";
import { z } from "zod";
import { MailState, type MailPage, type MailStatus } from "../../protocol/mail.ts";
import type { CallContext, TeamPort } from "../port.ts";
import { modelInput } from "./model-input.ts";
import { teamTool } from "./team-tool.ts";
import type { sharedToolNames } from "./team-tool-traits.ts";

const pageMax = 20;
/** Characters of a message that a page shows; one that is asked for alone is shown whole. */
const shownCharsMax = 500;

const teamMail = Object.freeze({
  name: "team_mail",
  description:
    "Look at your own mail, also what you have read before, the newest first; and acknowledge what you have dealt with, so " +
    "that others see it. New mail comes to you by itself: you need this only to read something again, or to acknowledge. " +
    "Each message is named by its handle (mail), which also stands in the frame that it came in. delivered means that you " +
    "were shown it; acknowledged, that you said so here.",
  input: modelInput(
    z.strictObject({
      acknowledge: z.array(z.string()).max(100).default([]).describe("Handles of mail that you have dealt with."),
      mail: z.string().optional().describe("A handle: shows this one alone, and whole."),
      state: MailState.optional().describe("Only mail that has come so far."),
      before: z.string().optional().describe("next of the last result: shows older mail."),
    }),
  ),
  leadOnly: false,
});

/** A piece of mail as a model sees it in its own mailbox. */
interface MailResult extends Omit<MailStatus, "handle" | "to" | "bytes" | "about" | "notice"> {
  readonly mail: string | null;
  readonly notice?: string;
  readonly about?: string;
}

/** What `team_mail` returns. */
interface TeamMailResult {
  readonly acknowledged?: readonly string[];
  readonly alreadyAcknowledged?: readonly string[];
  readonly mail: readonly MailResult[];
  readonly total: number;
  readonly next: string | null;
}

const shorten = (text: string): string =>
  text.length <= shownCharsMax
    ? text
    : `${text.slice(0, shownCharsMax).toWellFormed()}... (${text.length - shownCharsMax} characters more; give mail to see all)`;

function mailResult(
  { handle, to: _to, bytes: _bytes, notice, about, content, ...rest }: MailStatus,
  whole: boolean,
): MailResult {
  return {
    mail: handle,
    ...rest,
    ...(notice === null ? {} : { notice }),
    ...(about === null ? {} : { about }),
    content: content === null || whole ? content : shorten(content),
  };
}

const pageResult = ({ mail, total, next }: MailPage, whole: boolean): TeamMailResult => ({
  mail: mail.map((each) => mailResult(each, whole)),
  total,
  next,
});

interface Given {
  readonly acknowledge: readonly string[];
  readonly mail?: string | undefined;
  readonly state?: MailState | undefined;
  readonly before?: string | undefined;
}

async function readMail(port: TeamPort, given: Given, call: CallContext): Promise<TeamMailResult> {
  const { acknowledge, mail: handle, state, before } = given;
  const done = acknowledge.length === 0 ? null : await port.acknowledge(acknowledge, call);
  const page = pageResult(port.mail({ handle, state, before, limit: pageMax }), handle !== undefined);
  if (done === null) return page;
  const { acknowledged, already } = done;
  return { acknowledged, ...(already.length === 0 ? {} : { alreadyAcknowledged: already }), ...page };
}

/** What lead and members have right behind the block: the same for both, so that their prompts go on alike. */
export function mailTools(port: TeamPort) {
  const tools = {
    team_mail: teamTool(teamMail, port, async (given, call) => ({ ok: await readMail(port, given, call) })),
  } satisfies ToolSet & Record<(typeof sharedToolNames)[number], unknown>;
  return Object.freeze(tools);
}
