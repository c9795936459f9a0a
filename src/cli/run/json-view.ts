import { jsonLine } from "../json-line.ts";
import type { Output } from "../output.ts";
import type { Attendant } from "./attendant.ts";
import type { SessionView } from "./session-view.ts";

/** Every event and the result as one JSON object a line on stdout. */
export const jsonView = (output: Output, attendant: Attendant): SessionView => ({
  attendant,
  event: (line) => output.print(jsonLine(line)),
  notice: (sentence) => output.tell(sentence),
  result: (line) => output.print(jsonLine(line)),
  async close() {
    attendant.close();
  },
});
