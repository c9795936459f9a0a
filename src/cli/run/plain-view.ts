import type { Session } from "../../index.ts";
import type { Output } from "../output.ts";
import type { Attendant } from "./attendant.ts";
import { notableEvents } from "./notable-events.ts";
import { resultText } from "./result-text.ts";
import type { SessionView } from "./session-view.ts";

/** One line for each notable change, fit for a log. */
export function plainView(session: Session, output: Output, attendant: Attendant): SessionView {
  const say = notableEvents(session);
  return {
    attendant,
    event(line) {
      const text = say(line);
      if (text !== null) output.print(`${text}\n`);
    },
    notice: (sentence) => output.tell(sentence),
    result: (line) => output.print(resultText(line, { leadFailure: session.leadFailure })),
    async close() {
      attendant.close();
    },
  };
}
