import { boardGuarantee } from "./board-guarantee.ts";
import type { Guarantee } from "./guarantee.ts";
import { memberGuarantees } from "./member-guarantees.ts";
import { teamGuarantees } from "./team-guarantees.ts";

/** G1 to G10 and G13 as properties: what `checkModel` checks on every state and every step unless it is told not to. */
export const guarantees: readonly Guarantee[] = [...memberGuarantees, ...teamGuarantees, boardGuarantee];
