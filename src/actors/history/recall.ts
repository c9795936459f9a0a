import { isTeamError } from "../../errors/index.ts";
import { isPlanned, parsePlan } from "../../protocol/plan.ts";
import { readForeign } from "../owner/read-foreign.ts";
import type { RuntimeOptions } from "../session/runtime-options.ts";
import { Chapter } from "./chapter.ts";

/** Inputs that are read at once: what is folded in one go holds up the agents of this process. */
const pageMax = 500;

/** What is held at least, once there is as much; up to twice as much is. */
export interface HeldMax {
  readonly inputsMax: number;
  readonly bytesMax: number;
}

/**
 * Reads what a durable log has of a session up to a sequence, from its start on, and folds it: the last two chapters of
 * it. Null when the log was trimmed: then nobody knows how it began.
 */
export async function recallChapters(
  { bus, kernel, namespace, config, onFault }: RuntimeOptions,
  toSeq: number,
  { inputsMax, bytesMax }: HeldMax,
): Promise<readonly Chapter[] | null> {
  const state = kernel.create();
  let chapter = new Chapter(state);
  let before: Chapter | null = null;
  for (let fromSeq = 0; ;) {
    const page = await bus
      .read({ namespace, session: config.session }, { fromSeq, toSeq, max: pageMax })
      .catch(trimmed);
    if (page === null) return null;
    for (const given of page) {
      const { stored, fault } = readForeign(given, (digest) => chapter.body(digest) ?? before?.body(digest));
      if (fault !== null) onFault(fault);
      if (stored === null) continue;
      const { seq, input, body } = stored;
      const plan = isPlanned(input.event) ? parsePlan(input.event, body) : undefined;
      const record = plan === undefined ? { seq, input } : { seq, input, plan };
      kernel.apply(state, record);
      chapter.add(record, body);
      if (chapter.inputs.length < inputsMax && chapter.bytes < bytesMax) continue;
      before = chapter;
      chapter = new Chapter(state);
    }
    if (page.length < pageMax) return before === null ? [chapter] : [before, chapter];
    fromSeq = (page.at(-1)?.seq ?? fromSeq) + 1;
  }
}

function trimmed(fault: unknown): null {
  if (isTeamError(fault, "log_trimmed")) return null;
  throw fault;
}
